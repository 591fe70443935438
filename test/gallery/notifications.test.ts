// Notifications, and what their owners see of them later.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count, integer, select } from '#sql';
import { notificationTable } from '../../src/core/changes/tables.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  contributor(4, 'mo'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'A boat' }),
);

const path = '/api/v1/me/notifications/';

interface Shown {
  readonly id: number;
  readonly kind: string;
  readonly is_read: boolean;
  readonly contributor_name: string | null;
  readonly title: string | null;
  readonly action: string | null;
  readonly reason: string | null;
}

const list = async (owner: Person, query = '') =>
  (await owner.json<{ results: Shown[] }>(`${path}${query}`)).results;

/** Such as "bob commented A lamp", newest first. */
const sentences = async (owner: Person, query?: string) =>
  (await list(owner, query)).map(({ kind, contributor_name, title, action, reason }) =>
    [contributor_name, kind, action, title, reason].filter(Boolean).join(' '),
  );

interface People {
  readonly ada: Person;
  readonly bob: Person;
  readonly cleo: Person;
  readonly mo: Person;
}

async function people(site: Site): Promise<People> {
  const [ada, bob, cleo] = await Promise.all(['ada', 'bob', 'cleo'].map((name) => person(site, name)));
  const mo = await person(site, 'mo', { role: 'moderator' });
  if (!ada || !bob || !cleo) throw new Error('there are three people');
  return { ada, bob, cleo, mo };
}

const idOf = async (response: Response) => ((await response.json()) as { id: number }).id;
const comment = async (author: Person, on: number, text: string) =>
  idOf(await author.post(`/api/v1/projects/${on}/comments/`, { text }));
const rate = (rater: Person, value: number) => rater.put('/api/v1/projects/1/rating/', { value });

