// The features that the scripts of the pages add in browsers with scripts.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { type DemoSite, serveDemo } from '../support/every-page.ts';
import { type Person, person } from '../support/person.ts';
import { jpeg } from '../support/pictures.ts';
import { waitForValue } from '../support/waiting.ts';

let browser: Browser;
let people: DemoSite['people'];
let site: DemoSite['site'];

beforeAll(async () => {
  ({ people, site } = await serveDemo('SQLite'));
  browser = await openBrowser();
});

/** Windows that several tests use, each with a page of its own. */
const windows = new Map<Person, Promise<BrowserContext>>();

async function openPage(who: Person): Promise<Page> {
  const window = windows.get(who) ?? openWindow(browser, who);
  windows.set(who, window);
  const page = await (await window).newPage();
  closeLater(() => page.close());
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('more projects load below the first ones, and are there again after going back', async () => {
  const page = await openPage(people.visitor);
  await page.goto('/?ordering=title');
  const readTitles = () => page.locator('.cards .name').allTextContents();
  const firstTitles = await readTitles();
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);

  await button(page, 'Load more').click();
  await page
    .getByRole('status')
    .filter({ hasText: /more projects loaded/ })
    .waitFor();
  const allTitles = await readTitles();
  expect(allTitles.slice(0, 24)).toEqual(firstTitles);
  expect(new Set(allTitles).size).toBe(allTitles.length);
  expect((await page.locator('.count').textContent())?.trim()).toBe(`${allTitles.length} projects`);
  expect(await button(page, 'Load more').count()).toBe(0);

  const last = page.locator('.cards .name a').last();
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  await last.click();
  await page.locator('article.project').waitFor();
  await page.goBack();
  await page.waitForFunction(
    (count) => document.querySelectorAll('.cards .name').length === count,
    allTitles.length,
  );
  await page.waitForFunction((expected) => Math.abs(scrollY - expected) < 50, place);
  expect(await readTitles()).toEqual(allTitles);
});

test('times of the last weeks are said as people say them; in print, and without a script, they are dates', async () => {
  const made = await people.contributor.post('/api/v1/projects/', {
    title: 'Just made',
    visibility: 'public',
  });
  const { html_url, created } = (await made.json()) as { html_url: string; created: string };
  const dayMs = 24 * 3600_000;
  const seen = async (days: number, options: BrowserContextOptions = {}) => {
    const window = await openWindow(browser, people.visitor, { timezoneId: 'UTC', ...options });
    closeLater(() => window.close());
    const page = await window.newPage();
    await page.clock.setFixedTime(Date.parse(created) + days * dayMs);
    await page.goto(new URL(html_url).pathname);
    const time = page.locator('article .byline time').first();
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown
    const read = () => time.innerText();
    const onScreen = await read();
    await page.emulateMedia({ media: 'print' });
    return [onScreen, await read(), await time.getAttribute('title')];
  };
  const day = new Date(created).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const at = (locale: string) =>
    new Date(created).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  expect(await seen(3)).toEqual(['3 days ago', day, at('en-GB')]);
  expect(await seen(0)).toEqual(['now', day, at('en-GB')]);
  expect(await seen(1)).toEqual(['yesterday', day, at('en-GB')]);
  expect(await seen(15)).toEqual(['2 weeks ago', day, at('en-GB')]);
  expect(await seen(28)).toEqual([day, day, at('en-GB')]);
  expect(await seen(3, { javaScriptEnabled: false })).toEqual([day, day, null]);
  for (const [locale, said] of [
    ['de', 'vor 3 Tagen'],
    ['es', 'hace 3 días'],
    ['ar', 'قبل 3 أيام'],
  ] as const)
    expect((await seen(3, { locale }))[0]).toBe(said);
});

test('a time of day is that of the browser, as in the field that asks for it', async () => {
  const publish_at = new Date(Date.now() + 24 * 3600_000).toISOString();
  const made = await people.contributor.post('/api/v1/projects/', {
    title: 'Planned',
    status: 0,
    publish_at,
  });
  const { pathname } = new URL(((await made.json()) as { html_url: string }).html_url);
  for (const timeZone of ['Asia/Tokyo', 'America/New_York']) {
    const window = await openWindow(browser, people.contributor, { timezoneId: timeZone });
    closeLater(() => window.close());
    const page = await window.newPage();
    await page.goto(pathname);
    expect(await page.locator('.notice time').textContent()).toBe(
      new Date(publish_at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }),
    );
    await page.goto(`${pathname}edit/`);
    const local = new Date(publish_at).toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(' ', 'T');
    expect(await page.locator('[name=publish_time]').inputValue()).toBe(local);
  }
});

