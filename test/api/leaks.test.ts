// Hidden projects show nowhere. Each request goes to a gallery that has hidden projects and to one that never had them:
// a viewer who may not see them gets the same response from both, byte for byte.

import { beforeAll, expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import { Page } from '../support/html.ts';
import { ada, contributor, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';

const people = [
  ada,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Ångström' }),
  contributor(3, 'mo'),
  contributor(4, 'keeper', { first_name: 'Zinnober', last_name: 'Quark' }),
];

/** In every hidden project, and nowhere else. The owner is not hidden: the list of contributors has them. */
const marks = ['xylograph', 'Vexillum', 'Oubliette'];
const marked = { title: 'Vexillum', text: 'A xylograph.', tags: ['Oubliette', 'kites'] };

interface Hidden {
  readonly id: number;
  readonly state: Record<string, unknown>;
  /** The author of a comment on it: Zoë by default, who does not see it either. */
  readonly commentator?: number;
}

const trashed = { status: 1, trashed: '2026-01-01T00:00:00.000000+00:00' };
const kinds: Record<string, Hidden> = {
  private: { id: 100, state: { visibility: 'private' } },
  draft: { id: 110, state: { status: 0 } },
  removed: { id: 120, state: { status: 3 } },
  'private and archived': { id: 130, state: { visibility: 'private', status: 2 } },
  unlisted: { id: 140, state: { visibility: 'unlisted' }, commentator: 4 },
  'unlisted and archived': { id: 150, state: { visibility: 'unlisted', status: 2 }, commentator: 4 },
  trashed: { id: 160, state: trashed },
  waiting: { id: 170, state: { status: 5, publish_at: '2036-01-01T00:00:00.000000+00:00' } },
};

/** A hidden project, its comments, its hidden copy, and hidden comments on a visible project. */
const linesOf = ({ id, state, commentator = 2 }: Hidden) => [
  project(id, { ...marked, ...state, contributor: 4, copied_from: 1 }),
  project(id + 1, { ...marked, content_type: 'comment', contributor: commentator, parent: id }),
  project(id + 2, { ...marked, content_type: 'comment', contributor: 4, parent: id + 1 }),
  project(id + 3, { ...marked, ...state, contributor: 4, copied_from: id }),
  // It has a visible copy.
  project(id + 5, { ...marked, ...state, contributor: 4 }),
  // A comment on a visible project.
  project(id + 4, { ...marked, ...state, content_type: 'comment', contributor: 4, parent: 1 }),
];

const visible = [
  project(1, { title: 'Source', tags: ['kites'], text: 'A xylophone.' }),
  project(2, { title: 'Copy of the source', contributor: 2, copied_from: 1 }),
  project(3, { title: 'Kind words', content_type: 'comment', contributor: 2, parent: 1 }),
  project(4, { title: 'By the keeper', contributor: 4, tags: ['Kites'] }),
];
/** Visible copies of hidden projects. */
const copies = Object.values(kinds).map(({ id }) =>
  project(id + 6, { title: 'Copy of a hidden project', contributor: 2, copied_from: id + 5 }),
);

const moment = '2026-01-01T00:00:00.000000+00:00';
/** Reports of visible projects, and a decision. */
const reports = [
  {
    type: 'decision',
    id: 1,
    moderator: 3,
    action: 'left',
    project: 2,
    contributor: 2,
    reason: 'Vexillum',
    status: null,
    undoes: null,
    created: moment,
  },
  ...[1, 2, 3, 4].map((project) => ({
    type: 'report',
    id: project,
    project,
    contributor: project === 4 ? 1 : 4,
    reason: 'spam',
    words: 'A xylograph.',
    created: moment,
    modified: moment,
    decision: project === 2 ? 1 : null,
  })),
].map((line) => JSON.stringify(line));

const hiddenIds = Object.values(kinds).flatMap(({ id }) => [0, 1, 2, 3, 4, 5].map((more) => id + more));
const listings = [
  ...['', 'page_size=1&page=2', 'page=last', 'cursor=', 'cursor=&page_size=2', 'include=contributor,parent'],
  ...['created', 'title', '-title', 'karma', '-karma', 'rating_sum', '-id', 'contributor__last_name'].map(
    (name) => `ordering=${name}`,
  ),
  ...['text', 'comment', 'photo'].map((type) => `content_type=${type}`),
  'content_type__in=text,comment',
  ...['public', 'unlisted', 'private'].map((visibility) => `visibility=${visibility}`),
  ...[0, 1, 2, 3, 5].flatMap((status) => [`status=${status}`, `status=${status}&content_type=comment`]),
  ...[
    'contributor=4',
    'contributor=keeper',
    'contributor=keeper&status=2',
    'contributor=2',
    'contributor=me',
  ],
  ...[
    'copied_from=1',
    'copied_from=1&status=2',
    ...Object.values(kinds).map(({ id }) => `copied_from=${id}`),
  ],
  ...['tags=oubliette', 'tags=kites', 'tags=kites,oubliette', 'tags=oubliette&status=2'],
  ...['xylograph', 'xylo', 'vexillum', 'oubliette', 'zinnober', 'quark', '"a xylograph"'].map(
    (words) => `search=${encodeURIComponent(words)}`,
  ),
  ...['search=xylograph&status=1', 'search=vexillum&ordering=title', 'search=vexillum&cursor='],
  ...['created__gte=2024-01-01', 'created__lt=2025-01-01', 'modified__gt=2024-01-01'],
].map((query) => `/api/v1/projects/?${query}`);

const visibleCopies = Object.values(kinds).map(({ id }) => id + 6);

/** Paths that are known without knowing a hidden project. */
const knownPaths = [
  ...listings,
  ...listings.slice(0, 3).map((path) => `${path}&format=api`),
  ...listings.slice(6).map((path, index) => `${path}&format=${index % 2 ? 'csv' : 'ndjson'}`),
  '/api/v1/projects.json?search=xylo',
  ...['', '?ordering=name', '?search=oub', '?search=k', '?format=api', '?format=csv'].map(
    (query) => `/api/v1/tags/${query}`,
  ),
  ...['', '?ordering=last_name', '?username=keeper', '4/', '4/?format=api', '?format=csv'].map(
    (rest) => `/api/v1/contributors/${rest}`,
  ),
  ...[1, 2, 3, 4].flatMap((id) =>
    [
      '',
      'copies/',
      'copies/?cursor=',
      'copies/?format=csv',
      'comments/',
      'comments/?format=ndjson',
      'comments/?cursor=&page_size=1',
      'lineage/',
    ].map((rest) => `/api/v1/projects/${id}/${rest}`),
  ),
  ...['1/lineage/?limit=1', '1/lineage/?limit=2', '1/lineage/?format=api', '1/comments/?format=api'].map(
    (rest) => `/api/v1/projects/${rest}`,
  ),
  ...[
    '/api/v1/',
    '/api/v1/schema/',
    '/',
    '/?page=last',
    '/?search=xylogrpah',
    '/?search=vexilum',
    '/?content_type=comment',
    '/contributors/4-keeper/',
    ...['/', '/contributors/4-keeper/'].flatMap((path) => [`${path}feed.atom`, `${path}feed.json`]),
    '/feed.atom?search=xylo',
    '/tags/',
    '/wall/',
    '/wall/?tags=oubliette',
    '/sitemap.xml',
    '/sitemaps/1-.xml',
    '/following/',
    '/bookmarks/',
    '/api/v1/me/bookmarks/',
    '/api/v1/me/following/contributors/',
    '/api/v1/me/following/tags/',
  ],
  ...visibleCopies.flatMap((id) =>
    ['', '?format=api', 'lineage/', 'copies/'].map((rest) => `/api/v1/projects/${id}/${rest}`),
  ),
  ...[1, 2, 3, 4, ...visibleCopies].map((id) => `/content/${uuidOf(id)}/a-project/`),
  ...['reports/', 'reports/1/', 'reports/9/', 'decisions/', 'contributors/4/account/'].map(
    (rest) => `/api/v1/${rest}`,
  ),
  ...['', 'waiting/', 'log/', 'removed/', 'people/?username=ada'].map((rest) => `/moderation/${rest}`),
];

/** Paths of hidden projects, as somebody may guess them. */
const guessedPaths = hiddenIds.flatMap((id) => [
  ...['', '?format=api', '?include=content_type,parent', '?fields=id', '?search=vexillum', '?status=0'].map(
    (query) => `/api/v1/projects/${id}/${query}`,
  ),
  ...['copies/', 'comments/', 'lineage/', 'rating/'].map((rest) => `/api/v1/projects/${id}/${rest}`),
  ...['', 'a-project/', 'vexillum/', 'a-project/report/'].map((rest) => `/content/${uuidOf(id)}/${rest}`),
]);

/** Writes to hidden projects. They change nothing: a change would show in later responses. */
const writes = hiddenIds.flatMap((id) => [
  ['PUT', `/api/v1/me/bookmarks/${id}/`] as const,
  ...(
    [
      ...(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).map((method) => [method, ''] as const),
      ...(['copy/', 'comments/', 'restore/', 'report/', 'review/'] as const).map(
        (path) => ['POST', path] as const,
      ),
      ...(['PUT', 'DELETE'] as const).map((method) => [method, 'rating/'] as const),
      ...(['copy/', 'restore/', 'rating/', 'report/'] as const).map((path) => ['OPTIONS', path] as const),
    ] as const
  ).map(([method, path]) => [method, `/api/v1/projects/${id}/${path}`] as const),
]);

/** Some at a time: a request waits for its database most of the time. */
async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 8)
    await Promise.all(items.slice(start, start + 8).map(work));
}

