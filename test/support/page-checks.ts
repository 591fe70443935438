// Checks of every page: it fits its window and does not shift, axe finds no violation, and its markup is valid.

import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Page } from 'playwright-core';
import { loadAxe } from './accessibility.ts';
import { openBrowser, openWindow } from './browser.ts';
import type { DemoSite, Viewer } from './every-page.ts';

const rules = new StaticConfigLoader({
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
// Otherwise they are resolved for each page, which takes a quarter of its validation.
const resolvedRules = await rules.getConfigFor('');
rules.getConfigFor = () => resolvedRules;
const markup = new HtmlValidate(rules);

/** What the validator of the W3C finds, and html-validate does not. */
const alsoInvalid = /<time>\s*<\/time>|<select[^>]* required[^>]*>(?!<option value="">)/g;

export const narrow = { width: 320, height: 640 };
export const wide = { width: 1280, height: 900 };

/** A window in which a person of the demo gallery opens one page after the other. */
export class WatchedWindow {
  /** What the browser complains of since the last page was opened. */
  problems: unknown[] = [];
  #showPictures = () => {};
  #shownAt = 0;

  private constructor(readonly page: Page) {}

  static async open({ site, people }: DemoSite, viewer: Viewer): Promise<WatchedWindow> {
    const window = await openWindow(await openBrowser(), people[viewer], { locale: 'en-GB' });
    const watched = new WatchedWindow(await window.newPage());
    await watched.#watch(site.serve());
    return watched;
  }

  async #watch(origin: string): Promise<void> {
    await loadAxe(this.page);
    let pictures = Promise.withResolvers<void>();
    this.#showPictures = () => {
      pictures.resolve();
      pictures = Promise.withResolvers();
    };
    await this.page.route('**/media/**', async (route) => {
      await pictures.promise;
      await route.continue();
    });
    this.page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40[04]/.test(message.text()))
        this.problems.push(message.text());
    });
    this.page.on('pageerror', (error) => this.problems.push(error.message));
    this.page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.problems.push(request.url());
    });
  }

  /** Its pictures come after it was shown: a page that has no room for them shifts. Returns its markup. */
  async goto(path: string): Promise<string> {
    this.problems = [];
    const response = await this.page.goto(path, { waitUntil: 'domcontentloaded' });
    this.#shownAt = await this.page.evaluate(untilShown);
    this.#showPictures();
    await this.page.waitForLoadState('load');
    return (await response?.text()) ?? '';
  }

  /** How far elements moved after they were first shown, until now. */
  measureShift(): Promise<number> {
    return this.page.evaluate(measureShift, this.#shownAt);
  }
}

/** When it is painted in its own letters, which come earlier or later: the second frame begins when the first has been painted. */
async function untilShown(): Promise<number> {
  await document.fonts.ready;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now();
}

async function measureShift(since: number): Promise<number> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: 'layout-shift', buffered: true });
  const shifts = observer.takeRecords() as (PerformanceEntry & { value: number })[];
  return shifts.filter(({ startTime }) => startTime >= since).reduce((sum, { value }) => sum + value, 0);
}

export async function findInvalidMarkup(name: string, html: string): Promise<unknown[]> {
  const { results } = await markup.validateString(html);
  return [
    ...[...html.matchAll(alsoInvalid)].map(([wrong]) => wrong),
    ...results
      .flatMap(({ messages }) => messages)
      // Nobody reads a wall to the end: without a script it renews itself.
      .filter(({ ruleId }) => !(name.startsWith('wall') && ruleId === 'meta-refresh'))
      .map(({ ruleId, message, offset }) => [ruleId, message, html.slice(offset - 60, offset + 60)]),
  ];
}

/** Of the colours for the frame of a phone's browser, whether that of the present scheme is the colour of the page. */
export function findThemeColors(): boolean[] {
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
  return metas
    .filter(({ media }) => matchMedia(media).matches)
    .map(({ content }) => {
      const sample = document.createElement('i');
      sample.style.color = content;
      return sample.style.color === paper;
    });
}
