// Many people write to the same few projects at the same time: afterwards derived data is right, the change log is
// complete and in order, and nobody got an internal error.

import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { count, pick, select } from '#sql';
import { changeHeadTable, changeTable } from '../../src/core/changes/tables.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { projectTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const people = ['ada', 'ben', 'cleo', 'dora', 'emil', 'fay', 'gus', 'hana'] as const;
type Username = (typeof people)[number] | 'mo';

const shared = [1, 2, 3, 4, 5, 6];
const gallery = dump(
  ...people.map((username, index) => contributor(index + 1, username, { last_name: `Of ${username}` })),
  contributor(9, 'mo'),
  ...shared.map((id) => project(id, { contributor: id, tags: ['shared', `of ${id}`] })),
  // Comments exist already: their threads are hidden and shown from the start.
  ...shared.map((id) =>
    project(10 + id, { contributor: 1 + (id % 8), content_type: 'comment', parent: id, tags: ['shared'] }),
  ),
  project(20, { contributor: 8, title: 'The whole', rating_count: 2, rating_sum: 9, karma: 9 }),
);

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const visibilities = ['public', 'unlisted', 'private'];

interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const requests: ((item: number, number: (below: number) => number) => WriteRequest)[] = [
  (id, number) => ({ method: 'PUT', path: `${id}/rating/`, body: { value: 1 + number(5) } }),
  (id) => ({ method: 'DELETE', path: `${id}/rating/` }),
  (id, number) => ({
    method: 'POST',
    path: `${id}/comments/`,
    body: { text: 'So it is.', tags: `shared, tag ${number(3)}`, visibility: visibilities[number(3)] },
  }),
  (id) => ({ method: 'POST', path: `${id}/copy/` }),
  (id) => ({ method: 'POST', path: `${id}/report/`, body: { reason: 'spam' } }),
  (id, number) => ({ method: 'PATCH', path: `${id}/`, body: { visibility: visibilities[number(3)] } }),
  (id, number) => ({ method: 'PATCH', path: `${id}/`, body: { status: number(4) } }),
  (id, number) => ({
    method: 'PATCH',
    path: `${id}/`,
    body: { title: `Title ${number(5)}`, tags: ['shared', `tag ${number(3)}`] },
  }),
  (id, number) => ({
    method: 'PATCH',
    path: `${id}/`,
    body: { content_type: number(2) ? 'photo' : 'text', text: `Text ${number(5)}.` },
  }),
  (id) => ({ method: 'DELETE', path: `${id}/` }),
  (id) => ({ method: 'POST', path: `${id}/restore/` }),
];

/** The statuses that a write may have: any but that of an internal error. */
const allowedStatuses = [200, 201, 204, 400, 403, 404];

class Crowd {
  private constructor(
    readonly sites: readonly Site[],
    private readonly keys: Record<Username, Record<string, string>>,
  ) {}

  static async at(...sites: [Site, ...Site[]]): Promise<Crowd> {
    const keys = {} as Record<Username, Record<string, string>>;
    for (const person of people) keys[person] = await sites[0].key(person);
    keys.mo = await sites[0].key('mo', { role: 'moderator' });
    return new Crowd(sites, keys);
  }

