// Open pages that follow the gallery, in a browser whose clock the test turns.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { installClock, turnClock } from '../support/page-clock.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';

let browser: Browser;
let site: Site;
let ada: Person;
let mo: Person;

beforeAll(async () => {
  browser = await openBrowser();
  site = await siteOn('SQLite', {
    dump: dump(
      adasLine,
      contributor(2, 'mo'),
      project(1, { title: 'Kite', tags: ['wind'] }),
      project(2, { title: 'First!', content_type: 'comment', parent: 1, text: 'First!', contributor: 2 }),
    ),
  });
  ada = await person(site, 'ada');
  mo = await person(site, 'mo', { role: 'moderator' });
});

async function openPage(who: Person, path: string, options?: BrowserContextOptions): Promise<Page> {
  const window = await openWindow(browser, who, options);
  closeLater(() => window.close());
  const page = await window.newPage();
  await installClock(page);
  await page.goto(path);
  return page;
}

async function startFollowing(page: Page): Promise<void> {
  let isFollowing = false;
  page.on('response', (response) => {
    isFollowing ||= response.url().includes('/changes/stream/');
  });
  await turnClock(page, () => isFollowing);
}

async function waitForTexts(page: Page, selector: string, texts: readonly string[]): Promise<void> {
  let shown: string[] = [];
  await turnClock(page, async () => {
    shown = (await page.locator(selector).allTextContents()).map((text) => text.trim());
    return Bun.deepEquals(shown, texts);
  }).catch(() => expect(shown).toEqual([...texts]));
}

const create = async (values: object): Promise<number> => {
  const response = await ada.post('/api/v1/projects/', values);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
};

const bar = '.new-projects';

test('a list says how many projects are new, shows them on top, and withdraws what is hidden', async () => {
  const page = await openPage(visitor(site), '/?tags=wind');
  const all = await openPage(mo, '/');
  const byTitle = await openPage(visitor(site), '/?ordering=title');
  expect(await byTitle.locator(bar).count()).toBe(0);
  // Created before the page follows, as if it came from a cache.
  await create({ title: 'Windmill', tags: 'wind' });
  await startFollowing(page);
  await waitForTexts(page, bar, ['1 new project']);
  const spinner = await create({ title: 'Spinner', tags: 'wind' });
  await create({ title: 'Boat', tags: 'sea' });
  await create({ title: 'Diary', tags: 'wind', visibility: 'private' });
  await waitForTexts(page, bar, ['2 new projects']);
  await ada.patch(`/api/v1/projects/${spinner}/`, { visibility: 'private' });
  await waitForTexts(page, bar, ['1 new project']);

  await page.evaluate(() => document.body.classList.add('same-page'));
  await page.getByRole('link', { name: '1 new project' }).click();
  await waitForTexts(page, '.card .name', ['Windmill', 'Kite']);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Windmill');
  expect(await page.locator('.count').textContent()).toBe('2 projects');
  expect(await page.locator('.same-page').count()).toBe(1);
  await waitForTexts(page, bar, ['']);

  // A moderator may see the private ones, but the list does not show them.
  await startFollowing(all);
  await waitForTexts(all, bar, ['2 new projects']);
  await all.getByRole('link', { name: '2 new projects' }).click();
  await waitForTexts(all, '.card .name', ['Boat', 'Windmill', 'Kite']);
});

test('new comments are offered below the others, and leave what is being written', async () => {
  const page = await openPage(ada, pathOf(1));
  await startFollowing(page);
  const say = (text: string, parent = 1) => mo.post(`/api/v1/projects/${parent}/comments/`, { text });
  await say('Second!');
  await say('To the first.', 2);
  await waitForTexts(page, '.new-comments', ['2 new comments']);
  const spam = ((await (await say('Buy!')).json()) as { id: number }).id;
  await waitForTexts(page, '.new-comments', ['3 new comments']);
  await mo.delete(`/api/v1/projects/${spam}/`);
  await waitForTexts(page, '.new-comments', ['2 new comments']);

  await page.getByLabel('Your comment').last().fill('I think that');
  await page.getByRole('button', { name: '2 new comments' }).click();
  await waitForTexts(page, '.thread > li > .comment .text', ['First!', 'To the first.', 'Second!']);
  expect(await page.locator('.thread .thread .comment').count()).toBe(1);
  expect(await page.locator('#comments').textContent()).toBe('3 comments');
  expect(await page.getByLabel('Your comment').last().inputValue()).toBe('I think that');
  expect(await page.evaluate(() => document.activeElement?.id)).toMatch(/^comment-/);
  await waitForTexts(page, '.new-comments', ['']);
});

