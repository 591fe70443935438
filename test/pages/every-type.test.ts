// Every type of project is made by its own page: as a draft with a title alone, then filled in and published.

import { expect, test } from 'bun:test';
import { projectContentTypes } from '../../src/core/content-types.ts';
import { onOneDatabase } from '../support/databases.ts';
import { emptyPdf } from '../support/documents.ts';
import type { FormValues } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, dump, siteOn } from '../support/site.ts';

const files: Record<string, File> = {
  photo: new File([Uint8Array.from(png(40, 30))], 'photo'),
  document: new File([emptyPdf], 'document'),
};
const missing: Record<string, FormValues> = {
  link: { link: 'example.org/film' },
  video: { link: 'example.org/film' },
  quote: { text: '> Simple.' },
};

onOneDatabase((kind) => {
  test('every type is saved as a draft with a title alone, then filled in and published', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine) });
    const ada = await person(site, 'ada');
    /** Presses a button, without a file where one could be chosen, and returns where that leads. */
    const submit = async (path: string, button: string, values?: FormValues) => {
      const { action, body } = (await ada.open(path)).press(button, values);
      const { file, ...others } = body;
      const response = await (file === undefined
        ? ada.send(action || path, body)
        : ada.browser.upload(action || path, new File([], ''), others));
      return response.headers.get('Location') ?? '';
    };

    for (const type of projectContentTypes) {
      const draft = await submit(`/new/${type}/`, 'Save as draft', { title: `A ${type}` });
      const page = await ada.open(draft);
      expect([page.heading, page.hasLink(`${draft}edit/`)]).toEqual([`A ${type}`, true]);

      const file = files[type];
      if (file) {
        expect((await ada.open(`${draft}edit/`)).hasLink(`${draft}files/`)).toBe(true);
        expect((await ada.browser.upload(`${draft}files/`, file)).status).toBe(303);
      }
      const published = await submit(`${draft}edit/`, 'Publish', missing[type]);
      expect((await ada.open(published)).heading).toBe(`A ${type}`);
    }
    expect(
      await visitor(site).json(
        `/api/v1/projects/?ordering=id&fields=title,content_type,link&content_type__in=${projectContentTypes}`,
      ),
    ).toMatchObject({
      results: projectContentTypes.map((type) => ({
        title: `A ${type}`,
        content_type: type,
        link: type === 'link' || type === 'video' ? 'https://example.org/film' : null,
      })),
    });
  });
});
