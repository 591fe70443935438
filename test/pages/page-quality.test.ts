// Looks, forms with errors and the first page in a real browser: every-page.test.ts has every page.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { looks } from '../../src/core/site/site-fields.ts';
import { colorRules, findViolations, loadAxe, measureOverflow } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { type DemoSite, pages, pagesOfLooks, serveDemo } from '../support/every-page.ts';
import { findThemeColors, narrow } from '../support/page-checks.ts';

/** The limit for what a visitor's first page loads, without the pictures of projects. */
const maxBytes = 60_000;

let browser: Browser;
let people: DemoSite['people'];

beforeAll(async () => {
  ({ people } = await serveDemo('SQLite'));
  browser = await openBrowser();
});

for (const look of looks) {
  test(`axe finds readable colours in the look ${look}`, async () => {
    const { contributor, moderator } = people;
    await moderator.send('/admin/site/', { look, accent: 'copper' });
    const window = await openWindow(browser, contributor, { viewport: { width: 1280, height: 900 } });
    const page = await window.newPage();
    await loadAxe(page);
    for (const path of pagesOfLooks) {
      await page.goto(path, { waitUntil: 'load' });
      expect(await findViolations(page, colorRules)).toEqual([]);
      if (path === '/') expect(await page.evaluate(findThemeColors)).toEqual([true]);
    }
    await moderator.send('/admin/site/', { look: '', accent: '' });
  });
}

test('a form that is shown again with errors passes the same checks', async () => {
  const submissions = [
    ['visitor', '/sign-in/', 'main form.stacked-form [type=submit]'],
    ['visitor', '/sign-up/', 'main form.stacked-form [type=submit]'],
    ['contributor', '/new/link/', 'form.project-form button[value="1"]'],
    ['contributor', '/account/password/', 'main form.stacked-form [type=submit]'],
    ['contributor', '/account/keys/', 'main form.stacked-form [type=submit]'],
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

test('the widest pages in Arabic fit 320 pixels, and axe finds no violation', async () => {
  const widest = {
    contributor: ['own-project', 'account'],
    moderator: ['moderation-queue', 'site-settings', 'statistics'],
  };
  const problems: unknown[] = [];
  for (const viewer of ['contributor', 'moderator'] as const) {
    const window = await openWindow(browser, people[viewer], { viewport: narrow, locale: 'ar' });
    const page = await window.newPage();
    await loadAxe(page);
    for (const name of widest[viewer]) {
      await page.goto(pages[viewer][name] ?? '', { waitUntil: 'load' });
      expect(await page.getAttribute('html', 'dir')).toBe('rtl');
      const overflow = await page.evaluate(measureOverflow);
      if (overflow > 0) problems.push([name, { overflow }]);
      problems.push(...(await findViolations(page)).map((violation) => [name, ...violation]));
      const titles = page.locator('main :is(h1, h2, h3, b)[dir=auto]');
      const sides = await titles.evaluateAll((all) => all.map((title) => getComputedStyle(title).textAlign));
      problems.push(...sides.filter((side) => side !== 'right').map((side) => [name, side]));
      const suggestions = page.locator('main input:placeholder-shown');
      const isTurned = (input: Element) => getComputedStyle(input).direction === 'rtl';
      for (const suggestion of await suggestions.all())
        if (!(await suggestion.evaluate(isTurned)))
          problems.push([name, await suggestion.getAttribute('name')]);
    }
  }
  expect(problems).toEqual([]);
});

test('the header has one row at 320 pixels, of a name only what there is room for', async () => {
  for (const [viewer, width, isNamed] of [
    ['visitor', 320, false],
    ['contributor', 320, false],
    ['contributor', 390, true],
  ] as const) {
    const window = await openWindow(browser, people[viewer], { viewport: { width, height: 640 } });
    const page = await window.newPage();
    await page.goto('/');
    const tops = await page
      .locator('.site-header > :is(.logo, .user-nav), .logo bdi')
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top));
    const [logo = 0, name = 0, navigation = 0] = tops;
    expect([viewer, width, navigation < logo + 44, name < logo + 44]).toEqual([viewer, width, true, isNamed]);
  }
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