test('a project leads on through the list that it was opened from, and back to the list at its end', async () => {
  const page = await openPage(people.visitor);
  const neighbours = page.getByRole('navigation', { name: 'In the list' });
  const readNeighbours = () => neighbours.locator('a').allTextContents();
  const follow = async (name: RegExp) => {
    await neighbours.getByRole('link', { name }).click();
    await page.waitForLoadState();
  };

  await page.goto('/?content_type=question');
  const titles = (await page.locator('.cards .name').allTextContents()).map((title) => title.trim());
  await page.locator('.cards .name a').first().click();
  await heading(page, titles[0] ?? '').waitFor();
  await waitForValue(readNeighbours, [`Next${titles[1]}`]);
  await follow(/^Next/);
  await heading(page, titles[1] ?? '').waitFor();
  const both = [`Previous${titles[0]}`, `Next${titles[2]}`];
  await waitForValue(readNeighbours, both);
  expect(await findViolations(page)).toEqual([]);
  await page.reload();
  await waitForValue(readNeighbours, both);

  // Through another list and back: each project has its own.
  await page.locator('.more-projects .name a').first().click();
  await page.waitForURL((url) => !url.pathname.includes('/how-'));
  await page.goBack();
  await waitForValue(readNeighbours, both);

  for (const title of titles.slice(2)) {
    await follow(/^Next/);
    await heading(page, title).waitFor();
  }
  await waitForValue(readNeighbours, [`Previous${titles.at(-2)}`, 'Back to the list']);
  await follow(/^Back/);
  await page.waitForURL('**/?content_type=question');

  const elsewhere = await page.context().newPage();
  await elsewhere.goto(page.url());
  const path = await elsewhere.locator('.cards .name a').first().getAttribute('href');
  await elsewhere.goto(path ?? '');
  expect(await elsewhere.getByRole('navigation', { name: 'In the list' }).count()).toBe(0);
});

test('unsaved text survives a closed tab, until it is saved', async () => {
  const window = await openWindow(browser, people.contributor);
  const closedPage = await window.newPage();
  await closedPage.goto('/new/question/');
  await closedPage.getByLabel('Your question').fill('Why is the sky blue?');
  await closedPage.getByLabel('Details').fill('I looked *up*.');
  await closedPage.close();

  const page = await window.newPage();
  await page.goto('/new/question/');
  expect(await page.getByLabel('Your question').inputValue()).toBe('');

  await button(page, 'Restore').click();
  expect(await page.getByLabel('Your question').inputValue()).toBe('Why is the sky blue?');
  expect(await page.getByLabel('Details').inputValue()).toBe('I looked *up*.');

  await button(page, 'Save as draft').click();
  await heading(page, 'Why is the sky blue?').waitFor();
  await page.goto('/new/question/');
  expect(await button(page, 'Restore').count()).toBe(0);
});

test('a form with an error keeps its values, even when its tab is closed', async () => {
  const window = await openWindow(browser, people.contributor);
  const closedPage = await window.newPage();
  await closedPage.goto('/new/link/');
  await closedPage.getByLabel('Title').fill('Nowhere');
  await closedPage.getByLabel('Link', { exact: true }).fill('nowhere');
  await button(closedPage, 'Publish').click();
  const errors = closedPage.getByRole('alert');
  await errors.getByRole('link', { name: 'Link: Enter a valid URL.' }).click();
  await waitForValue(() => closedPage.evaluate(() => document.activeElement?.getAttribute('name')), 'link');

  await closedPage.close();
  const page = await window.newPage();
  await page.goto('/new/link/');
  await button(page, 'Restore').click();
  expect(await page.getByLabel('Title').inputValue()).toBe('Nowhere');
});

