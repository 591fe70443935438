import { expect, test } from 'bun:test';
import { jpeg, mp4 } from '../support/pictures.ts';
import { ada, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  project(1, { title: 'A kite', content_type: 'photo' }),
  project(2, { visibility: 'unlisted' }),
);

async function galleryWithFiles(): Promise<Site> {
  const site = await siteOn('SQLite', { dump: gallery });
  for (const id of [1, 2]) {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(mp4())]), 'flight.mp4');
    body.append('file', new Blob(['%PDF-1.7 <b>']), 'Plan & "notes".pdf');
    body.append('file', new Blob([new Uint8Array(await jpeg(1400, 700))]), 'kite.jpg');
    body.append('file', new Blob([new Uint8Array(await jpeg(300, 200))]), 'small.jpg');
    for (const alt of ['', '', 'A "red" kite', '']) body.append('alt', alt);
    const headers = await site.key('ada');
    await site.request(`/api/v1/projects/${id}/media/`, { method: 'POST', headers, body });
  }
  return site;
}

const pageOf = async (site: Site, path: string) => (await site.get(path)).text();
const attributes = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([tag]) => tag.replace(/\/media\/[0-9a-f]{64}/g, '/media/…'));

test('a project’s page shows pictures and videos, and gives the rest to be taken away', async () => {
  const site = await galleryWithFiles();
  const html = await pageOf(site, '/content/uuid000000000000000001/a-thing/');

  expect(attributes(html, /<(img|video) [^>]*>/g)).toEqual([
    '<video controls="" preload="metadata" src="/media/….mp4" aria-label="flight.mp4">',
    '<img src="/media/….webp" srcset="/media/….webp 320w, /media/….webp 640w, /media/….webp 1280w, /media/….webp 1400w" sizes="(min-width: 48rem) 44rem, 92vw" width="1400" height="700" alt="A &quot;red&quot; kite" loading="lazy" decoding="async"/>',
    '<img src="/media/….webp" width="300" height="200" alt="" loading="lazy" decoding="async"/>',
  ]);
  expect(html).toContain(
    '<bdi>Plan & notes.pdf</bdi></a> <small>PDF, 12 bytes</small>'.replace('&', '&amp;'),
  );
  expect(attributes(html, /<meta property="og:image[^>]*>/g)).toEqual([
    '<meta property="og:image" content="http://gallery.example/media/….webp"/>',
    '<meta property="og:image:width" content="1280"/>',
    '<meta property="og:image:height" content="640"/>',
    '<meta property="og:image:alt" content="A &quot;red&quot; kite"/>',
  ]);
});

test('cards show the first picture, small and late, with its place kept', async () => {
  const site = await galleryWithFiles();
  const [home, card] = [
    await pageOf(site, '/'),
    await pageOf(site, '/content/uuid000000000000000001/embed/'),
  ];
  const policy = (await site.get('/')).headers.get('Content-Security-Policy');

  expect(attributes(home, /<img [^>]*>/g)).toEqual([
    '<img src="/media/….webp" srcset="/media/….webp 320w, /media/….webp 640w" sizes="(min-width: 48rem) 20rem, 92vw" width="640" height="320" alt="A &quot;red&quot; kite" loading="lazy" decoding="async"/>',
  ]);
  expect(attributes(card, /<img [^>]*>/g)).toHaveLength(1);
  expect(policy).toContain("img-src 'self'; media-src 'self'");
});

test('a cached page is not shown when a file has changed', async () => {
  const site = await galleryWithFiles();
  const path = '/content/uuid000000000000000001/a-thing/';
  const before = await pageOf(site, path);
  const headers = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ alt: 'A blue kite' });
  await site.request('/api/v1/projects/1/media/3/', { method: 'PATCH', headers, body });
  await Bun.sleep(site.database.maxStalenessMs);
  const [after, home] = [await pageOf(site, path), await pageOf(site, '/')];

  expect([
    before.includes('A blue kite'),
    after.includes('A blue kite'),
    home.includes('A blue kite'),
  ]).toEqual([...[false, true, true]]);
});
