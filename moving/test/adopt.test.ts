// `vitrine-moving adopt`: a live site is brought over by its API.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { nextEventLoopTurn } from '../../packages/common/src/event-loop.ts';
import { listedTypes } from '../../src/core/content-types.ts';
import { onBothDatabases, temporaryPath } from '../../test/support/databases.ts';
import { emptyGallery } from '../../test/support/galleries.ts';
import { ada, dump, project, siteAt } from '../../test/support/site.ts';
import { adoption } from './moving.ts';
import { item, type OldItem, type OldSite, startOldSite } from './old-site.ts';

const adoptionOnSqlite = async (site: OldSite) => adoption(site.address, await emptyGallery('SQLite'));

/** The new gallery's records, with the addresses of the old site. */
async function listGallery(database: string, origin: string): Promise<unknown> {
  const site = await siteAt(database);
  const { results } = (await site.json(
    '/api/v1/projects/?page_size=100&ordering=id&include=content_type',
  )) as {
    results: unknown;
  };
  await site.close();
  return JSON.parse(JSON.stringify(results).replaceAll('http://gallery.example', origin));
}

const listOldSite = (site: OldSite): unknown =>
  [...site.items.values()]
    .sort((one, other) => one.id - other.id)
    .map((item) => ({ ...site.record(item), content_type: item.content_type }));

const allTypes = listedTypes.map((type, index) => item(index + 1, {}, type));

function varied(): OldItem[] {
  const grace = { id: 900719925474099, username: 'grace', name: 'Grace Brewster Murray Hopper' };
  const nameless = { id: 9, username: 'zoë', name: 'zoë' };
  return [
    ...allTypes.map((item) => structuredClone(item)),
    {
      ...item(20, { copied_from: 12345, tags: 'robots, Paper Planes', text: 'a\u2028b' }),
      contributor: grace,
    },
    { ...item(9007199254740991, { created: '1999-12-31T23:59:59.999999+00:00' }), contributor: grace },
    {
      ...item(21, { rating_count: 7, rating_sum: 31, karma: 12, copied_from: 20, title: 'İ 🎈' }),
      contributor: grace,
    },
    { ...item(22, { slug: 'a'.repeat(255), uuid: 'a1B2' }), contributor: nameless },
  ];
}

onBothDatabases((kind) => {
  test('every record is brought over exactly, then what changes, and what has gone is in the trash', async () => {
    const old = startOldSite(varied());
    // Django puts what encodeURIComponent writes into addresses.
    for (const { contributor } of old.items.values())
      Object.assign(contributor, { username: encodeURIComponent(contributor.username) });
    const { database, run, report } = adoption(old.address, await emptyGallery(kind));

    expect(await run()).toEqual({
      code: 0,
      out: '12 of 12 records equal\n',
      error: expect.stringContaining('12 records imported; 0 have gone'),
    });
    expect(await listGallery(database, old.origin)).toEqual(listOldSite(old));

    const modified = new Date().toISOString().replace('Z', '999+00:00');
    old.items
      .set(2, item(2, { title: 'New title', modified }, 'photo'))
      .set(23, item(23, { modified }, 'quote'));
    old.items.delete(21);
    const second = await run();
    expect([second.code, second.out]).toEqual([0, '12 of 12 records equal\n']);
    expect(second.error).toContain('2 records imported; 1 have gone from the old site and are in the trash.');
    expect(report()).toEqual([{ id: 21, problem: 'It has gone from the old site and is in the trash.' }]);
    expect(await listGallery(database, old.origin)).toEqual(listOldSite(old));

    const third = await run();
    expect(third.error).toContain('0 records imported; 0 have gone');
  });
});

