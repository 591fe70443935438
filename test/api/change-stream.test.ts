// Following the changes: streams of server-sent events, and requests that wait.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { appendChangesOf, appendHiddenChanges } from '../support/hidden-changes.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { change, lamp, make, openSchool, review } from '../support/school.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const path = '/api/v1/changes/stream/';
const gallery = dump(adasLine, contributor(2, 'bob'), project(1), project(2, { contributor: 2 }));

async function follow(viewer: Person, query = '', headers = {}): Promise<EventReader> {
  const response = await viewer.get(path + query, { Accept: 'text/event-stream', ...headers });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  const events = new EventReader(response);
  closeLater(() => events.close());
  return events;
}

const readHead = async (site: Site) =>
  (await visitor(site).json<{ sequence: number }>('/api/v1/changes/head/')).sequence;

const summary = ({ data: { action, kind, id } }: { data: Record<string, unknown> }) =>
  `${kind} ${id} ${action}`;

onBothDatabases((kind) => {
  test('each viewer gets what they may see at that moment, as in the list and under its number', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    // Keys are changes, too.
    await ada.key();
    await bob.key();
    const start = await readHead(site);
    const streams = await Promise.all([visitor(site), bob].map((viewer) => follow(viewer)));
    const [toVisitor, toBob] = streams as [EventReader, EventReader];

    await ada.patch('/api/v1/projects/1/', { title: 'Kite' });
    await bob.post('/api/v1/projects/', { title: 'Secret', visibility: 'private' });
    await bob.patch('/api/v1/projects/2/', { visibility: 'private' });
    await ada.patch('/api/v1/projects/1/', { title: 'Red kite' });

    const seen = await toVisitor.take(3);
    expect(seen.map(summary)).toEqual(['project 1 changed', 'project 2 gone', 'project 1 changed']);
    expect((await toBob.take(4)).map(summary)).toEqual([
      'project 1 changed',
      'project 3 created',
      'project 2 changed',
      'project 1 changed',
    ]);
    const { results } = await visitor(site).json<{ results: { sequence: number }[] }>(
      `/api/v1/changes/?since=${start}`,
    );
    expect(seen.map(({ data }) => data)).toEqual(results);
    expect(seen.map(({ id }) => id)).toEqual(results.map(({ sequence }) => sequence));
  });

  test('who comes back, or was slow, gets everything since the last event, however far back, and then what happens', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    const start = await readHead(site);
    const slow = await follow(visitor(site));
    await ada.patch('/api/v1/projects/1/', { title: 'Before' });
    await appendHiddenChanges(site, 6000);
    await appendChangesOf(1, site, 450);

    const returned = await follow(visitor(site), '?since=0', { 'Last-Event-ID': String(start) });
    for (const events of [returned, slow]) {
      const past = await events.take(451);
      await ada.patch('/api/v1/projects/1/', { title: 'Now' });
      const ids = [...past, ...(await events.take(1))].map(({ id }) => id);
      expect(ids[0]).toBe(start + 1);
      expect(ids.slice(1)).toEqual(Array.from({ length: 451 }, (_, index) => start + 6002 + index));
    }
  });

  test('all who come back at once, as after a restart, are let in', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_STREAM_LIMIT: 'off' } });
    const streams = await Promise.all(
      Array.from({ length: 500 }, () => site.get(path, { 'Last-Event-ID': '1' })),
    );
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(streams.map(({ body }) => body?.cancel()));
  });

  test('somebody with many streams that catch up does not keep others from theirs', async () => {
    const tags = Array.from({ length: 12 }, (_, index) => `tag${index}`);
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    expect((await ada.patch('/api/v1/projects/1/', { tags: tags.join(',') })).status).toBe(200);
    await bob.key();
    const start = await readHead(site);
    await appendChangesOf(1, site, 450);
    const finished: string[] = [];
    const read = async (viewer: Person, name: string, query: string) => {
      await (await follow(viewer, `?since=${start}${query}`)).take(450);
      finished.push(name);
    };
    const ofAda = tags.map((tag) => read(ada, 'ada', `&tags=${tag}`));
    await Promise.all([...ofAda, read(bob, 'bob', '')]);
    expect(finished.indexOf('bob')).toBe(0);
  });

  test('a stream with filters has the changes of projects that match, and everything that is gone', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const start = await readHead(site);
    const create = async (maker: Person, members: object) =>
      ((await (await maker.post('/api/v1/projects/', members)).json()) as { id: number }).id;
    const kite = await create(ada, { title: 'Kite', content_type: 'question', tags: 'Paper, wind' });
    const copy = await create(bob, { title: 'Remix', tags: 'paper' });
    await ada.patch('/api/v1/projects/1/', { visibility: 'private' });
    await ada.patch(`/api/v1/projects/${kite}/`, { title: 'Red kite' });

    const expected: [query: string, summaries: string[]][] = [
      ['content_type=question', [`project ${kite} created`, 'project 1 gone', `project ${kite} changed`]],
      ['tags=PAPER', [kite, copy].map((id) => `project ${id} created`)],
      ['tags=paper,wind', [`project ${kite} created`, 'project 1 gone']],
      ['contributor=bob', [`project ${copy} created`, 'project 1 gone']],
    ];
    const live = await Promise.all(expected.map(([query]) => follow(visitor(site), `?${query}`)));
    for (const [query, summaries] of expected) {
      const events = await follow(visitor(site), `?since=${start}&${query}`);
      expect((await events.take(summaries.length)).map(summary)).toEqual(summaries);
      const page = await visitor(site).json<{ results: Record<string, unknown>[] }>(
        `/api/v1/changes/?since=${start}&${query}`,
      );
      expect(page.results.map((data) => summary({ data })).slice(0, summaries.length)).toEqual(summaries);
    }
    const own = await follow(bob, `?since=${start}&contributor=me`);
    expect((await own.take(1)).map(summary)).toEqual([`project ${copy} created`]);

    await bob.patch(`/api/v1/projects/${copy}/`, { title: 'Second remix' });
    await bob.patch('/api/v1/projects/2/', { visibility: 'private' });
    expect(await Promise.all(live.map(async (events) => (await events.take(1)).map(summary)))).toEqual([
      ['project 2 gone'],
      [`project ${copy} changed`],
      ['project 2 gone'],
      [`project ${copy} changed`],
    ]);
  });

  test('a stream ends when its key or session does, or the account is closed or may do something else', async () => {
    const names = ['bob', 'eve', 'ivy', 'sam'];
    const people = names.map((name, index) => contributor(index + 2, name));
    const site = await siteOn(kind, { dump: dump(adasLine, project(1), ...people) });
    const ada = await person(site, 'ada');
    const [bob, eve, ivy, sam] = (await Promise.all(names.map((name) => person(site, name)))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const others = await Promise.all([follow(visitor(site)), follow(ada)]);
    const streams = await Promise.all([bob, ivy, sam].map((viewer) => follow(viewer)));
    const bySession = new EventReader(await eve.browser.get(path));
    await bob.delete(`/api/v1/auth/keys/${(await bob.json<{ id: number }[]>('/api/v1/auth/keys/'))[0]?.id}/`);
    await eve.browser.send('/sign-out/');
    await site.key('ivy', { role: 'moderator' });
    await site.key('sam', { disabled: true });
    // Nothing that happens from now on reaches them, before the streams are ended either.
    await ada.patch('/api/v1/projects/1/', { title: 'Kite' });
    for (const events of [...streams, bySession]) await events.waitForEnd();
    for (const events of others) expect((await events.take(1)).map(summary)).toEqual(['project 1 changed']);
  });

  test('the people of a class, and those who review, get what they read in each way', async () => {
    const { site, kim, lee, tess, ann, bob } = await openSchool(kind);
    const work = await make(kim, { visibility: 'public' });
    expect(await review(tess, work)).toBe(200);
    const readers = [kim, lee, tess, bob];
    const changes = async (write: () => Promise<unknown>) => {
      const start = await readHead(site);
      const read = async (reader: Person, query: string) =>
        (await reader.json<{ results: object[] }>(`/api/v1/changes/?since=${start}${query}`)).results;
      const waiting = readers.map((reader) => read(reader, '&wait=30'));
      await waitFor(() => site.countOpenResponses() === readers.length);
      await write();
      const answers = await Promise.all(waiting);
      expect(answers).toEqual(await Promise.all(readers.map((reader) => read(reader, ''))));
      return answers.map((entries) => entries.map((entry) => (entry as { action: string }).action).join());
    };
    expect(await changes(() => change(ann, { id: lamp }, { visibility: 'class' }))).toEqual([
      ...['changed', 'changed', 'changed', 'gone'],
    ]);
    expect(await changes(() => change(kim, work, { text: 'New words' }))).toEqual([
      ...['changed', 'gone', 'changed', 'gone'],
    ]);
  });

  test('a request that waits is answered with the next change that its viewer may see', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    const start = await readHead(site);
    const wait = (query: string) => visitor(site).get(`/api/v1/changes/?since=${start}&${query}`);
    const waiting = ['wait=30', 'wait=30&limit=1', 'wait=30&tags=paper'].map(wait);
    await ada.post('/api/v1/projects/', { title: 'Secret', visibility: 'private' });
    await ada.patch('/api/v1/projects/1/', { tags: 'paper' });
    const answers = await Promise.all(waiting);
    for (const answer of answers) {
      expect(answer.headers.get('Cache-Control')).toContain('no-store');
      expect(await answer.json()).toEqual({
        last: start + 2,
        next: null,
        results: [expect.objectContaining({ sequence: start + 2, action: 'changed', id: 1 })],
      });
    }
    const startedAt = performance.now();
    expect(await visitor(site).json(`/api/v1/changes/?since=${start + 2}&wait=1`)).toEqual({
      last: start + 2,
      next: null,
      results: [],
    });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });
});