  async send(
    person: Username,
    { method, path, body }: WriteRequest,
    siteIndex = 0,
    headers: Record<string, string> = {},
  ) {
    const site = this.sites[siteIndex % this.sites.length] as Site;
    return site.request(`/api/v1/projects/${path}`, {
      method,
      headers: { ...this.keys[person], ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
  }
}

async function findWrongSums(site: Site) {
  return site.database.all(
    select(
      pick(projectTable.columns, 'id'),
      sql`from project where
          rating_count <> opening_rating_count + (select count(*) from rating where project = project.id)
          or rating_sum <> opening_rating_sum + (select coalesce(sum(value), 0) from rating where project = project.id)`,
    ),
  );
}

interface Entry {
  readonly sequence: number;
  readonly action: string;
  readonly kind: string;
  readonly id: number;
}

onBothDatabases((kind) => {
  /** Two servers at one database. */
  let site: Site;
  let other: Site;
  let crowd: Crowd;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
    other = await siteAt(site.address);
    crowd = await Crowd.at(site, other);
  });

  const record = async (id: number) => (await crowd.send('mo', { method: 'GET', path: `${id}/` })).json();

  test('64 people write to a few projects at the same time through two servers, and all figures are right', async () => {
    const counts = new Map<number, number>();
    const unexpected: unknown[] = [];
    const items = [...shared, ...shared, ...shared.map((id) => 10 + id)];
    const writer = async (index: number) => {
      const number = numbers(index + 1);
      for (let step = 0; step < 12; step++) {
        const item = items[number(items.length)] as number;
        const request = (requests[number(requests.length)] as (typeof requests)[number])(item, number);
        const person = number(4) === 0 ? 'mo' : (people[index % people.length] as Username);
        const response = await crowd.send(person, request, index);
        const body = await response.text();
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
        if (!allowedStatuses.includes(response.status))
          unexpected.push([person, request, response.status, body]);
        const created = response.status === 201 ? (JSON.parse(body) as { id: number }).id : undefined;
        // New comments are commented on, new copies copied.
        if (created !== undefined && number(3) === 0) items.push(created);
      }
    };
    const isRare = (status: number) => (counts.get(status) ?? 0) <= 20;
    do await Promise.all(Array.from({ length: 64 }, (_, index) => writer(index)));
    while ([200, 201, 204, 404].some(isRare));

    expect(unexpected).toEqual([]);
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await findWrongSums(site)).toEqual([]);
    expect([...site.logged, ...other.logged].filter((line) => line.includes('fault'))).toEqual([]);
  });

  test('a thread that is hidden and shown while people comment is as visible as its project', async () => {
    const visible = ['public', 'unlisted', 'private'];
    for (let round = 0; round < 8; round++) {
      const responses = await Promise.all([
        ...visible.map((visibility, index) =>
          crowd.send('mo', { method: 'PATCH', path: '6/', body: { visibility, status: 1 } }, index),
        ),
        ...people.map((person, index) =>
          crowd.send(person, { method: 'POST', path: '16/comments/', body: { text: 'Yes.' } }, index),
        ),
        ...people.map((_, index) =>
          crowd.send(
            'mo',
            { method: 'PATCH', path: '16/', body: { status: index % 3, tags: 'said' } },
            index,
          ),
        ),
        crowd.send('mo', { method: 'DELETE', path: '16/' }, 1),
        crowd.send('mo', { method: 'POST', path: '16/restore/' }, 0),
      ]);
      for (const { status } of responses) expect(allowedStatuses).toContain(status);
      expect(await checkGallery(site.database, false)).toEqual([]);
      await crowd.send('mo', { method: 'POST', path: '16/restore/' });
    }
  });

  test('a comment that is deleted and restored while its project is hidden and shown is counted once', async () => {
    const repeatedly = async (writer: number, requestAt: (step: number) => WriteRequest) => {
      for (let step = 0; step < 40; step++) {
        const { status } = await crowd.send('mo', requestAt(step), writer);
        expect(allowedStatuses).toContain(status);
      }
    };
    const hideAndShow = (step: number) => ({
      method: 'PATCH',
      path: '6/',
      body: { visibility: visibilities[step % 3], status: 1 },
    });
    const change = (step: number) => ({ method: 'PATCH', path: '16/', body: { status: step % 3 } });
    const deleteAndRestore = (step: number) =>
      step % 2 ? { method: 'POST', path: '16/restore/' } : { method: 'DELETE', path: '16/' };
    await Promise.all(
      [hideAndShow, hideAndShow, change, change, change, change, deleteAndRestore, deleteAndRestore].map(
        (requestAt, writer) => repeatedly(writer, requestAt),
      ),
    );
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('of two changes with If-Match of one version, one succeeds and the other gets 412', async () => {
    await crowd.send('mo', { method: 'PATCH', path: '20/', body: { title: 'The whole' } });
    for (let round = 0; round < 10; round++) {
      const tag = (await crowd.send('hana', { method: 'GET', path: '20/' }, round)).headers.get('ETag') ?? '';
      const responses = await Promise.all(
        ['left', 'right'].map((half, index) =>
          crowd.send(
            index ? 'mo' : 'hana',
            { method: 'PATCH', path: '20/', body: { title: `The ${half} of ${round}` } },
            index,
            { 'If-Match': tag },
          ),
        ),
      );
      const [won, lost] = responses.toSorted((one, two) => one.status - two.status) as [Response, Response];
      expect([won.status, lost.status]).toEqual([200, 412]);
      expect(await lost.json()).toEqual({ detail: 'It has changed since you read it: read it again.' });
      expect(await record(20)).toEqual(await won.json());
    }
  });

  test('of two changes without If-Match, both succeed, one after the other', async () => {
    for (let round = 0; round < 10; round++) {
      const responses = await Promise.all([
        crowd.send('hana', { method: 'PATCH', path: '20/', body: { title: `Title of ${round}` } }, 0),
        crowd.send('mo', { method: 'PATCH', path: '20/', body: { text: `Text of ${round}.` } }, 1),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(await record(20)).toMatchObject({ title: `Title of ${round}`, text: `Text of ${round}.` });
    }
  });

  test('an idempotency key that is sent 20 times at the same time creates one project', async () => {
    const request = { method: 'POST', path: '', body: { title: 'Only once' } };
    const copying = { method: 'POST', path: '20/copy/' };
    for (const [index, write] of [request, copying].entries()) {
      const before = await count(site.database, sql`from project`);
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, time) =>
          crowd.send('ada', write, time, { 'Idempotency-Key': `key-${index}` }),
        ),
      );
      const bodies = await Promise.all(responses.map((response) => response.text()));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(bodies).size).toBe(1);
      expect(new Set(responses.map(({ headers }) => headers.get('Location'))).size).toBe(1);
      expect(new Set(responses.map(({ headers }) => headers.get('ETag'))).size).toBe(1);
      expect(await count(site.database, sql`from project`)).toBe(before + 1);
    }
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a client that follows the changes while others write gets every one, once and in order', async () => {
    const head = async () =>
      (await site.database.first(select(changeHeadTable.columns, sql`from change_head`)))?.last ?? 0;
    const begin = await head();
    const followed: Entry[] = [];
    let since = begin;
    const follow = async () => {
      const response = await crowd.send(
        'mo',
        { method: 'GET', path: `../changes/?since=${since}&limit=50` },
        1,
      );
      const { last, results } = (await response.json()) as { last: number; results: Entry[] };
      followed.push(...results);
      since = last;
      return results.length;
    };
    const created = new Set<number>();
    let writing = true;
    const following = waitFor(async () => {
      const isLast = !writing;
      return (await follow()) === 0 && isLast;
    });
    await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const person = people[index % people.length] as Username;
        for (let time = 0; time < 8; time++) {
          const body = { title: `Made by ${person}, ${time}` };
          const response = await crowd.send(person, { method: 'POST', path: '', body }, index);
          created.add(((await response.json()) as { id: number }).id);
          await crowd.send(
            person,
            { method: 'PUT', path: '20/rating/', body: { value: 1 + (time % 5) } },
            index,
          );
        }
      }),
    );
    writing = false;
    await following;