for (const paging of ['page', 'offset'] as const) {
  test(`items that come, go and move during the walk are neither lost nor doubled, with pages by ${paging}`, async () => {
    const old = startOldSite(Array.from({ length: 60 }, (_, index) => item(index + 10)));
    old.paging = paging;
    old.hasModifiedFilter = false;
    // After the listing was counted, somebody writes at every request for a while.
    old.intercept = (_, count) => {
      if (count < 4 || count > 24) return undefined;
      old.items.delete(count + 5);
      old.items.delete(69 - count);
      old.items.set(100 + count, item(100 + count));
      const moving = old.items.get(40 + (count % 20));
      if (moving) moving.content_type = moving.content_type === 'photo' ? 'text' : 'photo';
      // Hidden before, listed now.
      if (count % 5 === 0) old.items.set(count / 5, item(count / 5, {}, 'comment'));
      return undefined;
    };
    const { database, run } = await adoptionOnSqlite(old);

    const { code, out } = await run();
    expect([code, out]).toEqual([0, `${old.items.size} of ${old.items.size} records equal\n`]);
    expect(await listGallery(database, old.origin)).toEqual(listOldSite(old));
  });
}

test('a killed run continues where it was, and an interrupted import begins again', async () => {
  const old = startOldSite(Array.from({ length: 60 }, (_, index) => item(index + 10)));
  const { database, run, start } = await adoptionOnSqlite(old);
  const killed = await start();
  // The pages 12 to 7 were sent, and at least 12 to 8 are stored.
  old.intercept = (url) => {
    if (url.searchParams.get('page') === '7') killed.kill('SIGKILL');
    return undefined;
  };
  await killed.exited;
  expect(killed.signalCode).toBe('SIGKILL');

  old.intercept = () => undefined;
  old.requests.length = 0;
  expect((await run()).out).toBe('60 of 60 records equal\n');
  const pages = old.requests
    .filter(({ url }) => url.searchParams.get('ordering') === 'id')
    .flatMap(({ url }) => url.searchParams.get('page') ?? []);
  expect(pages.filter((page) => Number(page) > 7 && Number(page) < 12)).toEqual([]);
  expect(await listGallery(database, old.origin)).toEqual(listOldSite(old));
});