test('streams have limits for each address, which HEAD does not count for, and errors before they begin', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_STREAM_LIMIT: '2' } });
  const viewer = visitor(site);
  const [first] = await Promise.all([follow(viewer), follow(viewer)]);
  const refused = await viewer.get(path);
  expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toEqual([
    429,
    '10',
    { detail: 'Request was throttled. Expected available in 10 seconds.' },
  ]);
  expect((await viewer.get('/api/v1/changes/?since=4&wait=5')).status).toBe(429);
  await first?.close();
  for (let count = 0; count < 3; count++) {
    const head = await viewer.request('HEAD', path);
    expect([head.status, head.headers.get('X-Accel-Buffering'), head.headers.get('Cache-Control')]).toEqual([
      200,
      'no',
      'no-store',
    ]);
  }
  await follow(viewer);

  const statusOf = async (query: string, headers = {}) => {
    const response = await site.get(path + query, headers);
    return [response.status, await response.json()];
  };
  const reached =
    'This gallery has not reached change 99, perhaps because it was restored from a backup: begin anew with since=0.';
  expect(await statusOf('?since=99')).toEqual([410, { detail: reached }]);
  expect(await statusOf('?since=1', { 'Last-Event-ID': '99' })).toEqual([410, { detail: reached }]);
  for (const id of ['x', ''])
    expect(await statusOf('', { 'Last-Event-ID': id })).toEqual([
      400,
      { 'Last-Event-ID': ['Enter a whole number from 0 to 9007199254740991.'] },
    ]);
  expect(await statusOf('?search=kite&status=1')).toEqual([
    400,
    { status: ['A stream has no such filter.'], search: ['A stream has no such filter.'] },
  ]);
  expect(await statusOf('?contributor=me')).toMatchObject([401, {}]);
  expect((await statusOf(`?tags=${'x'.repeat(3000)}`))[0]).toBe(400);
});
