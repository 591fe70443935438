// Data of an old site is imported as it was: the rules are for writing.

import { expect, test } from 'bun:test';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contentOf, dump, exportAll, project, siteOn } from '../support/site.ts';
import { odd, wildProjects } from '../support/wild-projects.ts';

onBothDatabases((kind) => {
  test('wild titles, tags and texts are exported as they were imported, and the gallery is sound', async () => {
    const text = dump(adasLine, ...wildProjects(300), project(400, odd));

    const site = await siteOn(kind, { dump: text });
    expect(contentOf(await exportAll(site))).toBe(text);
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await site.json('/api/v1/projects/400/')).toMatchObject({
      title: odd.title,
      tags: odd.tags.join(', '),
      text: odd.text,
    });
    expect(await site.json('/api/v1/projects/?tags=lamp')).toMatchObject({ count: 1 });
    expect(await site.json('/api/v1/tags/?search=LAMP')).toMatchObject({
      results: [{ name: 'Lamp', count: 1 }],
    });
    expect((await site.get('/content/uuid000000000000000400/a-project/')).status).toBe(200);
    expect((await site.get('/feed.atom/')).status).toBe(200);
  });

  test('what was imported can be sent back, and what is written anew follows the rules', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1, odd)) });
    const ada = await person(site, 'ada');
    const path = '/api/v1/projects/1/';
    const record = await ada.json<Record<string, unknown>>(path);

    const same = await ada.put(path, record);
    expect([same.status, await same.json()]).toEqual([200, record]);
    expect((await ada.patch(path, { tags: odd.tags, visibility: 'unlisted' })).status).toBe(200);
    const wrong = await ada.put(path, {
      title: `${odd.title}!`,
      tags: odd.tags.slice(1),
      text: `${odd.text}${'!'.repeat(1000)}`,
    });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      {
        title: ['Control characters are not allowed.'],
        text: ['Ensure this field has no more than 100000 characters.'],
        tags: ['Ensure a tag has no more than 50 characters.'],
      },
    ]);

    const editPath = '/content/uuid000000000000000001/a-project/edit/';
    expect((await ada.submit(editPath, 'Save', { title: 'A lamp' })).status).toBe(303);
    const { title, tags, text } = await ada.json<Record<string, unknown>>(path);
    expect([title, tags, text]).toEqual(['A lamp', record.tags, record.text]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
