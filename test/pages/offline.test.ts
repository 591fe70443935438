// Projects that are written without a network wait on the device, and are sent once when it is back.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onBothDatabases } from '../support/databases.ts';
import { Person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, type Site, siteOn } from '../support/site.ts';
import { waitForValue } from '../support/waiting.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

/** A tablet on which somebody signs in. */
async function openTablet(environment = {}) {
  const site = await siteOn('SQLite', { dump: dump(adasLine, contributor(8, 'lee')), environment });
  const window = await openWindow(browser, new Person(site));
  const page = await window.newPage();
  const ada = await signIn(site, window, 'ada');
  return { site, window, page, ada };
}

/** The cookies of a sign-in: the session before is over. */
async function signIn(site: Site, window: BrowserContext, username: string): Promise<Person> {
  const headers = await site.signIn(username);
  const person = new Person(site, headers, username);
  const [, session = ''] = (headers.Cookie ?? '').split('=');
  const cookies = { vitrine_session: session, csrftoken: headers['X-CSRFToken'] ?? '' };
  await window.addCookies(
    Object.entries(cookies).map(([name, value]) => ({ name, value, url: site.serve() })),
  );
  return person;
}

/** What the device has of the store, with the bytes of what waits as text. */
const readStore = (page: Page) =>
  page.evaluate(async () => {
    if ((await indexedDB.databases()).length === 0) return { text: '', count: 0, devices: [] };
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('unsent');
      request.onsuccess = () => resolve(request.result);
    });
    const read = (name: string): Promise<{ name: string; data: ArrayBuffer; key: CryptoKey }[]> =>
      new Promise((resolve) => {
        const request = database.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result);
      });
    const projects = (await read('projects')).map(({ data, ...other }) => [
      new TextDecoder().decode(data),
      JSON.stringify(other),
    ]);
    const devices = (await read('device')).map(({ name, key }) => [name, key.type]);
    database.close();
    return { text: projects.flat().join(' '), count: projects.length, devices };
  });

/** What the service worker has kept. */
const readCache = (page: Page) =>
  page.evaluate(async () => {
    const found: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        found.push({
          path: request.url.slice(location.origin.length),
          text: (await (await cache.match(request))?.text()) ?? '',
        });
    }
    return found;
  });

/** From then on, the tablet can do without a network. */
async function getReady(page: Page, name = 'Ada Lovelace') {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await waitForValue(async () => (await readStore(page)).devices, [[name, 'public']]);
}

const status = (page: Page) => page.locator('.unsent [role=status]');
/** Without the marks around values. */
const readStatus = async (page: Page) => (await status(page).textContent())?.replace(/[\u2066-\u2069]/g, '');
const waitForStatus = (page: Page, expected: string) => waitForValue(() => readStatus(page), expected);
const waiting = (count: number) =>
  `Waiting on this device: ${count}. Your projects are sent when the network is back.`;

/** Writes a project and leaves it on the tablet, which has no network. */
async function write(page: Page, window: BrowserContext, title: string, file?: ReturnType<typeof picture>) {
  await window.setOffline(true);
  await page.getByLabel('Title').fill(title);
  if (file) await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Save as draft' }).click();
}

/** Nobody is told of the network before the next page. */
async function connect(window: BrowserContext, page: Page, path: string) {
  await page.goto('about:blank');
  await window.setOffline(false);
  await page.goto(path);
}

const titlesOf = async (person: Person) =>
  (
    await person.json<{ results: { title: string }[] }>(
      '/api/v1/projects/?contributor=me&ordering=id&fields=title',
    )
  ).results.map(({ title }) => title);
const picture = (name: string, bytes = [...png(40, 30)], mimeType = 'image/png') => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
});

const listOwn = async (person: Person) =>
  (
    await person.json<{ results: { title: string; media: unknown[] }[] }>(
      '/api/v1/projects/?contributor=me&ordering=id&include=content_type,media&fields=title,status,visibility,text,content_type,media',
    )
  ).results.map((one): object => ({ ...one, media: one.media.length }));

