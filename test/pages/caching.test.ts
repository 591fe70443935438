// The headers that tell caches what they may keep.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite' }), project(3, { title: 'Draft', status: 0 }));
const cacheHeaders = ({ headers }: Response) => [headers.get('Cache-Control'), headers.get('Vary')];

onOneDatabase((kind) => {
  test('only the browser of a signed-in person may cache their pages, and no drafts', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    expect(cacheHeaders(await visitor(site).get('/'))).toEqual(['no-cache', 'Cookie, Accept-Language']);
    expect(cacheHeaders(await ada.browser.get('/'))).toEqual([
      'private, no-cache',
      'Cookie, Accept-Language',
    ]);
    expect(cacheHeaders(await ada.browser.get(pathOf(1)))).toEqual([
      'private, no-cache',
      'Cookie, Accept-Language',
    ]);
    expect(cacheHeaders(await ada.browser.get(pathOf(3)))).toEqual(['no-store', 'Cookie, Accept-Language']);
    expect(cacheHeaders(await ada.browser.get('/new/text/'))).toEqual([
      'no-store',
      'Cookie, Accept-Language',
    ]);
  });

  test('caches ask again for redirects to titles, which change, and do not store missing pages', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    const redirectToDraft = await ada.browser.get(pathOf(3, 'x'));
    expect(redirectToDraft.headers.get('Cache-Control')).toBe('private, no-cache');
    const redirect = await visitor(site).get(pathOf(1, 'x'));
    expect(redirect.headers.get('Cache-Control')).toBe('no-cache');

    expect(cacheHeaders(await visitor(site).get(pathOf(3, 'x')))).toEqual([
      'no-store',
      'Cookie, Accept-Language',
    ]);
    expect(cacheHeaders(await ada.browser.get('/nowhere/'))).toEqual(['no-store', 'Cookie, Accept-Language']);
  });
});