test.each([
  ['with', (headers: Record<string, string>) => headers],
  ['without', ({ 'clear-site-data': _, ...others }: Record<string, string>) => others],
])('signing out deletes unsaved text, %s the header for it', async (_, select) => {
  const window = await openWindow(browser, await person(site, people.contributor.username ?? ''));
  const page = await window.newPage();
  await page.route('**/sign-out/', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ response, headers: select(response.headers()) });
  });
  await page.goto('/new/question/');
  await page.getByLabel('Your question').fill('Why is the sky blue?');
  const readDrafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')));
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('draft ')));

  await page.locator('.user-nav summary').click();
  await button(page, 'Sign out').click();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await waitForValue(readDrafts, []);
});

test('unsaved text survives the end of the session', async () => {
  const window = await openWindow(browser, people.contributor);
  const page = await window.newPage();
  await page.goto('/new/quote/');
  await page.getByLabel('Title').fill('A long one');
  await page.getByLabel('Quote').fill('> It took an hour to copy.');
  const cookies = await window.cookies();

  // The script loads the preview, is redirected, and does not show the sign-in page as a preview.
  await window.clearCookies();
  const redirection = page.waitForResponse((response) => response.url().includes('/sign-in/'));
  await button(page, 'Preview').click();
  await redirection;
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);

  await button(page, 'Publish').click();
  await heading(page, 'Sign in').waitFor();

  // A form without the CSRF token of the session is rejected too.
  await window.addCookies(cookies);
  await page.goto('/new/quote/');
  await page.locator('form.project-form input[name=csrfmiddlewaretoken]').evaluate((field) => field.remove());
  await button(page, 'Restore').click();
  await button(page, 'Publish').click();
  await heading(page, 'You can’t do that').waitFor();

  await page.goto('/new/quote/');
  await button(page, 'Restore').click();
  expect(await page.getByLabel('Quote').inputValue()).toBe('> It took an hour to copy.');
});

test('a password can be looked at, and is one again when it is sent', async () => {
  const page = await openPage(people.visitor);
  await page.goto('/sign-in/');
  const field = page.getByLabel('Password', { exact: true });
  await page.locator('#f-username').fill('klaus_werkt');
  await field.fill('not the right one');
  await button(page, 'Show password').click();
  expect(await field.getAttribute('type')).toBe('text');
  expect(await button(page, 'Show password').getAttribute('aria-pressed')).toBe('true');
  await page.locator('form:has(#f-password)').evaluate((form) => {
    form.addEventListener('submit', (event) => event.preventDefault());
  });
  await field.press('Enter');
  expect(await field.getAttribute('type')).toBe('password');
});

test('Ctrl+Enter sends a text of several lines', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/content/nxLUYL9mxpQ8PEGiD49R3J/morris-for-above-the-door/');
  const text = page.locator('#say textarea');
  await text.fill('Sent');
  await text.press('Enter');
  await text.pressSequentially('without the mouse.');
  await text.press('Control+Enter');
  await page.locator('.comment', { hasText: 'Sent without the mouse.' }).waitFor();
});

test('the preview follows the text', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/new/text/');
  const field = page.getByLabel('Text', { exact: true });

  await field.fill('One **word**');
  await button(page, 'Preview').click();
  await page.locator('#preview strong', { hasText: 'word' }).waitFor();

  await field.fill('Another **one** <script>alert(1)</script>');
  await page.locator('#preview strong', { hasText: 'one' }).waitFor();
  expect(await page.locator('#preview script').count()).toBe(0);
});

test('a comment and a reply have the same buttons above them, for those who may comment', async () => {
  const path = '/content/AgzzufY8jgfziJHuaDRr5p/how-do-we-keep-a-weather-balloon-logger-warm/';
  const open = async (who: DemoSite['people'][keyof DemoSite['people']]) => {
    const page = await openPage(who);
    await page.goto(path);
    return page;
  };
  expect(await (await open(people.visitor)).locator('.text-tools').count()).toBe(0);

  const page = await open(people.contributor);
  const say = page.locator('#say');
  await say.getByRole('button', { name: 'Bold' }).click();
  expect(await say.locator('textarea').inputValue()).toBe('**Bold**');
  await page.getByText('Reply', { exact: true }).first().click();
  const reply = page.locator('.reply[open] form');
  await reply.locator('textarea').fill('warm');
  await reply.locator('textarea').selectText();
  await page.keyboard.press('Control+b');
  expect(await reply.locator('textarea').inputValue()).toBe('**warm**');
  await reply.getByRole('button', { name: 'List' }).click();
  expect(await reply.locator('textarea').inputValue()).toBe('- **warm**');
  expect(await say.locator('textarea').inputValue()).toBe('**Bold**');
  expect(await findViolations(page)).toEqual([]);
});

