// Checks of a page in Chromium: axe's rules and the width.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

/** Loads axe with each page that is opened: a quarter of the time that it takes afterwards. */
export const loadAxe = (page: Page) => page.addInitScript({ content: axe });

/** A dark page differs from a light one only in colours: see the first lines of assets/vitrine.css. */
export const colorRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** The rules that the page breaks, each with the first element that breaks it. */
export async function findViolations(
  page: Page,
  options: object = {},
): Promise<[rule: string, html: string | undefined][]> {
  // The Content-Security-Policy forbids a script element, but not what the test evaluates.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    // Collects details of broken rules only.
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(options),
    { resultTypes: ['violations'], ...options },
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

/** How many pixels the page is wider than its window. */
export function measureOverflow(): number {
  return document.documentElement.scrollWidth - innerWidth;
}