onBothDatabases((kind) => {
  test('owners hear of comments, copies and first ratings, authors of replies, and nobody of their own acts', async () => {
    const { ada, bob, cleo } = await people(await siteOn(kind, { dump: gallery }));

    const bobs = await comment(bob, 1, 'Bright.');
    const adas = await comment(ada, bobs, 'Thanks.');
    await comment(cleo, adas, 'It is.');
    await comment(ada, 1, 'My own.');
    for (const value of [3, 4]) await rate(bob, value);
    await bob.delete('/api/v1/projects/1/rating/');
    await rate(bob, 5);
    const copy = await idOf(await cleo.post('/api/v1/projects/1/copy/'));
    expect(await sentences(ada)).toEqual(['rated A lamp', 'cleo answered A lamp', 'bob commented A lamp']);

    for (const visibility of ['public', 'private', 'public'])
      await cleo.patch(`/api/v1/projects/${copy}/`, { visibility });
    expect(await sentences(ada)).toEqual([
      'cleo copied A lamp',
      'rated A lamp',
      'cleo answered A lamp',
      'bob commented A lamp',
    ]);
    expect(await sentences(bob)).toEqual(['Ada Lovelace answered A lamp']);
    expect(await sentences(cleo)).toEqual([]);
  });

  test('a notification has the number of its change', async () => {
    const { ada, bob } = await people(await siteOn(kind, { dump: gallery }));
    await comment(bob, 1, 'Bright.');
    const [notification] = await list(ada);
    const id = notification?.id ?? 0;
    const { results } = await ada.json<{ results: unknown[] }>(`/api/v1/changes/?since=${id - 1}&limit=1`);
    expect(results).toMatchObject([{ sequence: id, kind: 'project', action: 'created', id: 3 }]);
    expect((await bob.get(`${path}${id}/`)).status).toBe(404);
  });

  test('what is hidden, deleted, withdrawn or of a deleted account is not shown, and comes back with it', async () => {
    const { ada, bob, cleo, mo } = await people(await siteOn(kind, { dump: gallery }));
    const bobs = await comment(bob, 1, 'Bright.');
    await comment(ada, bobs, 'Thanks.');
    await rate(bob, 5);
    await rate(cleo, 5);
    await comment(cleo, 1, 'Hm.');

    await ada.patch('/api/v1/projects/1/', { visibility: 'unlisted' });
    expect(await sentences(bob)).toEqual([]);
    await ada.patch('/api/v1/projects/1/', { visibility: 'public' });
    expect(await sentences(bob)).toEqual(['Ada Lovelace answered A lamp']);

    await bob.delete('/api/v1/projects/1/rating/');
    await mo.post(`/api/v1/projects/${bobs}/report/`, { reason: 'spam' });
    await mo.patch(`/api/v1/projects/${bobs}/`, { status: 3 });
    expect(await sentences(ada)).toEqual(['cleo commented A lamp', 'rated A lamp']);
    await cleo.delete('/api/v1/me/', { items: 'keep' });
    expect(await sentences(ada)).toEqual([]);
    await mo.patch(`/api/v1/projects/${bobs}/`, { status: 1 });
    expect(await sentences(ada)).toEqual(['bob commented A lamp']);
  });

  test('owners learn of decisions with their reasons, and people who reported learn of them without', async () => {
    const { ada, bob, mo } = await people(await siteOn(kind, { dump: gallery }));
    await bob.post('/api/v1/projects/1/report/', { reason: 'spam' });
    await mo.post('/api/v1/reports/1/decide/', { decision: 'remove', reason: 'It is spam.' });
    await bob.post('/api/v1/projects/2/report/', { reason: 'spam' });
    await mo.post('/api/v1/reports/2/decide/', { decision: 'leave' });
    await bob.post('/api/v1/contributors/1/report/', { words: 'Not her name.' });
    await mo.patch('/api/v1/contributors/1/', { first_name: 'Adah' });

    expect(await sentences(ada)).toEqual(['decided renamed', 'decided removed A lamp It is spam.']);
    // Bob may not see the lamp any more.
    expect(await sentences(bob)).toEqual(['decided renamed', 'decided left A boat', 'decided removed']);
    expect(await sentences(mo)).toEqual([]);
  });

  test('notifications are filtered, sorted, and marked as read one by one or up to one', async () => {
    const { ada, bob, cleo } = await people(await siteOn(kind, { dump: gallery }));
    await comment(bob, 1, 'One.');
    await rate(bob, 4);
    await rate(cleo, 4);
    const [newest, middle, oldest] = await list(ada);

    const patched = await ada.patch(`${path}${oldest?.id}/`, { is_read: true });
    expect(await patched.json()).toEqual({ ...oldest, is_read: true });
    expect(await sentences(ada, '?is_read=false&ordering=created')).toEqual(['rated A lamp', 'rated A lamp']);
    expect(await sentences(ada, '?kind=commented')).toEqual(['bob commented A lamp']);
    expect((await ada.post(`${path}mark-read/`, { up_to: middle?.id })).status).toBe(204);
    expect((await list(ada, '?is_read=false')).map(({ id }) => id)).toEqual([newest?.id ?? 0]);
    expect((await bob.patch(`${path}${newest?.id}/`, { is_read: true })).status).toBe(404);
    await ada.post(`${path}mark-read/`);
    expect(await list(ada, '?is_read=false')).toEqual([]);
    expect((await ada.get(`${path}?kind=liked`)).status).toBe(400);
  });

  test('people choose what they hear of, from then on', async () => {
    const { ada, bob, cleo } = await people(await siteOn(kind, { dump: gallery }));
    await rate(bob, 4);
    await ada.send('/account/notifications/settings/', { commented: 'on', decided: 'on' });
    await rate(cleo, 4);
    await comment(cleo, 1, 'Hm.');
    expect(await sentences(ada)).toEqual(['cleo commented A lamp', 'rated A lamp']);
    await ada.submit('/account/notifications/', 'Save', { rated: 'on' });
    await rate(await person(ada.site, 'mo'), 4);
    expect(await sentences(ada)).toEqual(['rated A lamp', 'cleo commented A lamp', 'rated A lamp']);
  });

  test('nobody displaces the notifications of others with comments that come and go', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob, cleo } = await people(site);
    await comment(cleo, 1, 'A good lamp.');
    // Their comments are in the trash.
    const row = { contributor: 1, kind: 'commented', actor: 2, created: Date.now() * 1000, is_read: 0 };
    const deleted = Array.from({ length: 100 }, (_, index) => ({
      ...row,
      subject: -index,
      number: 1000 + index,
    }));
    await site.database.transaction((transaction) => transaction.insert(notificationTable, deleted));
    await comment(bob, 1, 'One more.');
    await comment(cleo, 1, 'Another lamp is better.');
    expect(await sentences(ada)).toEqual(['cleo commented A lamp', 'cleo commented A lamp']);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update notification set is_read = 1`),
    );
    await comment(bob, 1, 'And one more.');
    expect((await sentences(ada, '?is_read=false')).length).toBe(1);
  });

  test('the latest thousand of 90 days are shown, and the others are deleted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada } = await people(site);
    const now = Date.now() * 1000;
    const day = 24 * 60 * 60 * 1_000_000;
    await site.database.transaction(async (transaction) => {
      const row = { contributor: 1, kind: 'rated', subject: 1, actor: 2, is_read: 0 };
      await transaction.run(
        sql`insert into rating (project, contributor, value, created, modified) values (1, 2, 5, 1, 1)`,
      );
      const numbers = Array.from({ length: 1700 }, (_, index) => 1000 + index);
      await transaction.insert(
        notificationTable,
        numbers.map((number) => ({
          ...row,
          subject: number < 2699 ? -number : 1,
          number,
          created: now - (number < 1900 ? 91 : 0) * day,
        })),
      );
    });
    await sweep(site.database, site.files);
    const columns = { first: integer(sql`min(number)`), last: integer(sql`max(number)`) };
    expect(await site.database.first(select(columns, sql`from notification`))).toEqual({
      first: 1900,
      last: 2699,
    });
    expect(await sentences(ada)).toEqual(['rated A lamp']);
  });

  test('a dump and one’s own data keep notifications, and an import into another gallery notifies nobody', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob } = await people(site);
    await comment(bob, 1, 'One.');
    await ada.post(`${path}mark-read/`);
    await rate(bob, 4);
    await ada.send('/account/notifications/settings/', { rated: 'on' });

    const text = await exportAll(site);
    const own = text.split('\n').filter((line) => line.startsWith('{"type":"notification'));
    expect(own).toHaveLength(3);
    const download = await (await ada.get('/api/v1/me/dump/')).text();
    // Nobody learns who gave a rating.
    const withoutRater = own.map((line) => line.replace('"subject":1,"actor":2', '"subject":1,"actor":null'));
    expect(download.split('\n').filter((line) => line.startsWith('{"type":"notification'))).toEqual(
      withoutRater,
    );

    const empty = await siteOn(kind);
    await importDump(empty.database, empty.files, 'a dump', new Blob([text]).stream());
    expect(await exportAll(empty)).toBe(text);
    const other = await siteOn(kind, { dump: dump(contributor(9, 'zoe')) });
    await importDump(other.database, other.files, 'a dump', new Blob([text]).stream());
    expect(await count(other.database, sql`from notification`)).toBe(0);
  });
});