/** A response whose connection breaks. */
function cutOff(): Response {
  const body = new ReadableStream({
    async pull(stream) {
      stream.enqueue(new TextEncoder().encode('{"count":'));
      await nextEventLoopTurn();
      stream.error(new Error('cut off by the test'));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

test('it keeps the pace, waits as long as it is told, and tries again what failed', async () => {
  const old = startOldSite(allTypes);
  old.intercept = (_, count) => {
    if (count === 5) return new Response('', { status: 429, headers: { 'Retry-After': '1' } });
    if (count === 8) return cutOff();
    return undefined;
  };
  const { run } = await adoptionOnSqlite(old);

  expect((await run('--rate', '100')).out).toBe('8 of 8 records equal\n');
  const times = old.requests.map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(gaps[4]).toBeGreaterThan(990);
  expect(gaps[7]).toBeGreaterThan(490);
  // The first may arrive late: then the second one comes sooner after it.
  const [second = 0, ...later] = times.slice(9);
  expect(later.length).toBeGreaterThan(8);
  expect((later.at(-1) ?? 0) - second).toBeGreaterThan(9 * (later.length - 1));
});

test('what the gallery cannot hold, or shows in another way, is in the report, and the exit code is 1', async () => {
  const old = startOldSite([
    item(1),
    item(2, { title: ' spaces around ' }),
    item(3, { status: 7, title: 'a'.repeat(1001) }),
    { ...item(4), contributor: { id: 8, username: 'two words', name: 'Two' } },
    { ...item(5), contributor: { id: 9, username: 'bob', name: '' } },
    item(6, { tags: 'a,b' }),
    item(7, {}, 'poll'),
  ]);
  const { run, report } = await adoptionOnSqlite(old);

  expect(await run()).toMatchObject({ code: 1, out: '2 of 6 records equal\n' });
  expect(report()).toEqual([
    { problem: `The old site lists 7 items; 6 have one of the types ${listedTypes.join(', ')}.` },
    {
      id: 3,
      problem:
        'The gallery cannot hold it: title: must have 0 to 1000 characters. status: must be one of 0, 1, 2, 3, 5.',
    },
    {
      id: 4,
      problem:
        'The gallery cannot hold it: The contributor 8: username: must be letters, digits and @ . + - _.',
    },
    { id: 3, problem: 'The gallery does not have it.' },
    { id: 4, problem: 'The gallery does not have it.' },
    { id: 5, member: 'contributor_name', old: '', new: 'bob' },
    { id: 6, member: 'tags', old: 'a,b', new: 'a, b' },
  ]);
});

test('a record with a number that is too large is left out, and the others are brought over', async () => {
  const old = startOldSite(allTypes);
  const huge = '1152921504606846977';
  // In the listing of texts, which has one page.
  old.intercept = async (url) => {
    if (!['text', null].includes(url.searchParams.get('content_type')) || !url.search) return undefined;
    const texts = [
      old.record(item(1)),
      { ...old.record(item(2)), copied_from: 'huge' },
      { ...old.record(item(3)), id: 'huge' },
    ];
    const body = JSON.stringify({
      count: url.searchParams.has('content_type') ? 3 : 8,
      next: null,
      previous: null,
      results: texts,
    });
    return new Response(body.replaceAll('"huge"', huge), { headers: { 'Content-Type': 'application/json' } });
  };
  for (const id of [2, 3]) old.items.delete(id);
  const { run, report } = await adoptionOnSqlite(old);

  const result = { code: 1, out: '6 of 8 records equal\n' };
  expect(await run()).toMatchObject(result);
  const left = [
    { id: '2', problem: 'The gallery cannot hold it: copied_from is above 9007199254740991.' },
    { id: huge, problem: 'The gallery cannot hold it: id is above 9007199254740991.' },
  ];
  expect(report().filter((line) => Object.hasOwn(line as object, 'id'))).toEqual(left);
  expect(await run()).toMatchObject(result);
});

test('an address that is wrong leaves no file', async () => {
  const old = startOldSite(allTypes);
  old.intercept = ({ pathname }) =>
    pathname.includes('wrong') ? Response.json({ detail: 'Not found.' }, { status: 404 }) : undefined;
  const database = temporaryPath('new.sqlite');
  const wrong = adoption(`${old.address}wrong/`, database);
  expect(await wrong.run()).toEqual({
    code: 2,
    out: '',
    error: `vitrine-moving: There is no listing at ${old.address}wrong/projects/.\n`,
  });
  expect([database, `${database}.adopt`].filter((path) => existsSync(path))).toEqual([]);

  expect((await adoption(old.address, database).run()).out).toBe('8 of 8 records equal\n');
});

test('last names are such that the order by them is that of the old site', async () => {
  const names = [
    ['Mira', ''],
    ['Simón Abad Ruiz', 'Abad Ruiz'],
    ['Ben Adler', 'Adler'],
    ['Ina Braun', 'Braun'],
    ['Ada Byron King', 'Byron King'],
    ['Rosa Cruz', 'Cruz'],
    ['Uwe Dorn', 'Dorn'],
    ['Ludwig van Beethoven', 'van Beethoven'],
    ['Walter', 'Walter'],
  ] as const;
  const people = names.map(([name, lastName], index) => ({
    id: index + 1,
    username: `user${index}`,
    name,
    lastName,
  }));
  const old = startOldSite(
    people.toReversed().flatMap((contributor, index) => [
      { ...item(index + 1), contributor },
      { ...item(index + 11), contributor },
    ]),
  );
  const { database, run, report } = await adoptionOnSqlite(old);
  const listNames = async () => {
    const site = await siteAt(database);
    const { results } = (await site.json(
      '/api/v1/projects/?ordering=contributor__last_name&page_size=100',
    )) as {
      results: { contributor_name: string }[];
    };
    await site.close();
    return [...new Set(results.map(({ contributor_name }) => contributor_name))];
  };

  expect((await run()).out).toBe('18 of 18 records equal\n');
  expect(await listNames()).toEqual(names.map(([name]) => name));
  expect(report()).toEqual([
    {
      note: 'The old site sorts last names in one of these orders: by code point, without case and accents; by Unicode collation; by Unicode collation, without punctuation; by Unicode collation, without case and accents; by code point, without case.',
    },
    {
      contributor: 2,
      problem: 'The last name of "Simón Abad Ruiz" is a guess, "Abad Ruiz": the order allows several.',
    },
    {
      contributor: 8,
      problem:
        'The last name of "Ludwig van Beethoven" is a guess, "van Beethoven": the order allows several.',
    },
  ]);

  // Somebody new is read with all others again.
  const contributor = { id: 20, username: 'new', name: 'Vincent van Aken', lastName: 'van Aken' };
  old.items.set(30, { ...item(30), contributor });
  expect((await run()).out).toBe('19 of 19 records equal\n');
  expect(await listNames()).toEqual([
    ...names.slice(0, 7).map(([name]) => name),
    'Vincent van Aken',
    'Ludwig van Beethoven',
    'Walter',
  ]);
  old.requests.length = 0;
  await run();
  expect(old.requests.filter(({ url }) => url.search.includes('last_name'))).toEqual([]);
});

test('a person who was renamed during the walk has the new name on all records', async () => {
  const old = startOldSite(allTypes.map((item) => structuredClone(item)));
  old.hasModifiedFilter = false;
  old.intercept = (url) => {
    if (url.searchParams.get('content_type') === 'quote')
      for (const { contributor } of old.items.values()) contributor.name = 'Ada King';
    return undefined;
  };
  const { database, run } = await adoptionOnSqlite(old);

  expect((await run()).out).toBe('8 of 8 records equal\n');
  expect(await listGallery(database, old.origin)).toEqual(listOldSite(old));
});

test('a listing that lacks most of what it had is refused, and nothing goes to the trash', async () => {
  const old = startOldSite(Array.from({ length: 102 }, (_, index) => item(index + 1)));
  old.pageSize = 100;
  const { database, run } = await adoptionOnSqlite(old);
  await run();
  const listed = listOldSite(old);

  for (const id of [...old.items.keys()].slice(1)) old.items.delete(id);
  expect(await run()).toEqual({
    code: 2,
    out: '',
    error: expect.stringContaining('The listing of the type text lacks 101 records that it had before.'),
  });
  old.items.clear();
  expect((await run('--all')).code).toBe(2);
  expect(await listGallery(database, old.origin)).toEqual((listed as unknown[]).slice(0, 100));
});

test('what was made in the gallery is not overwritten', async () => {
  const old = startOldSite(allTypes);
  const { database, run } = await adoptionOnSqlite(old);
  const site = await siteAt(database, { dump: dump(ada, project(3, { uuid: 'made0here' })) });
  await site.close();

  expect(await run()).toMatchObject({
    code: 2,
    error: expect.stringContaining('The gallery has a project 3 of its own, made0here;'),
  });
});

test('credentials are sent with every request, and to no other host', async () => {
  const old = startOldSite(Array.from({ length: 12 }, (_, index) => item(index + 10)));
  const other = startOldSite([]);
  old.intercept = async (url) => {
    if (url.pathname.endsWith('0/')) return undefined;
    old.intercept = () => undefined;
    const page = (await (await fetch(url)).json()) as { next: string };
    return Response.json({ ...page, next: page.next.replace(old.origin, other.origin) });
  };
  const { run } = await adoptionOnSqlite(old);

  const options = ['--token', 'secret', '--header', 'Cookie: a=1, b=2', '--header', 'X-Class: 7b'];
  expect((await run(...options)).out).toBe('12 of 12 records equal\n');
  const sent = old.requests
    .filter(({ headers }) => headers.get('User-Agent')?.startsWith('vitrine'))
    .map(({ headers }) => ['Authorization', 'Cookie', 'X-Class'].map((name) => headers.get(name)));
  expect(sent.length).toBeGreaterThan(20);
  expect(new Set(sent.map(String))).toEqual(new Set(['Token secret,a=1, b=2,7b']));
  expect(other.requests).toEqual([]);

  await run('--user', 'ada:pass:word');
  expect(old.requests.at(-1)?.headers.get('Authorization')).toBe(`Basic ${btoa('ada:pass:word')}`);
});

const html = { 'Content-Type': 'text/html' };
const page = (record: unknown) => Response.json({ count: 1, next: null, previous: null, results: [record] });

const wrongResponses: [name: string, respond: (site: OldSite) => Response, sentence: string][] = [
  [
    'a redirect',
    () => Response.redirect('https://new.example.org/api/v1/projects/'),
    'answers 302, a redirect to https://new.example.org/api/v1/projects/: give the address at which the API is.',
  ],
  ['HTML', () => new Response('<p>', { headers: html }), 'sends text/html, not JSON.'],
  [
    'wrong JSON',
    () => new Response('{"count":', { headers: { 'Content-Type': 'application/json' } }),
    'sends something that is not valid JSON.',
  ],
  ['another JSON', () => Response.json([]), 'is not an object.'],
  ['another object', () => Response.json({}), 'has no member count.'],
  [
    'a record without a title',
    (site) => page({ ...site.record(item(17)), title: undefined }),
    'The record 17 has no member title.',
  ],
  [
    'a record with a number for its text',
    (site) => page({ ...site.record(item(17)), text: 1 }),
    'The record 17 has an unexpected value of text.',
  ],
  [
    'another address of the contributor',
    (site) => page({ ...site.record(item(17)), contributor_html_url: '/people/ada/' }),
    'The contributor_html_url of the record 17 is not of the form …/contributors/<id>-<username>/.',
  ],
  ['no listing', () => Response.json({ detail: 'Not found.' }, { status: 404 }), 'There is no listing at'],
  ['a 404 of a proxy', () => new Response('', { status: 404, headers: html }), 'sends text/html, not JSON.'],
  [
    'a refusal',
    () => Response.json({}, { status: 401 }),
    'answers 401: give --token, --user or --header that may read there.',
  ],
  [
    'another order',
    (site) => Response.json({ count: 2, next: null, results: [2, 1].map((id) => site.record(item(id))) }),
    'is not sorted by ordering=id.',
  ],
  ['every type for every filter', (site) => page(site.record(item(1))), 'does not filter by content_type.'],
  [
    'too much',
    () =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)) }), {
        headers: { 'Content-Type': 'application/json' },
      }),
    'sends more than 64 MB.',
  ],
];