test('on a phone, the text and its preview are tabs', async () => {
  const window = await openWindow(browser, people.contributor, { viewport: { width: 390, height: 800 } });
  const page = await window.newPage();
  await page.goto('/new/text/');
  const [write, preview] = ['Write', 'Preview'].map((name) => page.getByRole('tab', { name }));
  const field = page.getByLabel('Text', { exact: true });
  const isSelected = async () => [
    await write?.getAttribute('aria-selected'),
    await preview?.getAttribute('aria-selected'),
    await field.isVisible(),
    await page.getByRole('tabpanel', { name: 'Preview' }).isVisible(),
  ];
  expect(await isSelected()).toEqual(['true', 'false', true, false]);
  expect(await button(page, 'Preview').count()).toBe(0);

  await field.fill('One **word**');
  await preview?.click();
  await page.getByRole('tabpanel', { name: 'Preview' }).locator('strong', { hasText: 'word' }).waitFor();
  expect(await isSelected()).toEqual(['false', 'true', false, true]);
  expect(await findViolations(page)).toEqual([]);
  await preview?.press('ArrowRight');
  expect(await isSelected()).toEqual(['true', 'false', true, false]);
  await write?.press('End');
  expect(await isSelected()).toEqual(['false', 'true', false, true]);

  // A tablet that is turned has both beside each other.
  await page.setViewportSize({ width: 1280, height: 800 });
  await button(page, 'Preview').waitFor();
  await waitForValue(
    async () => [await field.isVisible(), await page.locator('#preview').isVisible()],
    [true, true],
  );
  expect(await page.getByRole('tab').count()).toBe(0);
});

test('buttons above the text write its Markdown, and undo takes it back', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/new/text/');
  const text = page.getByLabel('Text', { exact: true });
  const shown: string[] = [];
  for (const act of ['Bold', 'Heading', 'List', 'Link', 'Code', 'Control+b', 'Control+k']) {
    await text.fill('one\ntwo');
    await text.press('Shift+ArrowLeft');
    if (act.includes('+')) await text.press(act);
    else await button(page, act).click();
    shown.push(await text.inputValue());
    await text.press('Control+z');
    expect(await text.inputValue()).toBe('one\ntwo');
  }
  expect(shown).toEqual([
    'one\ntw**o**',
    'one\n## two',
    'one\n- two',
    'one\ntw[o](https://)',
    'one\ntw`o`',
    'one\ntw**o**',
    'one\ntw[o](https://)',
  ]);
});

test('Ctrl+Enter in a long text sends its form', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/new/text/');
  await page.getByLabel('Title').fill('Sent by keys');
  await page.getByLabel('Text', { exact: true }).press('Enter');
  await page.getByLabel('Text', { exact: true }).press('Control+Enter');
  await page.locator('.published-notice').waitFor();
  expect(await page.locator('h1').textContent()).toBe('Sent by keys');
});

test('the form suggests tags', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/new/text/');

  await page.getByLabel('Tags', { exact: true }).pressSequentially('mine, elec');
  await page.locator('datalist option[value="mine, electronics"]').waitFor({ state: 'attached' });
});

test('a chosen theme is applied immediately, and kept on the next pages', async () => {
  const window = await openWindow(browser, people.visitor, { colorScheme: 'light' });
  const page = await window.newPage();
  const readBackground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto('/');
  const light = await readBackground();

  await button(page, 'Dark').click();
  const dark = await readBackground();
  expect(dark).not.toBe(light);

  await page.goto('/api/v1/');
  expect(await readBackground()).toBe(dark);

  await page.goto('/tags/');
  expect(await readBackground()).toBe(dark);

  await button(page, 'Automatic').click();
  expect(await readBackground()).toBe(light);
});

