// The avatars of people: uploading, showing and removing them.

import { expect, test } from 'bun:test';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { Glob } from 'bun';
import { csrfTokenField } from '#rest/parsers.ts';
import { findContributorsWithMissingAvatar } from '../../src/core/contributors/avatar.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  animatedWebp,
  cmykJpeg,
  emptyProfile,
  jpeg,
  locationInXmp,
  photographer,
  png,
  pngWithHeader,
  withColorProfile,
  withMetadata,
} from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, exportAll, pathOf, project, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'Kite' }),
  project(2, { contributor: 2, content_type: 'comment', parent: 1, text: 'Nice.' }),
);
const [formPath, uploadPath] = ['/account/profile/', '/account/profile/avatar/'];
const adasPage = '/contributors/1-ada/';
const addressPattern = /^\/media\/[0-9a-f]{64}\.webp$/;

/** The square in the middle is red, the rest is blue. A phone that was turned took it. */
const striped = (x: number) => (x >= 300 && x < 600 ? ([250, 0, 0] as const) : ([0, 0, 250] as const));
const photo = async () =>
  new File([new Uint8Array(withMetadata(await jpeg(900, 300, striped), 6))], 'me.jpg');

const upload = (sender: Person, file: File) => sender.browser.upload(uploadPath, file);

/** The addresses of the pictures beside names, below this selector. */
const avatarsOn = async (viewer: Person, path: string, selector = 'body') =>
  (await viewer.open(path)).attributesOf(`${selector} img.avatar`, 'src');

/** Red, green and blue of the whole picture on average. */
async function averageColor(picture: Uint8Array): Promise<number[]> {
  const pixel = await new Bun.Image(picture)
    .resize(1, 1, { filter: 'box' })
    .png({ compressionLevel: 0 })
    .buffer();
  const at = pixel.indexOf('IDAT');
  return [...inflateSync(pixel.subarray(at + 4, at + 4 + pixel.readUInt32BE(at - 4))).subarray(1, 4)];
}

const usageOf = async (ada: Person) =>
  (await ada.json<{ usage: { file_bytes: { used: number } } }>('/api/v1/me/')).usage.file_bytes.used;

const hashesOn = async (viewer: Person, path: string) =>
  (await avatarsOn(viewer, path)).map((address) => address.slice('/media/'.length, -'.webp'.length));

