// Every type of project is made by its own page, in a browser with scripts. Pages are the same on both databases, so one
// is enough.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { projectContentTypes } from '../../src/gallery/content-types.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { emptyPdf } from '../support/documents.ts';
import { person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, dump, siteOn } from '../support/site.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

test('every type is saved as a draft with a title alone, then filled in and published', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine) });
  const page = await (await openWindow(browser, await person(site, 'ada'))).newPage();
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  for (const type of projectContentTypes) {
    await page.goto(`/new/${type}/`);
    await page.locator('[name=title]').fill(`A ${type}`);
    await button('Save as draft').click();
    await page.getByRole('heading', { level: 1, name: `A ${type}` }).waitFor();

    if (type === 'photo' || type === 'document') {
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByRole('link', { name: 'Files', exact: true }).click();
      const file = { photo: png(40, 30), document: Buffer.from(emptyPdf) }[type];
      await page.locator('[type=file]').setInputFiles({ name: type, mimeType: '', buffer: file });
      await button('Add files').click();
      await page.locator('.own-files').waitFor();
      await page.getByRole('link', { name: 'Back to the project', exact: true }).click();
    }
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    if (type === 'link' || type === 'video') await page.locator('[name=link]').fill('example.org/film');
    if (type === 'quote') await page.locator('[name=text]').fill('> Simple.');
    await button('Publish').click();
    // A picture without a description is asked about.
    if (type === 'photo') {
      await page.getByRole('heading', { level: 1, name: 'What is in the picture?' }).waitFor();
      await button('Publish').click();
    }
    await page.getByRole('heading', { level: 1, name: `A ${type}` }).waitFor();
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
