// Every page is the same on both databases, so that other tests of pages need only one. No page is forgotten.

import { beforeAll, expect, test } from 'bun:test';
import { pageRoutes } from '../../src/pages/index.ts';
import { type DemoSite, pages, serveDemo, viewers } from '../support/every-page.ts';

let demos: DemoSite[];
beforeAll(async () => {
  demos = [await serveDemo('SQLite'), await serveDemo('PostgreSQL')];
});

/** Without what differs between any two sites: tokens, keys of forms, identifiers of new projects, and times. */
const withoutSecrets = (html: string) =>
  html
    .replace(/(name="(csrfmiddlewaretoken|once|since|seen)" value=")[^"]*/g, '$1')
    .replace(/<b>(ETag|Last-Modified):<\/b>.*\n/g, '')
    .replace(/\/content\/\w{22}\//g, '/content/uuid/')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/[0-9a-f]{64}/g, 'hash')
    .replace(/\b\d\d:\d\d\b/g, 'hour');

for (const viewer of viewers)
  for (const [name, path] of Object.entries(pages[viewer]))
    test(`the page ${name} is the same on both databases`, async () => {
      const [one, other] = await Promise.all(
        demos.map(async ({ people }) => {
          const response = await people[viewer].browser.get(path, { Accept: 'text/html' });
          return [response.status, withoutSecrets(await response.text())];
        }),
      );
      expect(other).toEqual(one);
    });

test('the list of pages has a path for every page', () => {
  const visited = viewers.flatMap((viewer) =>
    Object.values(pages[viewer]).map((path) => path.replace(/\?.*/, '')),
  );
  const isVisited = (pattern: string) => {
    const parts = pattern.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
    return visited.some((path) => new RegExp(`^${parts.join('/')}$`).test(path));
  };
  // Not pages: what is for programs, files, and paths that only take forms.
  const shown = Object.entries(pageRoutes).filter(
    ([path, { show, isOpen }]) => !isOpen && show && !/[.*]|assets|accents|sitemaps/.test(path),
  );
  const byPage = Map.groupBy(shown, ([, { show }]) => show).values();
  const forgotten = byPage.filter((routes) => !routes.some(([path]) => isVisited(path)));
  // They follow another page, or need a secret: file-forms.test.ts opens the first, classes.test.ts the next,
  // learning-platform.test.ts those of courses, passkeys-browser.test.ts the second step, and sign-in-elsewhere.test.ts the
  // last.
  expect([...forgotten].map(([route]) => route?.[0])).toEqual([
    '/content/:uuid/:slug/describe/',
    '/join/',
    '/lti/login/',
    '/lti/course/',
    '/guardian/end/',
    '/guardian/zip/',
    '/sign-in/elsewhere/',
    '/sign-in/elsewhere/callback/',
    '/sign-in/elsewhere/new/',
    '/sign-in/second-step/',
    '/account/linked/:id/remove/',
  ]);
});
