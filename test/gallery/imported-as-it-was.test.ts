// Data of an old site is imported as it was: the rules are for writing.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkGallery } from '../../src/gallery/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contentOf, dump, exportAll, project, siteOn } from '../support/site.ts';

const odd = {
  title: '\ufeff The\u0007 lamp\n\t ',
  tags: [
    'Lamp',
    'LAMP',
    ' lamp ',
    'x'.repeat(200),
    ...Array.from({ length: 21 }, (_, index) => `tag ${index}`),
  ],
  text: 'Long. '.repeat(20_000),
};
const edges = fc.constantFrom('\ufeff', ' ', '\u0007', '\t\n', '\u2028', '\u200f', 'İ', '👩‍🚀', '"\\', '');
const wildText = (maxLength: number) =>
  fc
    .tuple(edges, fc.string({ unit: 'binary', maxLength }), edges)
    .map((parts) => parts.join('').replaceAll('\0', ''));
const wildTag = wildText(60)
  .map((tag) => tag.replaceAll(',', ''))
  .filter((tag) => tag.trim() !== '');
const wildProject = fc.record({
  title: wildText(300),
  text: wildText(500),
  tags: fc.array(wildTag, { maxLength: 30 }).map((tags) => [...tags, ...tags.slice(0, 2)]),
});

onBothDatabases((kind) => {
  test('wild titles, tags and texts are exported as they were imported, and the gallery is sound', async () => {
    const lines = fc
      .sample(wildProject, { numRuns: 300, seed: 37 })
      .map((members, index) => project(index + 1, members));
    const text = dump(adasLine, ...lines, project(400, odd));

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