onBothDatabases((kind) => {
  test('an avatar stands beside the name everywhere, and is gone after its removal', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, anyone] = [await person(site, 'ada'), await person(site, 'bob'), visitor(site)];
    const records = [
      '/api/v1/projects/1/',
      '/api/v1/contributors/1/',
      '/api/v1/projects/',
      '/api/v1/changes/',
    ];
    const readRecords = () => Promise.all(records.map((path) => ada.json(path)));
    const before = await readRecords();
    const oldPage = await site.get(pathOf(1));

    const uploaded = await upload(ada, await photo());
    expect([uploaded.status, uploaded.headers.get('Location')]).toEqual([303, `${formPath}?saved`]);
    await upload(bob, new File([new Uint8Array(png(80, 90))], 'me.png'));

    const [small = ''] = await avatarsOn(anyone, '/', '.card');
    const [large = ''] = await avatarsOn(anyone, adasPage, 'h1');
    const [bobs = ''] = await avatarsOn(anyone, pathOf(1), '.comment');
    expect([small, large, bobs]).toEqual(Array(3).fill(expect.stringMatching(addressPattern)));
    expect(await avatarsOn(anyone, pathOf(1), '.byline')).toEqual([small, bobs]);
    expect(await avatarsOn(ada, '/', '.user-nav')).toEqual([small]);
    expect(await avatarsOn(ada, formPath, 'main')).toEqual([large]);
    expect(new Set([small, large, bobs]).size).toBe(3);

    const changed = await site.get(pathOf(1), { 'If-None-Match': oldPage.headers.get('ETag') ?? '' });
    expect(changed.status).toBe(200);
    expect(await readRecords()).toEqual(before);

    for (const [address, side] of [
      [small, 64],
      [large, 256],
      [bobs, 64],
    ] as const) {
      const response = await site.get(address);
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([
        200,
        expect.objectContaining({
          'content-type': 'image/webp',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=300, must-revalidate',
        }),
      ]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await new Bun.Image(bytes).metadata()).toEqual({ width: side, height: side, format: 'webp' });
      expect([photographer, locationInXmp].filter((text) => bytes.includes(text))).toEqual([]);
      if (address === large) {
        const [red = 0, , blue = 0] = await averageColor(bytes);
        expect([red > 200, blue < 40]).toEqual([true, true]);
      }
    }

    const removed = await ada.submit(formPath, 'Remove your avatar');
    expect(removed.status).toBe(303);
    expect([(await site.get(small)).status, (await site.get(large)).status]).toEqual([404, 404]);
    expect(await avatarsOn(anyone, '/')).toEqual([]);
    expect(await avatarsOn(anyone, adasPage)).toEqual([]);
    expect((await ada.open(formPath)).hasButton('Remove your avatar')).toBe(false);
    expect((await site.get(bobs)).status).toBe(200);
  });

  test('it counts in the quota, is replaced and removed with its bytes, and leaves with the account', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_FILE_QUOTA: '1' } });
    const ada = await person(site, 'ada');
    const sumSizes = async (hashes: string[]) => {
      const sizes = await Promise.all(hashes.map((hash) => site.files.size(hash)));
      return sizes.reduce<number>((total, size = 0) => total + size, 0);
    };
    const sweepAfterTwoDays = async () => {
      const time = new Date(Date.now() - 48 * 3600_000);
      const names = new Glob('**/*').scanSync(site.folder);
      for (const name of names) utimesSync(join(site.folder, name), time, time);
      await sweep(site.database, site.files);
    };
    const currentHashes = async () => [
      ...new Set([...(await hashesOn(ada, '/')), ...(await hashesOn(ada, formPath))]),
    ];

    await Promise.all([
      upload(ada, await photo()),
      upload(ada, new File([new Uint8Array(png(300, 300))], 'b.png')),
    ]);
    await upload(ada, await photo());
    const hashes = await currentHashes();
    expect([hashes.length, await usageOf(ada)]).toEqual([2, await sumSizes(hashes)]);
    expect(await checkGallery(site.database, false)).toEqual([]);
    await sweepAfterTwoDays();
    expect([...new Glob('**/*').scanSync(site.folder)].length).toBe(2);
    expect(await findContributorsWithMissingAvatar(site.database, site.files)).toEqual([]);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(1024 * 1024 - 5000).fill(65)]), 'a.txt');
    await ada.post('/api/v1/projects/1/media/', form);
    const noise = png(512, 512, (x, y) => [
      (x * 7919 + y * 104729) & 255,
      (x * y * 31) & 255,
      (x * x + y) & 255,
    ]);
    expect((await upload(ada, new File([new Uint8Array(noise)], 'noise.png'))).status).toBe(403);
    expect(await currentHashes()).toEqual(hashes);

    await ada.send('/account/leave/', { items: 'keep' });
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect((await site.get(`/media/${hashes[0]}.webp`)).status).toBe(404);
    expect(await avatarsOn(visitor(site), '/')).toEqual([]);
  });

  test('a moderator removes it, and the log says so', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob', { role: 'moderator' });
    await upload(ada, await photo());

    expect((await ada.send('/moderation/people/avatar/', { contributor: '2' })).status).toBe(403);
    const adaAmongPeople = '/moderation/people/?username=ada';
    const [shown = ''] = await avatarsOn(bob, adaAmongPeople, 'main');
    const removed = await bob.submit(adaAmongPeople, 'Remove the avatar', { reason: 'Somebody else.' });
    expect([removed.status, removed.headers.get('Location')]).toEqual([303, adaAmongPeople]);

    expect([(await site.get(shown)).status, await avatarsOn(visitor(site), '/')]).toEqual([404, []]);
    const log = await (await bob.browser.get('/moderation/log/')).text();
    expect(log).toContain('<b>removed something from the profile of</b>');
    expect(log).toContain('Somebody else.');
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('dumps and the download of one’s own data have it with its bytes', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, await photo());
    const exported = await exportAll(site);
    const avatarLines = (text: string) =>
      text.split('\n').filter((line) => /^\{"type":"(avatar|bytes)"/.test(line));
    expect(avatarLines(exported).map((line) => JSON.parse(line).type)).toEqual(['avatar', 'bytes', 'bytes']);
    expect(avatarLines(await (await ada.get('/api/v1/me/dump/?format=ndjson')).text())).toEqual(
      avatarLines(exported),
    );

    const other = await siteOn(kind, { dump: exported });
    expect(await exportAll(other)).toBe(exported);
    const [address = ''] = await avatarsOn(visitor(other), '/');
    expect((await other.get(address)).status).toBe(200);
    expect(await checkGallery(other.database, false)).toEqual([]);

    const [line = ''] = avatarLines(exported);
    expect(await refusalOf(siteOn(kind, { dump: dump(adasLine, line) }))).toContain('have not come');
    expect(await refusalOf(siteOn(kind, { dump: dump(line) }))).toContain(
      'contributor: there is no contributor 1.',
    );
    rmSync(other.folder, { recursive: true });
    expect(await findContributorsWithMissingAvatar(other.database, other.files)).toEqual([1]);
  });
});

