// Files on the pages: pictures and videos are shown, other files are links.

import { expect, test } from 'bun:test';
import { openBrowser, openWindow } from '../support/browser.ts';
import { emptyPdf } from '../support/documents.ts';
import { serveDemo } from '../support/every-page.ts';
import type { Page } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, mp4 } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';
import { learnOfChanges } from '../support/waiting.ts';

const gallery = dump(
  adasLine,
  project(1, { title: 'A kite', content_type: 'photo' }),
  project(2, { visibility: 'unlisted' }),
);
const path = pathOf(1);

async function siteWithFiles(): Promise<{ site: Site; ada: Person }> {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  for (const id of [1, 2]) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(mp4())]), 'flight.mp4');
    form.append('file', new Blob([emptyPdf]), 'Plan & "notes".pdf');
    form.append('file', new Blob([new Uint8Array(await jpeg(1400, 700))]), 'kite.jpg');
    form.append('file', new Blob([new Uint8Array(await jpeg(300, 200))]), 'small.jpg');
    for (const alt of ['', '', 'A "red" kite', '']) form.append('alt', alt);
    await ada.post(`/api/v1/projects/${id}/media/`, form);
  }
  return { site, ada };
}

/** The attributes of all elements that match, without the hashes of files. */
const attributesOf = (page: Page, selector: string) =>
  page.document
    .querySelectorAll(selector)
    .map(({ attributes }) =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          value.replace(/\/media\/[0-9a-f]{64}/g, '/media/…'),
        ]),
      ),
    );

test('a project’s page shows pictures and videos, and links to other files', async () => {
  const { site } = await siteWithFiles();

  const page = await visitor(site).open(path);
  expect(attributesOf(page, 'video')).toEqual([
    { controls: '', preload: 'metadata', src: '/media/….mp4', 'aria-label': 'flight.mp4' },
  ]);
  expect(attributesOf(page, '.pictures img')).toEqual([
    {
      src: '/media/….webp',
      srcset: '/media/….webp 320w, /media/….webp 640w, /media/….webp 1280w, /media/….webp 1400w',
      sizes: '(min-width: 62rem) 70rem, 92vw',
      width: '1400',
      height: '700',
      alt: 'A "red" kite',
      decoding: 'async',
    },
    { src: '/media/….webp', width: '300', height: '200', alt: '', loading: 'lazy', decoding: 'async' },
  ]);
  expect(page.textsOf('bdi')).toContain('Plan & notes.pdf');
  expect(page.text).toContain('Plan & notes.pdf PDF, 293 bytes');
  expect(attributesOf(page, 'meta[property^="og:image"]')).toEqual([
    { property: 'og:image', content: 'http://gallery.example/media/….webp' },
    { property: 'og:image:width', content: '1280' },
    { property: 'og:image:height', content: '640' },
    { property: 'og:image:alt', content: 'A "red" kite' },
  ]);
});

test('captions belong to the video or sound whose name they have, and browsers read them', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const form = new FormData();
  const words = 'WEBVTT\n\n00:00.000 --> 00:01.000\nIt flies! طار!\n';
  form.append('file', new Blob([new Uint8Array(mp4())]), 'flight.mp4');
  form.append('file', new Blob([words]), 'flight.ar.vtt');
  form.append('file', new Blob([`\uFEFF${words}`]), 'words.vtt');
  form.append('file', new Blob(['WEBVTTOO']), 'none.vtt');
  const response = await ada.post('/api/v1/projects/1/media/', form);
  const media = (await response.json()) as { type: string; name: string }[];
  expect(media.map(({ type, name }) => [type, name])).toEqual([
    ['video/mp4', 'flight.mp4'],
    ['text/vtt', 'flight.ar.vtt'],
    ['text/vtt', 'words.vtt'],
    ['text/plain', 'none.vtt.txt'],
  ]);
  const track = { kind: 'captions', src: '/media/….vtt' };
  const arabic = { ...track, srclang: 'ar', label: 'Arabic' };
  const one = await visitor(site).open(path);
  expect(attributesOf(one, 'video > track')).toEqual([arabic, { ...track, label: 'Captions' }]);
  expect(one.textsOf('.files bdi')).toEqual(['none.vtt.txt']);

  const second = new FormData();
  second.append('file', new Blob([new Uint8Array(mp4())]), 'landing.mp4');
  await ada.post('/api/v1/projects/1/media/', second);
  const two = await visitor(site).open(path);
  expect(attributesOf(two, 'video > track')).toEqual([arabic]);
  expect(two.textsOf('.files bdi')).toEqual(['none.vtt.txt', 'words.vtt']);

  const page = await (await openWindow(await openBrowser(), visitor(site))).newPage();
  await page.goto(path);
  const read = page.locator('track').evaluate(
    (element: HTMLTrackElement) =>
      new Promise((resolve) => {
        element.onload = () => resolve([...(element.track.cues ?? [])].map((cue) => (cue as VTTCue).text));
        element.onerror = () => resolve('not read');
        element.track.mode = 'showing';
      }),
  );
  expect(await read).toEqual(['It flies! طار!']);
});

