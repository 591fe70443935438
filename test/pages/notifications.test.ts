// The page of notifications, the count in the header, and the feed with a secret address.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { childrenOf, parseXml } from '../support/xml.ts';

const gallery = dump(
  adasLine,
  ...['bob', 'cleo', 'dan'].map((name, index) => contributor(index + 2, name)),
  project(1, { title: 'A lamp' }),
);

const path = '/account/notifications/';
const rate = (rater: Person, value: number) => rater.put('/api/v1/projects/1/rating/', { value });

const nameOfCount = async (owner: Person, address = path) =>
  (await owner.open(address)).attributesOf('.bell', 'aria-label');

async function raters(site: Site): Promise<Person[]> {
  return Promise.all(['bob', 'cleo', 'dan'].map((name) => person(site, name)));
}

const addressIn = (html: string) => /\/notifications\.atom\?code=[\w-]+/.exec(html)?.[0] ?? '';
const titlesIn = async (response: Response) =>
  childrenOf(parseXml(await response.text()), 'entry').map((entry) => childrenOf(entry, 'title')[0]?.text);

onBothDatabases((kind) => {
  test('the header counts what is not read, and the page groups ratings', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    expect(await nameOfCount(ada, '/')).toEqual(['Notifications']);
    for (const rater of await raters(site)) await rate(rater, 5);
    await (await person(site, 'bob')).post('/api/v1/projects/1/comments/', { text: 'Bright & clear.' });

    expect(await nameOfCount(ada, '/')).toEqual(['Notifications: 4 unread']);
    const [newest = '', ratings = ''] = (await ada.open(path)).textsOf('main ol > li');
    expect(newest).toMatch(/^New bob commented on A lamp ?Bright & clear\. ?\d/);
    expect(ratings).toMatch(/^New 3 people rated A lamp ?\d/);

    expect((await ada.submit(path, 'Mark all as read')).headers.get('Location')).toBe(path);
    expect(await nameOfCount(ada)).toEqual(['Notifications']);
    const page = await ada.open(path);
    expect([page.textsOf('main .badge'), page.hasButton('Mark all as read')]).toEqual([[], false]);
    expect(await nameOfCount(visitor(site), '/')).toEqual([]);
  });

  test('a feed is at a secret address, until there is a new one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const [bob] = await raters(site);
    if (bob) await rate(bob, 5);

    const created = await (await ada.submit(path, 'Create a feed')).text();
    const address = addressIn(created);
    const response = await site.get(address);
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
    const again = await site.get(address, { 'If-None-Match': response.headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
    expect(await titlesIn(response)).toEqual(['Somebody rated A lamp']);
    expect(addressIn((await ada.open(path)).html)).toBe('');
    expect(site.logged.join('\n')).not.toContain(address.slice(-43));

    const renewed = addressIn(await (await ada.submit(path, 'New address')).text());
    expect((await site.get(address)).status).toBe(404);
    expect(await titlesIn(await site.get(renewed))).toEqual(['Somebody rated A lamp']);
    await bob?.delete('/api/v1/projects/1/rating/');
    expect(await titlesIn(await site.get(renewed))).toEqual([]);
    await site.database.transaction((transaction) => transaction.run(sql`update account set disabled = 1`));
    expect((await site.get(renewed)).status).toBe(404);
    expect((await site.get('/notifications.atom')).status).toBe(404);
  });
});