const notPicture = 'Choose a JPEG, PNG, GIF or WebP picture.';
const broken = 'This picture is broken or cut off.';
const heicSentence =
  'HEIC and AVIF pictures cannot be read here. Send the picture as JPEG. On an iPhone, choose “Most Compatible” in Settings, Camera, Formats; on other devices, save or export it as JPEG.';
const wide = 'Send a picture that is at most 4 times as long as wide.';

test('what is no picture, or too large to decode, is refused in words', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(12)]);
  const cases: [name: string, content: string | Buffer, error: string][] = [
    ['empty.png', '', 'The submitted file is empty.'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', notPicture],
    ['page.png', '<!doctype html><script>alert(1)</script>', notPicture],
    ['paper.pdf', '%PDF-1.7', notPicture],
    ['noise.png', Buffer.from([0, 1, 2, 3, 255]), notPicture],
    ['photo.heic', heic, heicSentence],
    ['cut.png', png(200, 200).subarray(0, 300), broken],
    ['animated.webp', await animatedWebp(), broken],
    ['bomb.png', pngWithHeader(30_000, 30_000, Buffer.alloc(8)), 'Send a picture of at most 50 megapixels.'],
    [
      'line.png',
      pngWithHeader(1, 20_000, deflateSync(Buffer.alloc(80_000))),
      'Send a picture of at least 64 pixels on each side.',
    ],
    ['moderatorLinks.png', png(64, 257), wide],
    ['icon.png', png(63, 63), 'Send a picture of at least 64 pixels on each side.'],
  ];

  for (const [name, content, error] of cases) {
    const response = await upload(ada, new File([new Uint8Array(Buffer.from(content))], name));
    const page = await readPage(response);
    expect([name, response.status, page.textsOf('.field-error')]).toEqual([name, 400, [error]]);
    expect(page.fields.about).toBe('');
  }
  const none = await ada.browser.send(uploadPath, {});
  expect((await readPage(none)).errors).toEqual(['Choose a picture: Please fill this in.']);
  expect(await avatarsOn(ada, '/')).toEqual([]);

  for (const picture of [cmykJpeg(64), withColorProfile(png(64, 256), emptyProfile(900_000))]) {
    expect((await upload(ada, new File([new Uint8Array(picture)], 'photo'))).status).toBe(303);
    const [address = ''] = await avatarsOn(ada, '/');
    // A large colour profile does not come along.
    expect((await (await site.get(address)).arrayBuffer()).byteLength).toBeLessThan(4000);
  }
});

test('nobody changes the avatar of somebody else', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
  await upload(ada, await photo());
  const [adas] = await avatarsOn(visitor(site), '/');

  expect((await bob.send(`${uploadPath}remove/`, { contributor: '1' })).status).toBe(303);
  const forged = { [csrfTokenField]: 'x'.repeat(64) };
  expect((await ada.browser.upload(uploadPath, await photo(), forged)).status).toBe(403);
  expect((await ada.send(`${uploadPath}remove/`, forged)).status).toBe(403);
  const foreign = { Origin: 'http://evil.example' };
  expect((await ada.send(`${uploadPath}remove/`, {}, foreign)).status).toBe(403);
  const signIn = await upload(visitor(site), await photo());
  expect([signIn.status, signIn.headers.get('Location')?.split('?')[0]]).toEqual([303, '/sign-in/']);
  expect(await avatarsOn(visitor(site), '/')).toEqual([adas as string]);
});

test('in a browser, a dropped picture takes the place of the chosen one, and is shown in a circle', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const window = await openWindow(await openBrowser(), await person(site, 'ada'));
  const page = await window.newPage();
  await page.goto(formPath);
  const chooseFile = page.getByLabel('Choose a picture');
  await chooseFile.setInputFiles({ name: 'paper.txt', mimeType: 'text/plain', buffer: Buffer.from('Hi') });
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await page.getByText(notPicture).first().waitFor();

  await page.locator('body').evaluate(
    (body, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' }));
      body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    },
    [...png(300, 200)],
  );
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await page.getByText('Saved.').waitFor();
  await page.goto('/contributors/1-ada/');
  const avatar = page.locator('h1 img.avatar');
  await avatar.evaluate((image: HTMLImageElement) => image.decode());
  const box = await avatar.boundingBox();
  expect([await avatar.evaluate((image: HTMLImageElement) => image.naturalWidth), box?.width]).toEqual([
    200,
    box?.height ?? 0,
  ]);
});