test('a remix shows a new picture beside that of its source, if the viewer may see the source', async () => {
  const { site, ada } = await siteWithFiles();
  const remix = await (await ada.post('/api/v1/projects/1/copy/', {})).json();
  await ada.patch(`/api/v1/projects/${remix.id}/`, { status: 1, visibility: 'public' });
  const remixPath = new URL(remix.html_url).pathname;
  const readAlts = async (viewer: Person) =>
    (await viewer.open(remixPath)).attributesOf('.compared img', 'alt');
  const add = async (alt: string, width: number) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await jpeg(width, 90))]), `${alt}.jpg`);
    form.append('alt', alt);
    expect((await ada.post(`/api/v1/projects/${remix.id}/media/`, form)).status).toBe(201);
  };
  expect(await readAlts(ada)).toEqual([]);

  await add('A green kite', 80);
  expect(await readAlts(ada)).toEqual(['A "red" kite', 'A green kite']);
  const page = await ada.open(remixPath);
  expect(page.textsOf('.compared figcaption')).toEqual(['A kite', 'This remix']);

  // The copy of the red kite stays, and that of the small picture is replaced.
  await ada.delete(`/api/v1/projects/${remix.id}/media/4/`);
  await ada.patch('/api/v1/projects/1/media/4/', { alt: 'Small' });
  await learnOfChanges(site);
  expect(await readAlts(visitor(site))).toEqual(['Small', 'A green kite']);

  await ada.patch('/api/v1/projects/1/', { visibility: 'private' });
  await learnOfChanges(site);
  expect(await readAlts(visitor(site))).toEqual([]);
  expect(await readAlts(ada)).toEqual(['Small', 'A green kite']);
});

test('cards show the first picture in a small size, and declare its width and height', async () => {
  const { site } = await siteWithFiles();

  expect(attributesOf(await visitor(site).open('/'), 'img')).toEqual([
    {
      src: '/media/….webp',
      srcset: '/media/….webp 320w, /media/….webp 640w',
      sizes: '(min-width: 48rem) 20rem, 92vw',
      width: '640',
      height: '320',
      alt: 'A "red" kite',
      decoding: 'async',
    },
  ]);

  const card = await visitor(site).open(`/content/${uuidOf(1)}/embed/`);
  expect(attributesOf(card, 'img')).toHaveLength(1);

  const policy = (await visitor(site).get('/')).headers.get('Content-Security-Policy');
  expect(policy).toContain("img-src 'self'; media-src 'self'");
});

test('the pictures below the first row of a list are loaded when they come near', async () => {
  const { people } = await serveDemo('SQLite');
  const list = await people.visitor.open('/?content_type=photo');
  expect(list.attributesOf('.cover img', 'src')).toHaveLength(5);
  expect(list.attributesOf('.card:nth-child(-n + 4) .cover img', 'loading')).toEqual([]);
  expect(list.attributesOf('.card:nth-child(n + 5) .cover img', 'loading')).toEqual(['lazy']);
});

test('a cached page is not shown when a file has changed', async () => {
  const { site, ada } = await siteWithFiles();
  const altsAt = async (address: string) =>
    (await visitor(site).open(address)).attributesOf('.pictures img, .cover img', 'alt');
  expect(await altsAt(path)).toEqual(['A "red" kite', '']);

  await ada.patch('/api/v1/projects/1/media/3/', { alt: 'A blue kite' });
  await learnOfChanges(site);
  expect(await altsAt(path)).toEqual(['A blue kite', '']);
  expect(await altsAt('/')).toEqual(['A blue kite']);
});

test('a linked video plays in the player of a host that the operator allows, after a click', async () => {
  const links = {
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=4':
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://youtu.be/dQw4w9WgXcQ': 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ':
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://vimeo.com/76979871': 'https://player.vimeo.com/video/76979871?autoplay=1',
    'https://tube.example/w/8a2-b': 'https://tube.example/videos/embed/8a2-b?autoplay=1',
    'https://www.youtube.com/watch?v=short': undefined,
    'https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ': undefined,
    'https://other.example/w/8a2-b': undefined,
    'https://vimeo.com/channels/staffpicks': undefined,
  };
  const videos = Object.keys(links).map((link, index) => project(index + 1, { content_type: 'video', link }));
  const hosts = 'www.youtube-nocookie.com,player.vimeo.com,tube.example';
  const site = await siteOn('SQLite', {
    dump: dump(adasLine, ...videos, project(20, { link: 'https://vimeo.com/76979871' })),
    environment: { VITRINE_PLAYER_HOSTS: hosts },
  });

  for (const [index, player] of [...Object.values(links), undefined].entries()) {
    const id = index < videos.length ? index + 1 : 20;
    const page = await visitor(site).open(pathOf(id));
    expect([id, ...page.attributesOf('a[data-player]', 'data-player')]).toEqual([
      id,
      ...(player ? [player] : []),
    ]);
    const policy = (await visitor(site).get(pathOf(id))).headers.get('Content-Security-Policy');
    const [, framed] = /; frame-src (.*)$/.exec(policy ?? '') ?? [];
    expect([id, framed]).toEqual([id, player && new URL(player).origin]);
  }

  const off = await siteOn('SQLite', {
    dump: dump(adasLine, ...videos),
    environment: { VITRINE_PLAYER_HOSTS: 'off' },
  });
  const elsewhere = await visitor(off).open(pathOf(1));
  expect(elsewhere.attributesOf('a[data-player]', 'href')).toEqual([]);
  // The same lit screen as in lists leads there.
  expect(elsewhere.attributesOf('.video-player a', 'href')).toEqual([Object.keys(links)[0] as string]);
  expect(elsewhere.textsOf('.video-player figcaption')).toEqual(['It plays at youtube.com.']);
});