test('a project waits on the device without a network, nobody reads it there, and it is sent in its turn when the network is back', async () => {
  const { page, window, ada } = await openTablet();
  await page.goto('/new/photo/');
  await getReady(page);
  await window.setOffline(true);
  await page.getByLabel('Title').fill('The roof in the morning');
  await page.locator('input[type=file]').setInputFiles(picture('roof.png'));
  await page.getByRole('button', { name: 'Publish' }).click();
  await waitForStatus(page, waiting(1));
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);

  await page.goto('/tags/');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('No network');
  await page.getByText('You write as Ada Lovelace').waitFor();
  await page.getByLabel('Title').fill('A story');
  await page.getByLabel('Text').fill('Once upon a time');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await waitForStatus(page, waiting(2));
  const { text, count } = await readStore(page);
  expect([count, /roof|story|upon/i.test(text)]).toEqual([2, false]);
  const kept = await readCache(page);
  expect(kept.map(({ path }) => path.replace(/vitrine-\w+/, 'vitrine'))).toEqual([
    '/offline/?language=en',
    ...['css', 'svg', 'js', 'js', 'css', 'css'].map((ending) => `/assets/vitrine.${ending}`),
  ]);
  expect(kept.filter(({ text }) => /lovelace|name="csrf/i.test(text))).toEqual([]);
  expect(await listOwn(ada)).toEqual([]);

  await window.setOffline(false);
  await status(page).filter({ hasText: 'Sent from this device' }).waitFor();
  expect(await listOwn(ada)).toEqual([
    {
      title: 'The roof in the morning',
      visibility: 'public',
      text: '',
      status: 1,
      content_type: 'photo',
      media: 1,
    },
    {
      title: 'A story',
      visibility: 'public',
      text: 'Once upon a time',
      status: 0,
      content_type: 'text',
      media: 0,
    },
  ]);
  expect((await readStore(page)).count).toBe(0);
});

test('a project whose answer was lost, and one that two tabs send, is there once', async () => {
  const { page, window, ada } = await openTablet();
  await page.goto('/new/text/');
  await getReady(page);
  await write(page, window, 'A kite');
  await waitForStatus(page, waiting(1));
  let sendings = 0;
  await window.route('**/new/text/', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    sendings++;
    await (sendings === 1 ? route.abort() : route.fallback());
  });

  await window.setOffline(false);
  await waitForValue(() => titlesOf(ada), ['A kite']);
  await waitForValue(async () => sendings, 1);
  expect((await readStore(page)).count).toBe(1);

  const other = await window.newPage();
  await Promise.all([page.goto('/tags/'), other.goto('/tags/')]);
  await waitForValue(async () => (await readStore(page)).count, 0);
  expect([await titlesOf(ada), sendings]).toEqual([['A kite'], 2]);

  // After almost a day, the server may not know the form any more.
  await page.goto('/new/text/');
  await write(page, window, 'A boat');
  await waitForStatus(page, waiting(1));
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('unsent');
      request.onsuccess = () => resolve(request.result);
    });
    const store = database.transaction('projects', 'readwrite').objectStore('projects');
    const request = store.openCursor();
    await new Promise((resolve) => {
      request.onsuccess = () => {
        const update = request.result?.update({ ...request.result.value, tried: Date.now() - 21 * 3600_000 });
        if (update) update.onsuccess = resolve;
      };
    });
    database.close();
  });
  await window.setOffline(false);
  await waitForStatus(page, 'Could not be sent: 1.');
  await page.getByText('It may have been sent already').waitFor();
  expect(await titlesOf(ada)).toEqual(['A kite']);
});

test('what the server refuses stays with its sentence; it opens in the form again, or is thrown away', async () => {
  const { page, window, ada } = await openTablet();
  await page.goto('/new/photo/');
  await getReady(page);
  const broken = picture('roof.png', [1, 2, 3]);
  await write(page, window, 'The roof', broken);
  await waitForStatus(page, waiting(1));
  await write(page, window, 'The cellar', broken);
  await waitForStatus(page, waiting(2));
  await write(page, window, 'The garden');
  await waitForStatus(page, waiting(3));

  await window.setOffline(false);
  await waitForStatus(page, 'Sent from this device: 1. Could not be sent: 2.');
  const rows = page.locator('.unsent li');
  expect(await rows.locator('b').allTextContents()).toEqual(['The roof', 'The cellar']);
  expect(await rows.first().locator('p').textContent()).toContain('Photo: You can’t add this kind of file');
  expect(await titlesOf(ada)).toEqual(['The garden']);
  expect(await findViolations(page)).toEqual([]);

  await rows.nth(1).getByRole('button', { name: 'Throw away' }).click();
  await page.getByRole('button', { name: 'Delete and go on' }).click();
  await waitForValue(() => rows.locator('b').allTextContents(), ['The roof']);
  await page.goto('/tags/');
  await rows.getByRole('link', { name: 'Open in the form' }).click();
  await waitForValue(() => page.getByLabel('Title').inputValue(), 'The roof');
  expect(
    await page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.files?.length),
  ).toBe(1);
  await page.getByRole('button', { name: 'Remove roof.png' }).click();
  await page.locator('input[type=file]').setInputFiles(picture('roof.png'));
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.locator('article.project').waitFor();
  expect([await titlesOf(ada), (await readStore(page)).count]).toEqual([['The garden', 'The roof'], 0]);
});