    const logged = await site.database.all(
      select(
        changeTable.columns,
        sql`from change where sequence > ${begin}
            and kind in ('project', 'rating', 'contributor') order by sequence`,
      ),
    );
    expect(followed.map(({ sequence, action, kind, id }) => [sequence, action, kind, id])).toEqual(
      logged.map(({ sequence, action, kind, subject }) => [sequence, action, kind, subject]),
    );
    expect(new Set(followed.filter(({ action }) => action === 'created').map(({ id }) => id))).toEqual(
      created,
    );
    expect(created.size).toBe(128);
    const all = await site.database.all(
      select(changeTable.columns, sql`from change where sequence > ${begin} order by sequence`),
    );
    expect(all.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: (await head()) - begin }, (_, index) => begin + 1 + index),
    );
  });

  test('derived data is right after any requests in any order', async () => {
    const quiet = await siteOn(kind, { dump: gallery });
    const few = await Crowd.at(quiet);
    const act = fc.record({
      person: fc.constantFrom<Username>(...people, 'mo', 'mo', 'mo'),
      item: fc.nat({ max: 30 }),
      request: fc.nat({ max: requests.length - 1 }),
      seed: fc.nat(),
    });
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 25 }), async (acts) => {
          for (const { person, item, request, seed } of acts) {
            const write = (requests[request] as (typeof requests)[number])(item, numbers(seed));
            const { status } = await few.send(person, write);
            expect(allowedStatuses).toContain(status);
          }
          expect(await checkGallery(quiet.database, false)).toEqual([]);
        }),
        { numRuns: 15, seed: 20 },
      );
    } finally {
      await quiet.close();
    }
  });
});
