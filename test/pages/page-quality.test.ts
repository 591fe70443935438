// Every page in a real browser: it is accessible, fits a narrow screen, does not shift while it loads, is small, and
// its markup is valid. Pages are the same on both databases, so one is enough.

import { beforeAll, describe, expect, test } from 'bun:test';
import { HtmlValidate } from 'html-validate';
import type { Browser, Page } from 'playwright-core';
import { looks } from '../../src/gallery/site/fields.ts';
import { colorRules, findViolations, measureOverflow } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { type DemoSite, pages, serveDemo, viewers } from '../support/every-page.ts';

const markup = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // The renderer decides how attributes and empty elements are written; browsers read all of these forms.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
  },
});

/** The limit for what a visitor's first page loads, without the pictures of projects. */
const maxBytes = 60_000;

const narrow = { width: 320, height: 640 };

let browser: Browser;
let site: DemoSite['site'];
let people: DemoSite['people'];

beforeAll(async () => {
  ({ site, people } = await serveDemo('SQLite'));
  browser = await openBrowser();
});

for (const viewer of viewers) {
  describe(`as ${viewer}`, () => {
    let page: Page;
    let problems: unknown[];
    beforeAll(async () => {
      const window = await openWindow(browser, people[viewer]);
      page = await window.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 40[04]/.test(message.text()))
          problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(site.serve())) problems.push(request.url());
      });
    });

    for (const [name, path] of Object.entries(pages[viewer])) {
      test(`the page ${name} fits 320 pixels and does not shift, and axe finds no violation, light or dark`, async () => {
        problems = [];
        await page.setViewportSize(narrow);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.goto(path, { waitUntil: 'load' });
        expect(await page.evaluate(measureOverflow)).toBeLessThanOrEqual(0);
        expect(await page.evaluate(measureShift)).toBeLessThanOrEqual(0.01);
        await page.setViewportSize({ width: 1280, height: 900 });
        expect(await findViolations(page, colorRules)).toEqual([]);

        await page.emulateMedia({ colorScheme: 'light' });
        expect(await findViolations(page)).toEqual([]);
        expect(problems).toEqual([]);
      });
    }

    test('html-validate finds no error in any page', async () => {
      const problems: unknown[] = [];
      for (const [name, path] of Object.entries(pages[viewer])) {
        const response = await people[viewer].browser.get(path, { Accept: 'text/html' });
        const html = await response.text();
        const { results } = await markup.validateString(html);
        for (const { ruleId, message, offset } of results.flatMap(({ messages }) => messages)) {
          // Nobody reads a wall to the end: without a script it renews itself.
          if (name.startsWith('wall') && ruleId === 'meta-refresh') continue;
          problems.push([name, ruleId, message, html.slice(offset - 60, offset + 60)]);
        }
      }
      expect(problems).toEqual([]);
    });
  });
}

for (const look of looks) {
  test(`axe finds readable colours in the look ${look}, light and dark`, async () => {
    const { contributor, moderator } = people;
    await moderator.send('/admin/site/', { look, accent: 'copper' });
    const window = await openWindow(browser, contributor, { viewport: { width: 1280, height: 900 } });
    const page = await window.newPage();
    const paths = [
      '/',
      pages.contributor['own-project'] ?? '',
      '/new/text/',
      pages.visitor['api-record'] ?? '',
    ];
    for (const path of paths)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(path, { waitUntil: 'load' });
        expect(await findViolations(page, colorRules)).toEqual([]);
      }
    await moderator.send('/admin/site/', { look: '', accent: '' });
  });
}

test('a form that is shown again with errors passes the same checks', async () => {
  const submissions = [
    ['visitor', '/sign-in/', 'main form.stacked-form button'],
    ['visitor', '/sign-up/', 'main form.stacked-form button'],
    ['contributor', '/new/link/', 'form.project-form button[value="1"]'],
    ['contributor', '/account/leave/', 'main form.stacked-form button'],
    ['contributor', '/account/keys/', 'main form.stacked-form button'],
  ] as const;
  const problems: unknown[] = [];
  for (const [viewer, path, button] of submissions) {
    const window = await openWindow(browser, people[viewer], { viewport: narrow });
    const page = await window.newPage();
    await page.goto(path);
    // The browser's own checks would not send the form.
    await page.locator('main form').evaluateAll((forms) => {
      for (const form of forms) (form as HTMLFormElement).noValidate = true;
    });
    await page.locator(button).first().click();
    await page.getByRole('alert').waitFor();
    problems.push(...(await findViolations(page)).map((violation) => [path, ...violation]));
    const overflow = await page.evaluate(measureOverflow);
    if (overflow > 0) problems.push([path, { overflow }]);
  }
  expect(problems).toEqual([]);
});

test('a visitor’s first page loads at most 60 kB', async () => {
  const window = await openWindow(browser, people.visitor);
  const page = await window.newPage();
  await page.goto('/', { waitUntil: 'networkidle' });
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => ({ url: entry.name, size: (entry as PerformanceResourceTiming).decodedBodySize }),
    ),
  );
  const withoutMedia = loaded.filter(({ url }) => !url.includes('/media/'));
  const bytes = withoutMedia.reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(maxBytes);
});

/** How far elements moved after they were first shown. */
function measureShift(): Promise<number> {
  return new Promise((resolve) => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(shift), 50);
  });
}
