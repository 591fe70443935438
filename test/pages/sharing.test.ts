// After publishing, and how a project is shared: its link, a QR code of it, and the code that embeds it.

import { expect, test } from 'bun:test';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, siteOn, uuidOf } from '../support/site.ts';

const gallery = dump(
  adasLine,
  project(1, { title: 'Kite', status: 0 }),
  project(2, { visibility: 'private' }),
  project(3, { visibility: 'unlisted' }),
);

test('publishing a draft congratulates its author, and nobody else', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');

  const published = await ada.send(`${pathOf(1)}status/`, { status: '1' });
  expect(published.headers.get('Location')).toBe(`${pathOf(1)}?published`);
  const page = await ada.open(`${pathOf(1)}?published`);
  expect(page.textsOf('.published-notice [role=status]')).toEqual([
    'It’s on the shelf! Everyone can see your project now. Who would you like to show it to?',
  ]);
  expect((await visitor(site).open(`${pathOf(1)}?published`)).textsOf('.published-notice')).toEqual([]);

  const again = await ada.send(`${pathOf(1)}status/`, { status: '2' });
  expect(again.headers.get('Location')).toBe(pathOf(1));
  expect((await ada.open(`${pathOf(1)}?published`)).textsOf('.published-notice')).toEqual([]);
});

test('a private project has no link to share, an unlisted one no code that embeds it', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const labelsOn = async (id: number) => (await ada.open(pathOf(id))).textsOf('.share label');

  expect(await labelsOn(2)).toEqual([]);
  expect(await labelsOn(3)).toEqual(['Link']);
});

test('the QR code is a picture of the link without the title', async () => {
  const site = await siteOn('SQLite', { dump: gallery });

  const response = await visitor(site).get(`/content/${uuidOf(1)}/qr.svg`);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
  const svg = await response.text();
  // The upper edge of the square in the corner: seven dark fields behind the empty border.
  expect(svg).toContain('M4 4h7v1H4z');
  expect(await (await visitor(site).get(`/content/${uuidOf(3)}/qr.svg`)).text()).not.toBe(svg);

  for (const name of ['a-b', 'x'.repeat(41)])
    expect((await visitor(site).get(`/content/${name}/qr.svg`)).status).toBe(404);
});

test('a draft has a button that publishes it, and nothing that only published projects need', async () => {
  const site = await siteOn('SQLite', {
    dump: dump(
      adasLine,
      project(1, { title: 'Kite', status: 0, content_type: 'photo' }),
      project(2, { status: 3 }),
    ),
  });
  const ada = await person(site, 'ada');

  const page = await ada.open(pathOf(1));
  expect(page.textsOf('.facts, .share, .comments, .rating')).toEqual([]);
  expect(page.textsOf('.actions :is(a.button, button)')).toEqual(['Edit', 'Publish']);
  const publication = await readPage(await ada.submit(pathOf(1), 'Publish'));
  expect(publication.errors).toEqual([
    'A photo needs a picture: JPEG, PNG, GIF or WebP. Add one, or save a draft.',
  ]);
  const form = await ada.open(`${pathOf(1)}edit/`);
  expect(form.textsOf('.notice')[0]).toBe(
    'The file is still missing. Add it under Files , then publish here.',
  );
  expect(form.hasLink(`${pathOf(1)}files/`)).toBe(true);

  const removed = await ada.open(pathOf(2));
  expect(removed.textsOf('.share, .comments')).toEqual([]);
});

test('a photo needs a picture, and all that is missing is said at once', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const publish = async (file: File, title: string) =>
    (
      await readPage(
        await ada.browser.upload('/new/photo/', file, { title, visibility: 'public', status: '1' }),
      )
    ).errors;
  const needsPicture = 'A photo needs a picture: JPEG, PNG, GIF or WebP. Add one, or save a draft.';

  expect(await publish(new File(['Only words.'], 'notes.txt'), 'Sea')).toEqual([
    `Photo: ${needsPicture} Please choose the files again.`,
  ]);
  expect(await publish(new File([], ''), '')).toHaveLength(2);
});
