// A site that searches in OpenSearch answers as one without. Its server here is a small one of ours: see support/opensearch.ts.

import { beforeAll, expect, test } from 'bun:test';
import { emptyDatabase, type Kind, onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { OpenSearchServer } from '../support/opensearch.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { vitrine, vitrineIn } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { letTimePass, limitTime } from '../support/waiting.ts';

const words = ['kite', 'kites', 'paper', 'lamp', 'бумага', 'змей', 'हवा', '東京', '京都', 'café', 'x1'];
const wordAt = (number: number) => words[number % words.length] ?? '';
const types = ['text', 'photo', 'question'];

const projectsWithWords = (count: number, members: Parameters<typeof project>[1] = {}) =>
  Array.from({ length: count }, (_, index) =>
    project(index + 1, {
      title: `${wordAt(index)} ${wordAt(index * 7 + 1)}`,
      tags: index % 5 === 0 ? [`${wordAt(index + 2)} ${wordAt(index * 3)}`, 'lamp'] : [],
      text: `everywhere ${wordAt(index * 5)} ${wordAt(index * 11 + 3)}`,
      content_type: types[index % types.length],
      contributor: (index % 2) + 1,
      visibility: index % 8 === 1 ? 'private' : 'public',
      created: new Date(Date.UTC(2020, 0, 1) + ((index * 7919) % count) * 60_000).toISOString(),
      karma: index % 97,
      ...members,
    }),
  );
const people = [ada, contributor(2, 'grace'), contributor(3, 'mo')];

const searches = [
  'kite',
  'kite paper',
  '"paper lamp"',
  '"lamp kit',
  'kit',
  'grace',
  'змей бум',
  '東',
  '東京',
  'everywhere',
  'everywhere lamp',
  'nothing',
];
const filters = [
  '',
  '&content_type=photo',
  '&content_type__in=text,photo&ordering=-karma',
  '&page=3',
  '&tags=lamp',
];
const paths = searches.flatMap((search, index) =>
  [...new Set(['', filters[index % filters.length]])].map(
    (filter) => `/api/v1/projects/?fields=id,title&search=${encodeURIComponent(search)}${filter}`,
  ),
);

async function read(viewer: Person, path: string) {
  const response = await viewer.get(path);
  return {
    path,
    status: response.status,
    truncated: response.headers.get('Results-Truncated'),
    body: await response.text(),
  };
}

const readAll = async (viewer: Person, asked: readonly string[] = paths) => {
  const answers = [];
  for (const path of asked) answers.push(await read(viewer, path));
  return answers;
};

/** Two sites on one database, of which the second searches in the engine. */
async function twoSites(kind: Kind, engine: OpenSearchServer, lines: readonly string[]) {
  const plain = await siteOn(kind, { dump: dump(...people, ...lines) });
  const site = await siteAt(plain.address, { database: plain.database, searchEngine: engine.url });
  return [plain, site] as const;
}

const fillFrom = ({ address }: Site, engine: OpenSearchServer) =>
  vitrineIn({ VITRINE_SEARCH_ENGINE: engine.url }, 'changes', 'index', '--once', '--database', address);

const notesOf = ({ logged }: Site) => logged.filter((line) => line.includes('search engine'));
const unusable = '- fault The search engine cannot be used, and the database searches: ';

/** An engine that has failed is not asked for a while. */
async function useAgain(site: Site, engine: OpenSearchServer): Promise<void> {
  letTimePass(8000);
  const before = engine.searches;
  await visitor(site).get(`/api/v1/projects/?search=${Math.random()}`);
  expect(engine.searches).toBeGreaterThan(before);
}

onBothDatabases((kind) => {
  const engine = new OpenSearchServer();
  let plain: Site;
  let site: Site;
  let viewers: (readonly [Person, Person])[];

  const expectSameAnswers = async (asked: readonly string[] = paths) => {
    for (const [one, other] of viewers) {
      const before = engine.searches;
      expect(await readAll(other, asked)).toEqual(await readAll(one, asked));
      expect(engine.searches - before).toBeGreaterThanOrEqual(asked.length / 2);
    }
  };

  beforeAll(async () => {
    [plain, site] = await twoSites(kind, engine, projectsWithWords(600));
    const readers = [
      visitor(plain),
      await person(plain, 'ada'),
      await person(plain, 'mo', { role: 'moderator' }),
    ];
    viewers = readers.map((one) => [one, one.at(site)]);
  });

  test('until the index is filled, the database searches, and the log says so once', async () => {
    const some = paths.slice(0, 3);
    expect(await readAll(visitor(site), some)).toEqual(await readAll(visitor(plain), some));
    expect(notesOf(site)).toEqual([`${unusable}the index is not filled yet: see vitrine changes index.`]);
    expect(engine.searches).toBe(0);
  });

  test('a filled index finds the same for visitors, contributors and moderators', async () => {
    expect(await fillFrom(site, engine)).toEqual({ code: 0, out: '600 projects written.\n', error: '' });
    expect(engine.documents.size).toBe(600);
    await useAgain(site, engine);
    expect(notesOf(site)[1]).toBe('The search engine is used again.');
    await expectSameAnswers();
  });

  test('what has changed since is found at once, and what is hidden or deleted is not', async () => {
    const bodies = [{ title: 'Zeppelin' }, { visibility: 'private' }, { status: 2 }, { tags: ['kite'] }];
    const [, [owner] = []] = viewers as [[Person, Person], [Person, Person]];
    for (const [index, body] of bodies.entries())
      expect((await (owner as Person).patch(`/api/v1/projects/${index * 4 + 1}/`, body)).status).toBe(200);
    expect((await (owner as Person).delete('/api/v1/projects/21/')).status).toBe(204);
    expect((await (owner as Person).post('/api/v1/projects/', { title: 'A new kite' })).status).toBe(201);
    const changed = ['zeppelin', 'new', 'kite'].map((word) => `/api/v1/projects/?search=${word}&tail=1`);
    const half = (rest: number) => paths.filter((_, index) => index % 2 === rest);
    await expectSameAnswers([...changed, ...half(0)]);
    // The same again, now from the index.
    expect(await fillFrom(site, engine)).toEqual({ code: 0, out: '6 projects written.\n', error: '' });
    await expectSameAnswers([...half(1), ...changed].map((path) => `${path}&again=1`));
  });

  test('without an answer of the engine, the database searches', async () => {
    const same = async (word: string) => {
      const path = `/api/v1/projects/?search=${word}`;
      expect(await read(visitor(site), path)).toEqual(await read(visitor(plain), path));
    };
    engine.failure = { status: 400, body: '{"error":{"reason":"too many clauses"}}', isForSearches: true };
    await same('lamp%20kite');
    expect(notesOf(site)).toHaveLength(2);
    engine.failure = { status: 503, body: '<html>' };
    await same('kites%20lamp');
    await same('paper%20x1');
    expect(notesOf(site).slice(2)).toEqual([`${unusable}it responds with 503: without a reason.`]);
    engine.failure = undefined;
    await useAgain(site, engine);
    limitTime('searchEngine', 100);
    engine.freeze(true);
    await same('x1%20lamp');
    engine.freeze(false);
    expect(notesOf(site).slice(3)).toEqual([
      'The search engine is used again.',
      `${unusable}The operation timed out.`,
    ]);
  });

  test('an index that somebody else has made is left alone', async () => {
    const other = new OpenSearchServer();
    other.exists = true;
    expect(await fillFrom(site, other)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: The index ${other.urlWithoutPassword} is there already, and Vitrine has not filled it: choose another name, or delete it.\n`,
    });
    expect(other.exists).toBe(true);
  });

  test('the index of another gallery is neither used nor written', async () => {
    const [, other] = await twoSites(kind, engine, projectsWithWords(5));
    await visitor(other).get('/api/v1/projects/?search=kite');
    expect(notesOf(other)).toEqual([`${unusable}the index is filled by another gallery.`]);
    expect(await fillFrom(other, engine)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: The index ${engine.urlWithoutPassword} is filled by another gallery: choose another name, or delete the index.\n`,
    });
  });
});

