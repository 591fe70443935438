// Each page is opened once, and everything that is true of all pages is looked at then. No page is forgotten. Other tests of
// pages need only one database. `npm run test:more` opens them again in dark and forced colours and in more widths.

import { beforeAll, expect, test } from 'bun:test';
import { features } from '../../src/features/index.ts';
import { loadPages } from '../../src/server/page-routes.ts';
import { findViolations, measureOverflow } from '../support/accessibility.ts';
import { type DemoSite, pages, serveDemo, type Viewer, viewers } from '../support/every-page.ts';
import { Page } from '../support/html.ts';
import { findInvalidMarkup, narrow, WatchedWindow, wide } from '../support/page-checks.ts';

let demo: DemoSite;
let onPostgres: DemoSite;
const windows = new Map<Viewer, WatchedWindow>();

beforeAll(async () => {
  demo = await serveDemo('SQLite');
  onPostgres = await serveDemo('PostgreSQL');
  for (const viewer of viewers) windows.set(viewer, await WatchedWindow.open(demo, viewer));
});

/** The addresses that some page has led to. */
const followed = new Set<string>();

/** The links, pictures, styles and scripts of a page that nobody gets, and that no page before had. */
async function findBrokenLinks(viewer: Viewer, path: string, html: string): Promise<unknown[]> {
  const { browser } = demo.people[viewer];
  const page = new Page(html);
  const { origin, host: Host } = new URL(demo.site.serve());
  const broken: unknown[] = [];
  followed.add(path);
  for (const address of [...page.attributesOf('[href]', 'href'), ...page.attributesOf('[src]', 'src')]) {
    const { origin: linkOrigin, pathname, search, searchParams } = new URL(address, origin + path);
    // Every list links to itself with one more filter or another order: too many combinations to follow.
    const isCombined = [...searchParams.keys()].filter((name) => name !== 'page').length > 1;
    if (linkOrigin !== origin || isCombined || followed.has(pathname + search) || address.startsWith('#'))
      continue;
    followed.add(pathname + search);
    const headers = { ...browser.headers, Accept: 'text/html,*/*;q=0.8', Host };
    // Without a body, it does not count as a view.
    const { status } = await demo.site.request(pathname + search, { method: 'HEAD', headers });
    if (status !== 200 && !isExpected(pathname + search, status)) broken.push([address, status]);
  }
  return broken;
}

/** The documentation links to operations for people who are signed in or for other methods; other links need a sign-in. */
const isExpected = (path: string, status: number) =>
  (path.startsWith('/api/v1/') && status === 401) ||
  // The page of an error has links to its other formats.
  (path.endsWith('?content_type=x') && status === 400) ||
  (path.startsWith('/api/v1/auth/') && status === 405) ||
  (/\/(report|offer)\/$/.test(path) && status === 303) ||
  // The service of the school does not exist.
  (path.startsWith('/sign-in/elsewhere/') && status === 503);

/** Without what differs between any two sites: tokens, keys of forms, identifiers of new projects, and times. */
const withoutSecrets = (html: string) =>
  html
    .replace(/(name="(csrfmiddlewaretoken|once|since|seen|kept)" value=")[^"]*/g, '$1')
    .replace(/<b>(ETag|Last-Modified):<\/b>.*\n/g, '')
    .replace(/\/content\/\w{22}\//g, '/content/uuid/')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/[0-9a-f]{64}/g, 'hash')
    .replace(/\b\d\d:\d\d\b/g, 'hour');

for (const viewer of viewers)
  for (const [name, path] of Object.entries(pages[viewer]))
    test(`the page ${name} fits 320 pixels, does not shift, is valid and accessible, has no broken link, and is the same on both databases`, async () => {
      const window = windows.get(viewer) as WatchedWindow;
      const { page } = window;
      await page.setViewportSize(narrow);
      const html = await window.goto(path);
      expect(await page.evaluate(measureOverflow)).toBeLessThanOrEqual(0);
      expect(await window.measureShift()).toBeLessThanOrEqual(0.01);
      await page.setViewportSize(wide);
      expect(await findViolations(page)).toEqual([]);
      expect(window.problems).toEqual([]);
      expect(await findInvalidMarkup(name, html)).toEqual([]);
      expect(await findBrokenLinks(viewer, path, html)).toEqual([]);

      const { host: Host } = new URL(demo.site.serve());
      const response = await onPostgres.people[viewer].browser.get(path, { Accept: 'text/html', Host });
      expect(withoutSecrets(await response.text())).toBe(withoutSecrets(html));
    });

test('the list of pages has a path for every page', async () => {
  const visited = viewers.flatMap((viewer) =>
    Object.values(pages[viewer]).map((path) => path.replace(/\?.*/, '')),
  );
  const isVisited = (pattern: string) => {
    const parts = pattern.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
    return visited.some((path) => new RegExp(`^${parts.join('/')}$`).test(path));
  };
  // Not pages: what is for programs, files, and paths that only take forms.
  const shown = Object.entries((await loadPages(features)).routes).filter(
    ([path, { show, isOpen }]) => !isOpen && show && !/[.*]|assets|accents|sitemaps/.test(path),
  );
  const byPage = Map.groupBy(shown, ([, { show }]) => show).values();
  const forgotten = byPage.filter((routes) => !routes.some(([path]) => isVisited(path)));
  // They follow another page, or need a secret: passkeys-browser.test.ts opens the second step, sign-in-elsewhere.test.ts the
  // next, classes.test.ts those of classes, and learning-platform.test.ts those of courses.
  expect([...forgotten].map(([route]) => route?.[0])).toEqual([
    '/sign-in/second-step/',
    '/sign-in/elsewhere/',
    '/sign-in/elsewhere/callback/',
    '/sign-in/elsewhere/new/',
    '/account/linked/:id/remove/',
    '/join/',
    '/guardian/pictures/:project/:number/',
    '/guardian/end/',
    '/guardian/zip/',
    '/lti/login/',
    '/lti/course/',
  ]);
});