test('pictures open in a viewer: by keys, buttons and swipes, and larger; then the focus is back', async () => {
  const { contributor } = people;
  const { id, html_url } = await (
    await contributor.post('/api/v1/projects/', {
      content_type: 'photo',
      title: 'Three pictures',
      text: 'From below: ![The kite](kite.jpg)',
      status: 1,
    })
  ).json();
  const form = new FormData();
  for (const [alt, width] of [
    ['Sea', 1400],
    ['Sky', 200],
    ['Kite', 400],
  ] as const) {
    form.append('file', new Blob([new Uint8Array(await jpeg(width, width / 2))]), `${alt}.jpg`);
    form.append('alt', alt);
  }
  await contributor.post(`/api/v1/projects/${id}/media/`, form);
  const window = await openWindow(browser, people.visitor, {
    hasTouch: true,
    viewport: { width: 700, height: 700 },
  });
  const page = await window.newPage();
  await page.goto(new URL(html_url).pathname);
  const viewer = page.getByRole('dialog');
  const readStatus = async () => (await viewer.getByRole('status').textContent())?.trim();
  const measure = async () => Math.round((await viewer.getByRole('img').boundingBox())?.width ?? 0);

  await page.getByRole('link', { name: 'Sea' }).press('Enter');
  await page.getByRole('dialog', { name: 'Sea', exact: true }).waitFor();
  expect(await readStatus()).toBe('1 of 3 Sea');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
  await page.keyboard.press('ArrowRight');
  const sky = page.getByRole('dialog', { name: 'Sky' });
  expect(await sky.getByRole('img').getAttribute('src')).toEndWith('.webp');
  await button(page, 'Next picture').click();
  expect(await readStatus()).toBe('3 of 3 The kite');
  await button(page, 'Next picture').click();
  expect(await readStatus()).toBe('1 of 3 Sea');

  await waitForValue(measure, 700);
  await page.keyboard.press('+');
  await waitForValue(measure, 1400);
  const figure = viewer.getByRole('figure');
  const readScroll = () => figure.evaluate(({ scrollLeft }) => scrollLeft);
  const middle = await readScroll();
  expect(middle).toBeGreaterThan(300);
  await page.keyboard.press('ArrowRight');
  expect([await readScroll(), await readStatus()]).toEqual([middle + 80, '1 of 3 Sea']);
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Zoom out').click();
  await waitForValue(measure, 700);
  await viewer.getByRole('img').click({ position: { x: 20, y: 20 } });
  await waitForValue(async () => [await measure(), await readScroll()], [1400, 0]);
  await page.keyboard.press('-');

  const swipe = (from: number, to: number) =>
    figure.evaluate(
      (element, places) => {
        for (const [type, clientX] of places)
          element.dispatchEvent(
            new PointerEvent(type, { pointerType: 'touch', isPrimary: true, clientX, bubbles: true }),
          );
      },
      [
        ['pointerdown', from],
        ['pointerup', to],
      ] as const,
    );
  await swipe(500, 200);
  expect(await readStatus()).toBe('2 of 3 Sky');
  await swipe(200, 220);
  expect(await readStatus()).toBe('2 of 3 Sky');
  await swipe(200, 500);
  expect(await readStatus()).toBe('1 of 3 Sea');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'hidden' });
  // The window tells the script that it is closed a moment after it is hidden.
  await page.waitForFunction(() => document.activeElement?.querySelector('img')?.alt === 'The kite');

  await page.getByRole('link', { name: 'Sky' }).click();
  await figure.click({ position: { x: 350, y: 5 } });
  await viewer.waitFor({ state: 'hidden' });
});

