// Every page is the same on both databases, so that other tests of pages need only one.

import { beforeAll, expect, test } from 'bun:test';
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