test('on a shared tablet, the next person neither sees nor sends what waits, and does not delete it', async () => {
  const { site, page, window, ada } = await openTablet();
  await page.goto('/new/text/');
  await getReady(page);
  await write(page, window, 'For my grandmother');
  await waitForStatus(page, waiting(1));

  // Lee signs in over the session of Ada.
  await page.goto('about:blank');
  const lee = await signIn(site, window, 'lee');
  await page.goto('/offline/');
  await page.getByText('sign in here once').waitFor();
  expect(await page.getByText('You write as').isVisible()).toBe(false);
  await connect(window, page, '/new/text/');
  await getReady(page, 'lee');
  expect([await status(page).count(), (await readStore(page)).count]).toEqual([0, 1]);
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  const { count, devices } = await readStore(page);
  expect([count, devices, await titlesOf(lee), await titlesOf(ada)]).toEqual([1, [], [], []]);

  await signIn(site, window, 'ada');
  await page.goto('/tags/');
  await waitForStatus(page, 'Sent from this device: 1.');
  expect(await titlesOf(ada)).toEqual(['For my grandmother']);
});

test('whoever signs out is asked before what could not be sent is deleted', async () => {
  const { page, window, ada } = await openTablet();
  await page.goto('/new/photo/');
  await getReady(page);
  await write(page, window, 'The roof', picture('roof.png', [1, 2, 3]));
  await waitForStatus(page, waiting(1));
  await connect(window, page, '/tags/');
  await page.locator('.unsent li').waitFor();

  const signOut = async (answer: string) => {
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByText('They are deleted if you go on').waitFor();
    await page.getByRole('button', { name: answer }).click();
  };
  await signOut('Cancel');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await readStore(page)).count).toBe(1);
  await page.keyboard.press('Escape');
  await signOut('Delete and go on');
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  expect([(await readStore(page)).count, await titlesOf(ada)]).toEqual([0, []]);
});

test('videos do not wait, and where the device has no room the words stay in the form', async () => {
  const { page, window } = await openTablet();
  await page.goto('/new/video/');
  await getReady(page);
  await write(page, window, 'A walk', picture('walk.mp4', [1, 2, 3], 'video/mp4'));
  await status(page)
    .filter({ hasText: 'Only words and pictures can wait on this device, up to 25 MB' })
    .waitFor();

  await page.getByRole('button', { name: 'Remove walk.mp4' }).click();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('', 'QuotaExceededError');
    };
  });
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await status(page).filter({ hasText: 'this device has no room left' }).waitFor();
  expect([await page.getByLabel('Title').inputValue(), (await readStore(page)).count]).toEqual(['A walk', 0]);
});

onBothDatabases((kind) => {
  test('only a session gets the key of its account, which is the same in each session', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, contributor(8, 'lee')) });
    const ask = async (headers: Record<string, string>) => {
      const response = await site.get('/offline/key.json', headers);
      const isKey = response.status === 200;
      const { key, csrfToken, ...answer } = isKey ? await response.json() : {};
      return {
        status: response.status,
        cache: response.headers.get('Cache-Control'),
        key,
        csrfToken,
        ...answer,
      };
    };
    const [first, second, lees] = [
      await site.signIn('ada'),
      await site.signIn('ada'),
      await site.signIn('lee'),
    ];
    const { key, ...others } = await ask(first);
    const publicHalf = { x: expect.stringMatching(/^[\w-]{43}$/), y: expect.stringMatching(/^[\w-]{43}$/) };
    expect(others).toEqual({
      status: 200,
      cache: 'no-store',
      csrfToken: first['X-CSRFToken'],
      account: 1,
      name: 'Ada Lovelace',
      visibility: 'public',
    });
    expect(key).toEqual({ kty: 'EC', crv: 'P-256', ...publicHalf, d: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await ask(second)).key).toEqual(key);
    expect((await ask(lees)).key).not.toEqual(key);
    expect([(await ask({})).status, (await ask(await site.key('ada'))).status]).toEqual([303, 403]);
  });
});
