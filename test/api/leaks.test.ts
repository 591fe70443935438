// What is hidden shows nowhere. Each surface is asked of a gallery that has hidden things and of one that never had
// them: a reader who may not see them must hear the same of both, to the letter.

import { beforeAll, expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const people = [
  ada,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Ångström' }),
  contributor(3, 'mo'),
  contributor(4, 'keeper', { first_name: 'Zinnober', last_name: 'Quark' }),
];

/** In all that is hidden, and nowhere else. Who made it is known from the list of contributors. */
const marks = ['xylograph', 'Vexillum', 'Oubliette'];
const marked = { title: 'Vexillum', text: 'A xylograph.', tags: ['Oubliette', 'kites'] };

interface Hidden {
  readonly id: number;
  readonly state: Record<string, unknown>;
  /** Zoë, who then does not see her own comment, unless said. */
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
};

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;

/** A hidden project with what is said of it, and what was copied from it without anybody seeing. */
const hiding = ({ id, state, commentator = 2 }: Hidden) => [
  project(id, { ...marked, ...state, contributor: 4, copied_from: 1 }),
  project(id + 1, { ...marked, content_type: 'comment', contributor: commentator, parent: id }),
  project(id + 2, { ...marked, content_type: 'comment', contributor: 4, parent: id + 1 }),
  project(id + 3, { ...marked, ...state, contributor: 4, copied_from: id }),
  // What everybody sees a copy of.
  project(id + 5, { ...marked, ...state, contributor: 4 }),
  // The same said of what everybody sees.
  project(id + 4, { ...marked, ...state, content_type: 'comment', contributor: 4, parent: 1 }),
];

const seen = [
  project(1, { title: 'Source', tags: ['kites'], text: 'A xylophone.' }),
  project(2, { title: 'Copy of the source', contributor: 2, copied_from: 1 }),
  project(3, { title: 'Kind words', content_type: 'comment', contributor: 2, parent: 1 }),
  project(4, { title: 'By the keeper', contributor: 4, tags: ['Kites'] }),
];
/** Copies of the hidden, which everybody sees. */
const copies = Object.values(kinds).map(({ id }) =>
  project(id + 6, { title: 'Heir', contributor: 2, copied_from: id + 5 }),
);

const moment = '2026-01-01T00:00:00.000000+00:00';
/** What was reported of what everybody sees, and decided. */
const reported = [
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
  ...[0, 1, 2, 3].flatMap((status) => [`status=${status}`, `status=${status}&content_type=comment`]),
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

const heirs = Object.values(kinds)
  .filter(({ state }) => state.visibility !== 'unlisted')
  .map(({ id }) => id + 6);

/** Where one may come upon things without knowing their address. */
const met = [
  ...listings,
  ...listings.slice(0, 3).map((path) => `${path}&format=api`),
  '/api/v1/projects.json?search=xylo',
  ...['', '?ordering=name', '?search=oub', '?search=k', '?format=api'].map(
    (query) => `/api/v1/tags/${query}`,
  ),
  ...['', '?ordering=last_name', '?username=keeper', '4/', '4/?format=api'].map(
    (rest) => `/api/v1/contributors/${rest}`,
  ),
  ...[1, 2, 3, 4].flatMap((id) =>
    ['', 'copies/', 'copies/?cursor=', 'comments/', 'comments/?cursor=&page_size=1', 'lineage/'].map(
      (rest) => `/api/v1/projects/${id}/${rest}`,
    ),
  ),
  ...['1/lineage/?limit=1', '1/lineage/?limit=2', '1/lineage/?format=api', '1/comments/?format=api'].map(
    (rest) => `/api/v1/projects/${rest}`,
  ),
  ...['/api/v1/', '/api/v1/schema/', '/', '/?page=last', '/?content_type=comment', '/contributors/4-keeper/'],
  ...heirs.flatMap((id) =>
    ['', '?format=api', 'lineage/', 'copies/'].map((rest) => `/api/v1/projects/${id}/${rest}`),
  ),
  ...[1, 2, 3, 4, ...heirs].map((id) => `/content/${uuid(id)}/a-thing/`),
  ...['reports/', 'reports/1/', 'reports/9/', 'decisions/', 'contributors/4/account/'].map(
    (rest) => `/api/v1/${rest}`,
  ),
  ...['', 'log/', 'removed/', 'people/?username=ada'].map((rest) => `/moderation/${rest}`),
];

/** What somebody tries who has guessed an address. */
const guessed = hiddenIds.flatMap((id) => [
  ...['', '?format=api', '?include=content_type,parent', '?fields=id', '?search=vexillum', '?status=0'].map(
    (query) => `/api/v1/projects/${id}/${query}`,
  ),
  ...['copies/', 'comments/', 'lineage/', 'rating/'].map((rest) => `/api/v1/projects/${id}/${rest}`),
  ...['', 'a-thing/', 'vexillum/', 'a-thing/report/'].map((rest) => `/content/${uuid(id)}/${rest}`),
]);

/** What somebody sends there; nothing of it does anything, or it would show in what comes behind it. */
const sent = hiddenIds.flatMap((id) =>
  (
    [
      ...(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).map((method) => [method, ''] as const),
      ...(['copy/', 'comments/', 'restore/', 'report/'] as const).map((path) => ['POST', path] as const),
      ...(['PUT', 'DELETE'] as const).map((method) => [method, 'rating/'] as const),
      ...(['copy/', 'restore/', 'rating/', 'report/'] as const).map((path) => ['OPTIONS', path] as const),
    ] as const
  ).map(([method, path]) => [method, `/api/v1/projects/${id}/${path}`] as const),
);

onBothDatabases((kind) => {
  /** Has all that is hidden, and what is in the trash. */
  let full: Site;
  /** The same without what is in the trash. */
  let untrashed: Site;
  /** Has only what everybody sees in listings. */
  let bare: Site;
  const zoe = new Map<Site, Record<string, string>>();
  const keeper = new Map<Site, Record<string, string>>();
  const mo = new Map<Site, Record<string, string>>();

  beforeAll(async () => {
    const siteWith = async (hidden: Hidden[]) => {
      const judged = hidden.length ? reported : [];
      const site = await siteOn(kind, {
        dump: dump(...people, ...seen, ...hidden.flatMap(hiding), ...copies, ...judged),
      });
      await site.database.transaction((transaction) =>
        transaction.run(sql`update project set trashed_by = 4 where trashed is not null`),
      );
      zoe.set(site, await site.key('zoe'));
      keeper.set(site, await site.key('keeper'));
      mo.set(site, await site.key('mo', { role: 'moderator' }));
      return site;
    };
    const { trashed: thrown, ...others } = kinds;
    full = await siteWith([...Object.values(others), thrown as Hidden]);
    untrashed = await siteWith(Object.values(others));
    bare = await siteWith([]);
  });

  interface Asked {
    readonly path: string;
    readonly method?: string;
    readonly as?: Map<Site, Record<string, string>>;
    readonly headers?: Record<string, string>;
  }

  /** All that is answered, but for what differs from request to request. */
  async function heard(site: Site, { path, method = 'GET', as, headers }: Asked): Promise<string> {
    const body = /PUT|PATCH|comments|report/.test(`${method}${path}`) && !/GET|OPTIONS/.test(method);
    const response = await site.request(path, {
      method,
      headers: { ...as?.get(site), ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && {
        body: JSON.stringify({ title: 'Mine now', text: 'Mine now.', value: 5, reason: 'spam' }),
      }),
    });
    const { 'x-request-id': _, ...said } = Object.fromEntries(response.headers);
    const given = await response.text();
    // Each form that counts once has a word of its own, and its page another tag each time.
    const text = given.replace(/(name="once" value=")[^"]*/g, '$1');
    if (text !== given) delete said.etag;
    return `${method} ${path}\n${response.status} ${JSON.stringify(said)}\n${text}`;
  }

  async function sameOnBoth(one: Site, other: Site, asked: Asked): Promise<void> {
    const [there, elsewhere] = [await heard(one, asked), await heard(other, asked)];
    expect(there).toBe(elsewhere);
    const [, ...answer] = there.split('\n');
    const echoed = asked.path.toLowerCase();
    for (const mark of marks.filter((mark) => !echoed.includes(mark.toLowerCase())))
      expect(answer.join('\n').toLowerCase()).not.toContain(mark.toLowerCase());
  }

  const strangers = { 'a visitor': undefined, zoe };
  for (const [name, as] of Object.entries(strangers)) {
    test(`${name} comes upon nothing that is hidden`, async () => {
      for (const path of met) await sameOnBoth(full, bare, { path, as });
    });

    test(`${name} who guesses an address finds what is found where nothing ever was`, async () => {
      const open = (path: string) => /\/1[45]\d\/|0000001[45]\d\//.test(path);
      for (const path of guessed.filter((path) => !open(path))) await sameOnBoth(full, bare, { path, as });
    });
  }

  test('Zoe can do nothing to what is hidden, not even tell that it is there', async () => {
    for (const [method, path] of sent.filter(([, path]) => !/\/1[45]\d\//.test(path))) {
      await sameOnBoth(full, bare, { method, path, as: zoe });
      await sameOnBoth(full, bare, { method, path, as: zoe, headers: { 'If-Match': '"x"' } });
    }
  });

  test('nobody can speak of what is hidden from them', async () => {
    for (const id of hiddenIds.filter((id) => id < 140 || id > 155)) {
      const body = JSON.stringify({ title: 'So', content_type: 'comment', parent: id });
      const [there, elsewhere] = await Promise.all(
        [full, bare].map(async (site) => {
          const headers = { ...zoe.get(site), 'Content-Type': 'application/json' };
          const response = await site.request('/api/v1/projects/', { method: 'POST', headers, body });
          return [response.status, await response.json()];
        }),
      );
      expect(there).toEqual(elsewhere as never);
      expect(there).toEqual([400, { parent: [`Invalid pk "${id}" - object does not exist.`] }]);
    }
  });

  const insiders = { 'whoever made it': keeper, 'a moderator': mo };
  for (const [name, as] of Object.entries(insiders)) {
    test(`what is in the trash is for ${name} where nothing else is`, async () => {
      const paths = [...met, ...listings.map((path) => `${path}&contributor=me`)];
      for (const path of paths) {
        const [there, elsewhere] = [await heard(full, { path, as }), await heard(untrashed, { path, as })];
        expect(there).toBe(elsewhere);
      }
      for (const path of guessed.filter((path) => /\/16\d\/|00000016\d\//.test(path)))
        await sameOnBoth(full, untrashed, { path, as });
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

  test('the marks would be found: those who may see them do', async () => {
    const text = await heard(full, { path: '/api/v1/projects/?contributor=me&page_size=100', as: keeper });
    for (const mark of marks) expect(text).toContain(mark);
    const found = await heard(full, { path: '/api/v1/projects/140/' });
    expect(found).toContain('Vexillum');
  });
});