test('a tab in the background does not follow, and catches up when it is seen again', async () => {
  const page = await openPage(visitor(site), '/?tags=patience');
  await startFollowing(page);
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  const end = page.waitForEvent('requestfailed');
  await setHidden(true);
  expect((await end).url()).toContain('/changes/stream/');
  await create({ title: 'Knitting', tags: 'patience' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.clock.fastForward(600_000);
  await page.evaluate(() => fetch('/livez'));
  expect(requests.map((url) => new URL(url).pathname)).toEqual(['/livez']);

  await setHidden(false);
  await waitForTexts(page, bar, ['1 new project']);
  // The list was empty, so that there is no place for cards.
  await page.getByRole('link', { name: '1 new project' }).click();
  await page.getByRole('heading', { name: 'Knitting' }).waitFor();
});

const titles = '.cards .name';

test('work comes to the wall by itself and leaves it, as the public sees it', async () => {
  const page = await openPage(mo, '/wall/?tags=robot', { reducedMotion: 'reduce' });
  expect(await page.getByRole('main').textContent()).toBe(
    'Nothing here yet. New projects appear by themselves.',
  );
  const first = await create({ title: 'Arm', tags: 'robot' });
  await create({ title: 'Secret', tags: 'robot', visibility: 'private' });
  await waitForTexts(page, titles, ['Arm']);
  const second = await create({ title: 'Leg', tags: 'robot' });
  await waitForTexts(page, titles, ['Leg', 'Arm']);

  // The picture comes after the project; the other card stays the same element.
  await page.evaluate(() => document.querySelector('.card:last-child')?.classList.add('same'));
  const form = new FormData();
  form.append('file', new File([new Uint8Array(png(64, 48))], 'leg.png'));
  expect((await ada.post(`/api/v1/projects/${second}/media/`, form)).status).toBe(201);
  await turnClock(page, async () => (await page.locator('.card:first-child img').count()) > 0);
  const isLoaded = (image: Element) => (image as HTMLImageElement).naturalWidth > 0;
  expect(await page.locator('.card:first-child img').evaluate(isLoaded)).toBe(true);
  expect(await page.locator('.card.same').count()).toBe(1);

  await mo.patch(`/api/v1/projects/${second}/`, { visibility: 'private' });
  await waitForTexts(page, titles, ['Arm']);
  // A tag is no concern of the stream: the wall looks by itself.
  await ada.patch(`/api/v1/projects/${first}/`, { tags: 'arm' });
  await page.clock.fastForward(60_000);
  await waitForTexts(page, titles, []);
});

test('a wall without a connection stays as it is, and goes on when it is back', async () => {
  for (let number = 1; number <= 25; number++) await create({ title: `Robot ${number}`, tags: 'night' });
  const page = await openPage(visitor(site), '/wall/?tags=night');
  await startFollowing(page);
  await page.context().setOffline(true);
  await page.clock.fastForward(1_000_000);
  expect(await page.locator(titles).count()).toBe(24);
  await create({ title: 'Morning', tags: 'night' });
  await page.context().setOffline(false);
  const newest = Array.from({ length: 23 }, (_, index) => `Robot ${25 - index}`);
  await waitForTexts(page, titles, ['Morning', ...newest]);
});

test('a wall without scripts is a list that renews itself', async () => {
  await create({ title: 'Sundial', tags: 'sun' });
  const wall = await visitor(site).open('/wall/?tags=sun');
  expect(wall.textsOf('h1')).toEqual(['Tagged sun']);
  expect(wall.textsOf(titles)).toEqual(['Sundial']);
  const response = await site.get('/wall/?tags=sun', { 'Accept-Language': 'es' });
  const html = await response.text();
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="30"/></noscript>');
  expect(html).toContain('<title>Con la etiqueta sun: mural – Vitrine</title>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
  expect((await site.get('/wall/?contributor=me')).status).toBe(404);
  expect((await site.get('/wall/?content_type=x')).status).toBe(400);
  expect((await site.get('/wall?tags=sun')).headers.get('Location')).toBe(
    'http://gallery.example/wall/?tags=sun',
  );
});
