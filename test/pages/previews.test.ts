// The images that other sites show of a link: of a project without a picture, of a contributor and of the home page.

import { expect, test } from 'bun:test';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';

const gallery = dump(
  adasLine,
  project(1, { title: 'Kite' }),
  project(2, { visibility: 'unlisted' }),
  project(3, { visibility: 'private' }),
  project(4, { status: 0 }),
);
const origin = 'http://gallery.example';
const adasPath = '/contributors/1-ada/';

const imageIn = (folder: string) =>
  expect.stringMatching(new RegExp(`^${RegExp.escape(origin + folder)}preview-[a-z0-9]+\\.png$`));

async function metadataOf(site: Site, path: string): Promise<Record<string, string>> {
  const html = await (await site.get(path)).text();
  const tags = html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g);
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
}

const imagePathOf = async (site: Site, path: string) =>
  ((await metadataOf(site, path))['og:image'] ?? '').replace(origin, '');

test('projects, contributors and the home page have an image', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const image = {
    'og:site_name': 'Vitrine',
    'og:image:width': '1200',
    'og:image:height': '630',
    'twitter:card': 'summary_large_image',
  };
  expect(await metadataOf(site, pathOf(1))).toEqual({
    ...image,
    'og:type': 'article',
    'og:title': 'Kite',
    'og:url': origin + pathOf(1),
    'og:image': imageIn(`/content/${uuidOf(1)}/`),
    'og:image:alt': '“Kite” by Ada Lovelace, as a poster',
  });
  expect(await metadataOf(site, adasPath)).toEqual({
    ...image,
    'og:type': 'profile',
    'og:title': 'Ada Lovelace',
    'og:url': origin + adasPath,
    'og:image': imageIn(adasPath),
    'og:image:alt': 'Ada Lovelace',
  });
  expect(await metadataOf(site, '/')).toEqual({
    ...image,
    'og:type': 'website',
    'og:title': 'Vitrine',
    'og:url': `${origin}/`,
    'og:image': imageIn('/'),
    'og:image:alt': 'Vitrine',
  });

  for (const path of [pathOf(1), adasPath, '/']) {
    const response = await site.get(await imagePathOf(site, path));
    const size = await new Bun.Image(await response.clone().bytes()).metadata();
    expect([response.status, response.headers.get('Content-Type'), size]).toEqual([
      200,
      'image/png',
      expect.objectContaining({ width: 1200, height: 630 }),
    ]);
  }
});

test('caches keep an image for five minutes and then ask again', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const path = await imagePathOf(site, pathOf(1));
  const { headers } = await site.get(path);

  expect(headers.get('Cache-Control')).toBe('public, max-age=300, must-revalidate');
  const again = await site.get(path, { 'If-None-Match': headers.get('ETag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('a new title has a new image, and the address of the old one leads to it', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const before = await imagePathOf(site, pathOf(1));
  await ada.patch('/api/v1/projects/1/', { title: 'Glider' });

  const after = await imagePathOf(site, `/content/${uuidOf(1)}/glider/`);
  expect(after).not.toBe(before);
  const old = await site.get(before);
  expect([old.status, old.headers.get('Location')]).toEqual([301, origin + after]);
});

test('nobody gets an image of a project that visitors do not find in lists', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  for (const id of [2, 3, 4]) {
    const path = `/content/${uuidOf(id)}/preview-abc.png`;
    expect([(await site.get(path)).status, (await ada.browser.get(path)).status]).toEqual([404, 404]);
    expect(await (await ada.browser.get(pathOf(id))).text()).not.toContain('og:image');
  }
  for (const path of ['/content/nobody/preview-abc.png', '/contributors/9-bob/preview-abc.png'])
    expect((await site.get(path)).status).toBe(404);
  expect((await visitor(site).send('/preview-abc.png', {})).status).toBe(405);
});

test('letters that the fonts lack are not drawn, and neither are emoji', async () => {
  const drawn = async (text: string) => {
    const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: text })) });
    const image = await site.get(await imagePathOf(site, pathOf(1)));
    return Bun.hash(await image.arrayBuffer());
  };

  expect(await drawn('植物に水をやる')).toBe(await drawn('🤖🌻'));
  expect(await drawn('Robot 🤖 in the garden 🌻!')).toBe(await drawn('Robot in the garden'));
  expect(await drawn('Robot in the garden 世界')).toBe(await drawn('Robot in the garden'));
  expect(await drawn('Робот и цветы')).not.toBe(await drawn('روبوت'));
});
