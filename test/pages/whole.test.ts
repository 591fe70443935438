// Every page in a real browser: it can be used by those who see, hear and move differently, it fits a narrow screen,
// stands still while it loads, weighs little, and its markup is right. Pages are the same on both databases, so that
// the browser looks at them on one.

import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type Everything, everything, pages } from '../support/every-page.ts';

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

const markup = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // How attributes and empty elements are spelt is the renderer's, and says nothing to a browser.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
  },
});

/** All that a visitor's first view may load, without what other visitors brought. */
const heaviest = 50_000;

let browser: Browser;
let all: Everything;

beforeAll(async () => {
  all = await everything('SQLite');
  browser = await openBrowser();
});

for (const who of ['visitor', 'klaus_werkt', 'ada'] as const) {
  describe(`as ${who}`, () => {
    let wide: Page;
    beforeAll(async () => {
      const window = await all.open(browser, who, { viewport: { width: 1280, height: 900 } });
      wide = await window.newPage();
    });

    for (const [name, path] of Object.entries(pages[who])) {
      test(`axe finds no violation on the page ${name}, light or dark`, async () => {
        await wide.goto(path, { waitUntil: 'load' });
        for (const colorScheme of ['light', 'dark'] as const) {
          await wide.emulateMedia({ colorScheme });
          expect({ colorScheme, violations: await violationsOn(wide) }).toEqual({
            colorScheme,
            violations: [],
          });
        }
      });
    }

    test('every page fits 320 pixels, does not shift, and loads nothing from other sites', async () => {
      const window = await all.open(browser, who, { viewport: { width: 320, height: 640 } });
      const page = await window.newPage();
      const found: unknown[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 40[04]/.test(message.text()))
          found.push(message.text());
      });
      page.on('pageerror', (error) => found.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(all.site.serve())) found.push(request.url());
      });
      for (const [name, path] of Object.entries(pages[who])) {
        await page.goto(path, { waitUntil: 'load' });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const moved = await page.evaluate(shift);
        if (wider > 0 || moved > 0.01) found.push([name, wider, moved]);
      }
      expect(found).toEqual([]);
    });

    test('html-validate finds no error in any page', async () => {
      const headers = who === 'visitor' ? {} : await all.site.signIn(who);
      const found: unknown[] = [];
      for (const [name, path] of Object.entries(pages[who])) {
        const text = await (await all.site.get(path, { ...headers, Accept: 'text/html' })).text();
        const { results } = await markup.validateString(text);
        for (const { messages } of results)
          found.push(
            ...messages.map(({ ruleId, message, offset }) => [
              name,
              ruleId,
              message,
              text.slice(offset - 60, offset + 60),
            ]),
          );
      }
      expect(found).toEqual([]);
    });
  });
}

test('a form that is shown again with errors passes the same checks', async () => {
  const refusals = [
    ['visitor', '/sign-in/', 'main form.stacked-form button'],
    ['visitor', '/sign-up/', 'main form.stacked-form button'],
    ['klaus_werkt', '/new/link/', 'form.project-form button[value="1"]'],
    ['klaus_werkt', '/account/leave/', 'main form.stacked-form button'],
    ['klaus_werkt', '/account/keys/', 'main form.stacked-form button'],
  ] as const;
  const found: unknown[] = [];
  for (const [who, path, button] of refusals) {
    const window = await all.open(browser, who, { viewport: { width: 320, height: 640 } });
    const page = await window.newPage();
    await page.goto(path);
    // The browser's own checks would keep the form back.
    await page.locator('main form').evaluateAll((forms) => {
      for (const form of forms) (form as HTMLFormElement).noValidate = true;
    });
    await page.locator(button).first().click();
    await page.getByRole('alert').waitFor();
    found.push(...(await violationsOn(page)).map((violation) => [path, ...violation]));
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wider > 0) found.push([path, wider]);
  }
  expect(found).toEqual([]);
});

test('the first view weighs at most 50 kB', async () => {
  const window = await all.open(browser, 'visitor', {});
  const page = await window.newPage();
  await page.goto('/', { waitUntil: 'networkidle' });
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => ({
        name: entry.name,
        size: (entry as PerformanceResourceTiming).decodedBodySize,
      }),
    ),
  );
  const ours = loaded.filter(({ name }) => !name.includes('/media/'));
  const weight = ours.reduce((sum, { size }) => sum + size, 0);

  expect(weight).toBeGreaterThan(10_000);
  expect(weight).toBeLessThan(heaviest);
});

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** The rules that the page breaks, each with the first element that does. */
async function violationsOn(page: Page): Promise<[rule: string, html: string | undefined][]> {
  // The page's own policy lets no other script in: this one comes from outside of it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    // All rules run; details are collected of those that are broken.
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

/** How far things moved after they were first shown. */
function shift(): Promise<number> {
  return new Promise((resolve) => {
    let moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(moved), 50);
  });
}