onBothDatabases((kind) => {
  /** Has all hidden projects, and those in the trash. */
  let full: Site;
  /** The same without the trash. */
  let untrashed: Site;
  /** Has only what everybody may see. */
  let bare: Site;
  const zoe = new Map<Site, Record<string, string>>();
  const keeper = new Map<Site, Record<string, string>>();
  const mo = new Map<Site, Record<string, string>>();

  beforeAll(async () => {
    const siteWith = async (hidden: Hidden[]) => {
      const moderation = hidden.length ? reports : [];
      const site = await siteOn(kind, {
        dump: dump(...people, ...visible, ...hidden.flatMap(linesOf), ...copies, ...moderation),
      });
      await site.database.transaction((transaction) =>
        transaction.run(sql`update project set trashed_by = 4 where trashed is not null`),
      );
      zoe.set(site, await site.key('zoe'));
      keeper.set(site, await site.key('keeper'));
      for (const what of ['contributors/4', 'contributors/1', 'tags/kites'])
        await site.request(`/api/v1/me/following/${what}/`, { method: 'PUT', headers: zoe.get(site) });
      // Before they were hidden, Zoë has bookmarked them: all but those whose address is enough to open them.
      await site.database.transaction((transaction) =>
        transaction.run(sql`insert into bookmark (contributor, project, created)
          select 2, id, id from project where id not between 140 and 159`),
      );
      mo.set(site, await site.key('mo', { role: 'moderator' }));
      return site;
    };
    const { trashed: inTrash, ...others } = kinds;
    full = await siteWith([...Object.values(others), inTrash as Hidden]);
    untrashed = await siteWith(Object.values(others));
    bare = await siteWith([]);
  });

  interface TestRequest {
    readonly path: string;
    readonly method?: string;
    readonly as?: Map<Site, Record<string, string>>;
    readonly headers?: Record<string, string>;
  }

  /** The whole response as text, without what differs from request to request. */
  async function fetchText(site: Site, { path, method = 'GET', as, headers }: TestRequest): Promise<string> {
    const hasBody = /PUT|PATCH|comments|report/.test(`${method}${path}`) && !/GET|OPTIONS/.test(method);
    const response = await site.request(path, {
      method,
      headers: { ...as?.get(site), ...headers, ...(hasBody && { 'Content-Type': 'application/json' }) },
      body: hasBody
        ? JSON.stringify({ title: 'Mine now', text: 'Mine now.', value: 5, reason: 'spam' })
        : undefined,
    });
    const { 'x-request-id': _, ...responseHeaders } = Object.fromEntries(response.headers);
    const text = await response.text();
    // A form has another idempotency key each time, and its page another tag.
    const idempotencyKeys = text.includes('name="once"')
      ? new Page(text).attributesOf('[name=once]', 'value')
      : [];
    if (idempotencyKeys.length) delete responseHeaders.etag;
    const comparable = idempotencyKeys.reduce((rest, value) => rest.replaceAll(value, ''), text);
    return `${method} ${path}\n${response.status} ${JSON.stringify(responseHeaders)}\n${comparable}`;
  }

  async function expectSame(one: Site, other: Site, request: TestRequest): Promise<void> {
    const [text, expected] = await Promise.all([one, other].map((site) => fetchText(site, request)));
    expectText(request, text as string, expected as string);
  }

  /** A project that never was, whose address is as long as that of a hidden one. */
  const missingId = 999;
  const idOfMissing = /(?<![A-Za-z0-9])999(?![A-Za-z0-9])|(?<=uuid0+)999/g;
  const missing = new Map<string, Promise<string>>();

  /** The response is that for a project that never was. */
  async function expectMissing(request: TestRequest): Promise<void> {
    const id = /\d{3}(?!\d)/.exec(request.path)?.[0] ?? '';
    const other = { ...request, path: request.path.replaceAll(id, `${missingId}`) };
    const key = JSON.stringify([other, request.as === zoe]);
    const expected = missing.get(key) ?? fetchText(bare, other);
    missing.set(key, expected);
    expectText(request, await fetchText(full, request), (await expected).replaceAll(idOfMissing, id));
  }

  function expectText(request: TestRequest, text: string, expected: string): void {
    expect(text).toBe(expected);
    const response = text.slice(text.indexOf('\n')).toLowerCase();
    // A response may repeat its own path.
    const path = request.path.toLowerCase();
    for (const mark of marks.map((mark) => mark.toLowerCase()).filter((mark) => !path.includes(mark)))
      expect(response).not.toContain(mark);
  }

  const outsiders = { 'a visitor': undefined, zoe };
  for (const [name, as] of Object.entries(outsiders)) {
    test(`${name} sees nothing hidden on any known path`, async () => {
      for (const path of knownPaths) await expectSame(full, bare, { path, as });
    });

    test(`${name} who guesses a path gets the same response as for a missing project`, async () => {
      // Who knows the uuid of an unlisted project may read it.
      const isUnlistedPage = (path: string) => /0000001[45]\d\//.test(path);
      const paths = guessedPaths.filter((path) => !isUnlistedPage(path));
      await inGroups(paths, (path) => expectMissing({ path, as }));
    });
  }

  test('Zoe cannot change a hidden project, nor find out whether it exists', async () => {
    await inGroups(writes, async ([method, path]) => {
      await expectMissing({ method, path, as: zoe });
      if (method !== 'OPTIONS')
        await expectMissing({ method, path, as: zoe, headers: { 'If-Match': '"x"' } });
    });
  });

  test('nobody comments on a project that is hidden from them', async () => {
    for (const id of hiddenIds) {
      const body = JSON.stringify({ title: 'So', content_type: 'comment', parent: id });
      for (const site of [full, bare]) {
        const headers = { ...zoe.get(site), 'Content-Type': 'application/json' };
        const response = await site.request('/api/v1/projects/', { method: 'POST', headers, body });
        expect([response.status, await response.json()]).toEqual([
          400,
          { parent: [`Invalid pk "${id}" - object does not exist.`] },
        ]);
      }
    }
  });

  test('a hidden comment of a thread and one that never was are answered alike', async () => {
    const hidden = Object.entries(kinds).filter(([name]) => !name.startsWith('unlisted'));
    for (const [name, { id }] of hidden)
      for (const site of [full, bare]) {
        const headers = { ...zoe.get(site), 'Content-Type': 'application/json' };
        const body = JSON.stringify({ text: 'So', parent: id + 4 });
        const response = await site.request('/api/v1/projects/1/comments/', {
          method: 'POST',
          headers,
          body,
        });
        expect([name, response.status, await response.json()]).toEqual([
          name,
          400,
          { parent: ['This comment belongs to another thread.'] },
        ]);
      }
  });

  const insiders = { 'its owner': keeper, 'a moderator': mo };
  for (const [name, as] of Object.entries(insiders)) {
    test(`a project in the trash shows only in the trash for ${name}`, async () => {
      const paths = [...knownPaths, ...listings.map((path) => `${path}&contributor=me`)];
      for (const path of paths) {
        const [text, expected] = await Promise.all(
          [full, untrashed].map((site) => fetchText(site, { path, as })),
        );
        expect(text).toBe(expected as string);
      }
      const guessed = guessedPaths.filter((path) => /\/16\d\/|00000016\d\//.test(path));
      await inGroups(guessed, (path) => expectSame(full, untrashed, { path, as }));
    });
  }

  test('the trash is listed for its owner and for moderators', async () => {
    const idsFor = async (as: Map<Site, Record<string, string>>) => {
      const { results } = (await full.json('/api/v1/trash/?fields=id', as.get(full))) as {
        results: { id: number }[];
      };
      return results.map(({ id }) => id);
    };
    expect(await idsFor(zoe)).toEqual([]);
    expect(await idsFor(keeper)).toEqual([165, 164, 163, 160]);
    expect(await idsFor(mo)).toEqual([165, 164, 163, 160]);
  });

  test('viewers who may see hidden projects get the words that mark them', async () => {
    const text = await fetchText(full, {
      path: '/api/v1/projects/?contributor=me&page_size=100',
      as: keeper,
    });
    for (const mark of marks) expect(text).toContain(mark);
    const unlisted = await fetchText(full, { path: `${pathOf(140)}?format=json` });
    expect(unlisted).toContain('Vexillum');
  });
});