onOneDatabase((kind) => {
  test('of more matches than an engine is asked for, the best that a viewer may see are listed', async () => {
    const engine = new OpenSearchServer();
    const lines = Array.from({ length: 12_600 }, (_, index) =>
      project(index + 1, {
        title: 'Everywhere',
        tags: index % 5 === 0 ? ['lamp'] : [],
        contributor: (index % 2) + 1,
        visibility: index % 8 === 1 ? 'private' : 'public',
      }),
    );
    const [plain, site] = await twoSites(kind, engine, lines);
    await fillFrom(plain, engine);
    const all = '/api/v1/projects/?search=everywhere&page_size=100';
    // The engine does not know of the tag: what it finds has too few projects with it.
    const tagged = `${all}&tags=lamp`;
    for (const one of [visitor(plain), await person(plain, 'grace')]) {
      const expected = await readAll(one, [all, tagged]);
      expect(expected.map(({ truncated }) => truncated)).toEqual(['10000', null]);
      expect(await readAll(one.at(site), [all, tagged])).toEqual(expected);
    }
    expect(notesOf(site)).toEqual([]);
  });
});

test('a mistake of the operator is one sentence', async () => {
  const index = (...options: string[]) => vitrine('changes', 'index', ...options);
  const address = 'must be the address of an index such as https://user:password@host:9200/vitrine';
  const messages = [
    [[], 'It is: vitrine changes index --search-engine http://localhost:9200/vitrine'],
    [['--search-engine', 'http://localhost:9200'], `--search-engine ${address}.`],
    [['--search-engine', 'http://localhost/a/b'], `--search-engine ${address}.`],
    [
      ['--search-engine', 'http://ada:secret@localhost/a'],
      '--search-engine holds a password, which others on this machine could read: set VITRINE_SEARCH_ENGINE instead.',
    ],
  ] as const;
  for (const [options, message] of messages)
    expect(await index(...options)).toEqual({ code: 2, out: '', error: `vitrine: ${message}\n` });
  const database = await emptyDatabase('SQLite');
  await siteAt(database);
  expect(await index('--search-engine', 'http://127.0.0.1:1/a', '--database', database)).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(/^vitrine: The index http:\/\/127\.0\.0\.1:1\/a cannot be used: .*\.\n$/),
  });
});
