// The checks of every page that a person can open: it is accessible, fits a narrow screen, does not shift while it loads, and
// its markup is valid. Pages are the same on both databases, so one is enough.

import { beforeAll, expect, test } from 'bun:test';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { colorRules, findViolations, loadAxe, measureOverflow } from './accessibility.ts';
import { openBrowser, openWindow } from './browser.ts';
import { type DemoSite, pages, serveDemo, type viewers } from './every-page.ts';

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
    // A form sends each checkbox of a group that is checked.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
  },
});

const narrow = { width: 320, height: 640 };

/** Declares a test for each page that this person can open. Each of the files that call it has a process of its own. */
export function testPagesOf(viewer: (typeof viewers)[number]): void {
  let site: DemoSite['site'];
  let people: DemoSite['people'];
  let page: Page;
  let problems: unknown[];
  beforeAll(async () => {
    ({ site, people } = await serveDemo('SQLite'));
    const window = await openWindow(await openBrowser(), people[viewer]);
    page = await window.newPage();
    await loadAxe(page);
    // A page that has no room for a picture shifts when it comes late.
    await page.route('**/media/**', async (route) => {
      await Bun.sleep(100);
      await route.continue();
    });
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
      // What the validator of the W3C finds, and html-validate does not.
      for (const [wrong] of html.matchAll(
        /<time>\s*<\/time>|<select[^>]* required[^>]*>(?!<option value="">)/g,
      ))
        problems.push([name, wrong]);
      const { results } = await markup.validateString(html);
      for (const { ruleId, message, offset } of results.flatMap(({ messages }) => messages)) {
        // Nobody reads a wall to the end: without a script it renews itself.
        if (name.startsWith('wall') && ruleId === 'meta-refresh') continue;
        problems.push([name, ruleId, message, html.slice(offset - 60, offset + 60)]);
      }
    }
    expect(problems).toEqual([]);
  });
}

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
