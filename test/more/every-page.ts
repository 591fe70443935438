// Every page again, in what `npm test` does not look at: dark and forced colours, and the widths of tablets and screens.
// `npm run test:more`.

import { beforeAll, expect, test } from 'bun:test';
import { looks } from '../../src/core/site/site-fields.ts';
import { colorRules, findViolations, measureOverflow } from '../support/accessibility.ts';
import {
  type DemoSite,
  pages,
  pagesOfLooks,
  serveDemo,
  type Viewer,
  viewers,
} from '../support/every-page.ts';
import { findThemeColors, WatchedWindow } from '../support/page-checks.ts';

const widths = [390, 768, 1280, 1920];

let demo: DemoSite;
const windows = new Map<Viewer, WatchedWindow>();
beforeAll(async () => {
  demo = await serveDemo('SQLite');
  for (const viewer of viewers) windows.set(viewer, await WatchedWindow.open(demo, viewer));
});

for (const viewer of viewers)
  for (const [name, path] of Object.entries(pages[viewer]))
    test(`the page ${name} is readable in dark colours, has its fields in forced ones, and fits every width`, async () => {
      const window = windows.get(viewer) as WatchedWindow;
      const { page } = window;
      await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
      await window.goto(path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await page.evaluate(measureOverflow)]).toEqual([width, 0]);
      }
      expect(await findViolations(page, colorRules)).toEqual([]);
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await page.evaluate(findFieldsWithoutBorder)).toEqual([]);
      expect(window.problems).toEqual([]);
    });

/** With forced colours there are no backgrounds: a field that only its background shows cannot be seen. */
function findFieldsWithoutBorder(): string[] {
  const fields = [...document.querySelectorAll<HTMLElement>('input, textarea, select')].filter(
    (field) =>
      field.checkVisibility({ opacityProperty: true }) && getComputedStyle(field).appearance === 'none',
  );
  const hasBorder = (element: Element | null): boolean =>
    element !== null &&
    element !== document.body &&
    (Number.parseFloat(getComputedStyle(element).borderBottomWidth) > 0 || hasBorder(element.parentElement));
  return fields.filter((field) => !hasBorder(field)).map((field) => field.outerHTML);
}

for (const look of looks)
  test(`the look ${look} is readable in dark colours`, async () => {
    const window = windows.get('contributor') as WatchedWindow;
    const { page } = window;
    await demo.people.moderator.send('/admin/site/', { look, accent: 'copper' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
    for (const path of pagesOfLooks) {
      await window.goto(path);
      expect(await findViolations(page, colorRules)).toEqual([]);
      if (path === '/') expect(await page.evaluate(findThemeColors)).toEqual([true]);
    }
    await demo.people.moderator.send('/admin/site/', { look: '', accent: '' });
  });