test('a response that breaks the interface is one sentence, and the exit code is 2', async () => {
  const results = await Promise.all(
    wrongResponses.map(async ([name, respond, sentence]) => {
      const old = startOldSite(allTypes);
      old.intercept = () => respond(old);
      const { run } = await adoptionOnSqlite(old);
      const { code, out, error } = await run();
      const shown = error.includes(sentence) ? sentence : error;
      return { name, code, out, lines: error.trimEnd().split('\n').length, shown };
    }),
  );

  expect(results).toEqual(
    wrongResponses.map(([name, , sentence]) => ({ name, code: 2, out: '', lines: 1, shown: sentence })),
  );
});

test('a wrong address or option is one sentence, and nothing is sent', async () => {
  const database = await emptyGallery('SQLite');
  const errors = await Promise.all(
    (
      [
        ['ftp://old.example.org/'],
        ['https://ada:secret@old.example.org/api/v1/'],
        ['https://old.example.org/api/v1/', '--token', 'a', '--user', 'a:b'],
        ['https://old.example.org/api/v1/', '--header', 'no colon'],
      ] as const
    ).map(async ([address, ...options]) => (await adoption(address, database).run(...options)).error),
  );

  expect(errors).toEqual([
    'vitrine-moving: "ftp://old.example.org/" is not the address of an API, such as https://old.example.org/api/v1/.\n',
    'vitrine-moving: An address must not contain a password: give it with --user.\n',
    'vitrine-moving: Give either --token or --user.\n',
    'vitrine-moving: --header must be a name, a colon and a value, such as `Cookie: a=b`; it was "no colon".\n',
  ]);
});