test('in the viewer, an arrow key shows what a remix changed', async () => {
  const page = await openPage(people.visitor);
  await page.goto('/content/fwrkw7YejWErm3ovPywdQ3/second-pull-with-more-packing/');
  const [before, after] = await page
    .locator('.compared figure > a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const picture = page.getByRole('dialog').getByRole('img');

  await page.locator('.compared figure > a').first().click();
  expect(await picture.getAttribute('src')).toEndWith(before ?? 'none');
  await page.keyboard.press('ArrowRight');
  expect(await picture.getAttribute('src')).toEndWith(after ?? 'none');
  expect(await page.locator('.viewer .counter').textContent()).toBe('2 of 2');
});

test('pictures keep their shape: the first is as large as the page allows, the others fill rows', async () => {
  const { contributor } = people;
  const created = { content_type: 'text', title: 'Pictures of every shape', status: 1 };
  const { id, html_url } = await (await contributor.post('/api/v1/projects/', created)).json();
  const form = new FormData();
  const sizes = [
    [600, 1200],
    [1600, 400],
    [900, 600],
    [500, 1000],
    [800, 800],
    [24, 24],
  ] as const;
  for (const [width, height] of sizes) {
    form.append('file', new Blob([new Uint8Array(await jpeg(width, height))]), `${width}-${height}.jpg`);
    form.append('alt', `${width} to ${height}`);
  }
  await contributor.post(`/api/v1/projects/${id}/media/`, form);
  const page = await openPage(people.visitor);
  await page.goto(new URL(html_url).pathname);
  const boxes = await page
    .locator('.pictures img')
    .evaluateAll((pictures) =>
      pictures.map((picture) => picture.getBoundingClientRect().toJSON() as DOMRect),
    );
  const ratios = boxes.map(({ width, height }) => Number((width / height).toFixed(1)));
  expect(ratios).toEqual([0.5, 4, 1.5, 0.5, 1, 1]);
  const [first, panorama, ...row] = boxes;
  const viewportHeight = page.viewportSize()?.height ?? 0;
  expect(Math.round(first?.height ?? 0)).toBe(Math.round(viewportHeight * 0.85));
  expect(new Set(row.slice(0, 2).map(({ height }) => Math.round(height))).size).toBe(1);
  expect(Math.round(row[1]?.right ?? 0)).toBe(Math.round(panorama?.right ?? 0));
  expect(row[3]?.width).toBe(24);
  expect(await page.locator('.pictures figcaption').allTextContents()).toEqual(
    sizes.map(([width, height]) => `${width} to ${height}`),
  );
});

test('the page with the settings of the site takes the look that is being chosen, until it is left', async () => {
  const page = await openPage(people.moderator);
  await page.goto('/admin/site/?part=appearance');
  const readLook = () =>
    page.evaluate(() => {
      const { locale: _, ...look } = document.documentElement.dataset;
      return look;
    });
  await page.getByLabel('Playground').check();
  await page.getByLabel('Plum').check();
  await page.getByLabel('Square').check();
  expect(await readLook()).toEqual({ look: 'playground', accent: 'plum', corners: 'square' });

  await page.getByRole('radio', { name: 'The look’s own' }).first().check();
  expect(await readLook()).toEqual({ look: 'playground', corners: 'square' });
  await page.goto('/admin/site/?part=appearance');
  expect(await readLook()).toEqual({ look: 'dusk' });
});

test('the key / begins a search, on a phone too, and stays a character in fields', async () => {
  const page = await openPage(people.visitor);
  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/tags/');
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    expect([width, await search.inputValue()]).toEqual([width, 'a/b']);
  }
  await page.goto('/sign-in/');
  await page.getByLabel('Username').fill('');
  await page.keyboard.press('/');
  expect(await page.getByLabel('Username').inputValue()).toBe('/');
});

test('the chosen filter of a long row is in sight, and the Tab key begins at the top of the page', async () => {
  const page = await openPage(people.visitor);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/?content_type=collection');
  const isInSight = await page
    .locator('.types [aria-current]')
    .evaluate((link) => link.getBoundingClientRect().right <= innerWidth);
  await page.keyboard.press('Tab');
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  expect([isInSight, focused]).toEqual([true, 'Skip to content']);
});

test('on paper, a project has one page with its title, its code and its picture', async () => {
  const page = await openPage(people.contributor);
  await page.goto('/content/hqbK9QKye5DDfLnAG3hbXd/kites-drying-on-the-library-railing/');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);

  await page.emulateMedia({ media: 'print' });
  const parts = ['h1', '.project img', '.qr', '.text', '.actions button', '.comment', '.more-projects'];
  const isShown = (part: string) => page.locator(part).first().isVisible();
  expect(await Promise.all(parts.map(isShown))).toEqual([true, true, true, true, false, false, false]);
});
