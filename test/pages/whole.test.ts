// Every page in a real browser: it is accessible, fits a narrow screen, does not shift while it loads, is small, and
// its markup is valid. Pages are the same on both databases, so one is enough.

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
    // The renderer decides how attributes and empty elements are written; browsers read all of these forms.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
  },
});

/** The most bytes that a visitor's first view may load, without the pictures of projects. */
const maxBytes = 50_000;

/** A dark page differs from a light one only in colours: see the first lines of assets/vitrine.css. */
const colorRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

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
        await wide.emulateMedia({ colorScheme: 'light' });
        await wide.goto(path, { waitUntil: 'load' });
        expect(await violationsOn(wide)).toEqual([]);

        await wide.emulateMedia({ colorScheme: 'dark' });
        await finishTransitions(wide);
        expect(await violationsOn(wide, colorRules)).toEqual([]);
      });
    }

    test('every page fits 320 pixels, does not shift, and loads nothing from other sites', async () => {
      const window = await all.open(browser, who, { viewport: { width: 320, height: 640 } });
      const page = await window.newPage();
      const problems: unknown[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 40[04]/.test(message.text()))
          problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(all.site.serve())) problems.push(request.url());
      });
      for (const [name, path] of Object.entries(pages[who])) {
        await page.goto(path, { waitUntil: 'load' });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const shift = await page.evaluate(measureShift);
        if (wider > 0 || shift > 0.01) problems.push([name, wider, shift]);
      }
      expect(problems).toEqual([]);
    });

    test('html-validate finds no error in any page', async () => {
      const headers = who === 'visitor' ? {} : await all.site.signIn(who);
      const problems: unknown[] = [];
      for (const [name, path] of Object.entries(pages[who])) {
        const text = await (await all.site.get(path, { ...headers, Accept: 'text/html' })).text();
        const { results } = await markup.validateString(text);
        for (const { messages } of results)
          problems.push(
            ...messages.map(({ ruleId, message, offset }) => [
              name,
              ruleId,
              message,
              text.slice(offset - 60, offset + 60),
            ]),
          );
      }
      expect(problems).toEqual([]);
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
  const problems: unknown[] = [];
  for (const [who, path, button] of refusals) {
    const window = await all.open(browser, who, { viewport: { width: 320, height: 640 } });
    const page = await window.newPage();
    await page.goto(path);
    // The browser's own checks would not send the form.
    await page.locator('main form').evaluateAll((forms) => {
      for (const form of forms) (form as HTMLFormElement).noValidate = true;
    });
    await page.locator(button).first().click();
    await page.getByRole('alert').waitFor();
    problems.push(...(await violationsOn(page)).map((violation) => [path, ...violation]));
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wider > 0) problems.push([path, wider]);
  }
  expect(problems).toEqual([]);
});

test('the first view loads at most 50 kB', async () => {
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
  const own = loaded.filter(({ name }) => !name.includes('/media/'));
  const bytes = own.reduce((sum, { size }) => sum + size, 0);

  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(maxBytes);
});

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Swagger's buttons change their colours slowly: in between, the contrast is too low. */
function finishTransitions(page: Page): Promise<unknown> {
  return page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}

/** The rules that the page breaks, each with the first element that breaks it. */
async function violationsOn(
  page: Page,
  only: object = {},
): Promise<[rule: string, html: string | undefined][]> {
  // The page's policy forbids other scripts, but not what the test evaluates.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    // Details are collected of broken rules only.
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(options),
    { resultTypes: ['violations'], ...only },
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
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
