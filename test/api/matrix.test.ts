// The permissions of each role on own and other projects, in every state of a project. The expected statuses come from
// the contract, not from src/core/viewer/permissions.ts: a change there makes these tests fail.

import { beforeAll, expect, test } from 'bun:test';
import sql, { join, raw } from 'sql-template-tag';
import { count as countRows, select } from '#sql';
import { projectTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const visibilities = ['public', 'unlisted', 'private'] as const;
const statuses = [0, 1, 2, 3, 5, 'trashed'] as const;

interface State {
  readonly visibility: (typeof visibilities)[number];
  readonly status: (typeof statuses)[number];
}

/** The headers that each of them sends. The projects are Ada’s. */
const headersOf = {
  visitor: async () => ({}),
  zoe: (site: Site) => site.key('zoe'),
  ada: (site: Site) => site.key('ada'),
  'ada in her browser': (site: Site) => site.signIn('ada'),
  'ada with a key that may only read': (site: Site) => site.key('ada', { writes: false }),
  'ada with a key that has expired': (site: Site) => site.key('ada', { expired: true }),
  'bruno, whose account is disabled': (site: Site) => site.key('bruno', { disabled: true }),
  'mo, a moderator': (site: Site) => site.key('mo', { role: 'moderator' }),
  'alma, an admin': (site: Site) => site.key('alma', { role: 'admin' }),
} satisfies Record<string, (site: Site) => Promise<Record<string, string>>>;
type ViewerName = keyof typeof headersOf;

const is = {
  rejected: (viewer: ViewerName) => /expired|disabled/.test(viewer),
  visitor: (viewer: ViewerName) => viewer === 'visitor',
  readOnly: (viewer: ViewerName) => /only read/.test(viewer),
  owner: (viewer: ViewerName) => viewer.startsWith('ada'),
  moderator: (viewer: ViewerName) => /moderator|admin/.test(viewer),
};

function canSee(viewer: ViewerName, { visibility, status }: State): boolean {
  if (status === 'trashed') return false;
  if (is.moderator(viewer) || is.owner(viewer)) return true;
  // An unlisted project is not found by its id, which can be counted.
  return visibility === 'public' && (status === 1 || status === 2);
}

/** The status of an operation that reads. */
const statusOfRead = (viewer: ViewerName, state: State) => (canSee(viewer, state) ? 200 : 404);

/** The history is private here. */
const statusOfHistory = (viewer: ViewerName, state: State) =>
  canSee(viewer, state) && (is.owner(viewer) || is.moderator(viewer)) ? 200 : 404;

/** The status of an operation that writes: `success` for viewers who see the project and are allowed to. */
const statusOfWrite =
  (success: number, isAllowed: (viewer: ViewerName, state: State) => boolean) =>
  (viewer: ViewerName, state: State) => {
    if (is.visitor(viewer)) return 401;
    if (is.readOnly(viewer)) return 403;
    if (!canSee(viewer, state)) return 404;
    return isAllowed(viewer, state) ? success : 403;
  };

const isAnybody = () => true;
/** What a moderator removed is not copied, and what is hidden only by its owner. */
const isCopied = (viewer: ViewerName, { status, visibility }: State) =>
  is.owner(viewer) ? status !== 3 : visibility !== 'private' && (status === 1 || status === 2);
const isNotOwner = (viewer: ViewerName) => !is.owner(viewer);
/** A removed project is not changed by its owner. */
const isOwnerOrModerator = (viewer: ViewerName, { status }: State) =>
  is.moderator(viewer) || (is.owner(viewer) && status !== 3);

/** Only moderators feature projects; to everybody else, it does not matter which project it is. */
const statusOfFeature = (ofModerators: (state: State) => number) => (viewer: ViewerName, state: State) => {
  if (is.visitor(viewer)) return 401;
  if (!is.moderator(viewer)) return 403;
  return state.status === 'trashed' ? 404 : ofModerators(state);
};

/** A project that is not in the trash is not found there. */
function statusOfRestore(viewer: ViewerName, { status }: State): number {
  if (is.visitor(viewer)) return 401;
  if (is.readOnly(viewer)) return 403;
  return status === 'trashed' && (is.owner(viewer) || is.moderator(viewer)) ? 200 : 404;
}

interface Operation {
  readonly method: string;
  readonly path?: string;
  readonly body?: object;
  /** A file, in a multipart form. */
  readonly file?: string;
  status(viewer: ViewerName, state: State): number;
}

const operations: readonly Operation[] = [
  { method: 'GET', status: statusOfRead },
  { method: 'HEAD', status: statusOfRead },
  { method: 'OPTIONS', status: () => 200 },
  { method: 'GET', path: 'copies/', status: statusOfRead },
  { method: 'GET', path: 'lineage/', status: statusOfRead },
  { method: 'GET', path: 'comments/', status: statusOfRead },
  { method: 'GET', path: 'history/', status: statusOfHistory },
  { method: 'PUT', body: { title: 'Put' }, status: statusOfWrite(200, isOwnerOrModerator) },
  { method: 'PATCH', body: { text: 'Patched.' }, status: statusOfWrite(200, isOwnerOrModerator) },
  { method: 'DELETE', status: statusOfWrite(204, isOwnerOrModerator) },
  { method: 'POST', path: 'copy/', status: statusOfWrite(201, isCopied) },
  { method: 'POST', path: 'comments/', body: { text: 'Well made.' }, status: statusOfWrite(201, isAnybody) },
  { method: 'GET', path: 'media/', status: statusOfRead },
  { method: 'POST', path: 'media/', file: 'Notes.', status: statusOfWrite(201, isOwnerOrModerator) },
  { method: 'POST', path: 'restore/', status: statusOfRestore },
  { method: 'PUT', path: 'rating/', body: { value: 4 }, status: statusOfWrite(200, isNotOwner) },
  { method: 'DELETE', path: 'rating/', status: statusOfWrite(204, isNotOwner) },
  // It is no question, so that nothing is an answer to it.
  { method: 'PUT', path: 'answer/', body: { comment: 1 }, status: statusOfWrite(400, isOwnerOrModerator) },
  { method: 'DELETE', path: 'answer/', status: statusOfWrite(204, isOwnerOrModerator) },
  {
    method: 'PUT',
    path: 'featured/',
    status: statusOfFeature(({ visibility, status }) =>
      visibility === 'public' && status === 1 ? 204 : 400,
    ),
  },
  { method: 'DELETE', path: 'featured/', status: statusOfFeature(() => 204) },
  { method: 'POST', path: 'report/', body: { reason: 'spam' }, status: statusOfWrite(201, isNotOwner) },
];

function formWith(file: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([file]), 'notes.txt');
  return form;
}

const expectedStatus = (viewer: ViewerName, state: State, operation: Operation) =>
  is.rejected(viewer) ? 401 : operation.status(viewer, state);

const viewers = Object.keys(headersOf) as ViewerName[];
const combinations = visibilities.flatMap((visibility) => statuses.map((status) => ({ visibility, status })));

/** Each viewer, state and operation has its own project, so that no operation changes the project of another. */
const projectOf = (viewer: ViewerName, { visibility, status }: State, operation: Operation) =>
  1 +
  operations.indexOf(operation) +
  operations.length * (statuses.indexOf(status) + statuses.length * visibilities.indexOf(visibility)) +
  operations.length * combinations.length * viewers.indexOf(viewer);

const people = [
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  contributor(4, 'alma'),
  contributor(5, 'bruno'),
];

const trashedAt = '2026-01-01T00:00:00.000000+00:00';
const projects = viewers.flatMap((viewer) =>
  combinations.flatMap((state) =>
    operations.map((operation) =>
      project(projectOf(viewer, state, operation), {
        visibility: state.visibility,
        ...(state.status === 'trashed' ? { status: 1, trashed: trashedAt } : { status: state.status }),
      }),
    ),
  ),
);

onBothDatabases((kind) => {
  let site: Site;
  const headers = {} as Record<ViewerName, Record<string, string>>;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: dump(...people, ...projects) });
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed_by = contributor where trashed is not null`),
    );
    for (const viewer of viewers) headers[viewer] = await headersOf[viewer](site);
  });

  const rowsOf = async (ids: readonly number[]) => {
    const projects = select(projectTable.columns, sql`from project where id in (${join(ids)}) order by id`);
    return new Map((await site.database.all(projects)).map((row) => [row.id, row]));
  };
  const perform = (viewer: ViewerName, id: number, { method, path = '', body, file }: Operation) =>
    visitor(site).request(
      method,
      `/api/v1/projects/${id}/${path}`,
      file ? formWith(file) : body,
      headers[viewer],
    );
  const count = (table: 'project' | 'rating' | 'report') => countRows(site.database, raw(`from ${table}`));

  for (const viewer of viewers) {
    for (const state of combinations) {
      const { visibility, status } = state;
      const stateName = `${visibility} and ${status === 'trashed' ? 'in the trash' : `of status ${status}`}`;
      test(`what ${viewer} may do with a project that is ${stateName}`, async () => {
        const before = [await count('project'), await count('rating'), await count('report')];
        const ids = operations.map((operation) => projectOf(viewer, state, operation));
        const rows = await rowsOf(ids);
        const statusOf = new Map<string, number>();
        const refused: number[] = [];
        await Promise.all(
          operations.map(async (operation, index) => {
            const name = `${operation.method} ${operation.path ?? ''}`;
            const id = ids[index] ?? 0;
            const response = await perform(viewer, id, operation);
            await response.text();
            expect([name, response.status]).toEqual([name, expectedStatus(viewer, state, operation)]);
            statusOf.set(name, response.status);
            if (response.status >= 400) refused.push(id);
            if (response.status === 401) expect(response.headers.get('WWW-Authenticate')).toBe('Token');
          }),
        );
        const rowsAfterwards = await rowsOf(ids);
        for (const id of refused) expect(rowsAfterwards.get(id)).toEqual(rows.get(id));

        const isCreated = (name: string) => (statusOf.get(name) === 201 ? 1 : 0);
        const isRated = statusOf.get('PUT rating/') === 200 ? 1 : 0;
        const [projects = 0, ratings = 0, reports = 0] = before;
        expect([await count('project'), await count('rating'), await count('report')]).toEqual([
          projects + isCreated('POST copy/') + isCreated('POST comments/'),
          ratings + isRated,
          reports + isCreated('POST report/'),
        ]);
      });
    }
  }

  test('OPTIONS offers a change to those who may make it, and to nobody else', async () => {
    const options = operations.find(({ method }) => method === 'OPTIONS') as Operation;
    const offered = operations.filter(
      // A change that takes no values has no form to offer.
      ({ method, path, body }) =>
        (method === 'PUT' && body !== undefined) || (method === 'POST' && path !== undefined),
    );
    let offers = 0;
    for (const viewer of viewers) {
      for (const state of combinations) {
        const check = async (operation: Operation) => {
          const id = projectOf(viewer, state, options);
          const response = await perform(viewer, id, { ...options, path: operation.path });
          const { actions = {} } = (await response.json()) as { actions?: object };
          const isOffered = operation.method in actions;
          const name = `${viewer}: ${operation.method} ${operation.path ?? ''} ${state.visibility} ${state.status}`;
          // A change is offered to those who may make it, also where the project is not right for it (400).
          const isAllowed = ![401, 403, 404].includes(expectedStatus(viewer, state, operation));
          expect([name, isOffered]).toEqual([name, isAllowed]);
          if (isOffered) offers++;
        };
        await Promise.all(offered.map(check));
      }
    }
    expect(offers).toBeGreaterThan(100);
  });

  test('a browser changes nothing without the CSRF token of its session', async () => {
    const { Cookie = '' } = headers['ada in her browser'];
    for (const operation of operations.filter(({ method }) => !/GET|HEAD|OPTIONS/.test(method))) {
      const id = projectOf('visitor', { visibility: 'public', status: 1 }, operation);
      const row = await rowsOf([id]);
      const path = `/api/v1/projects/${id}/${operation.path ?? ''}`;
      const response = await visitor(site).request(operation.method, path, operation.body ?? {}, { Cookie });
      expect([response.status, await response.json()]).toEqual([
        403,
        { detail: 'CSRF Failed: CSRF token missing.' },
      ]);
      expect(await rowsOf([id])).toEqual(row);
    }
  });

  test('a hidden or deleted project is refused in the same words as a missing one', async () => {
    const refusal = async (id: number, operation: Operation) => {
      const response = await perform('zoe', id, operation);
      const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: await response.text() };
    };
    for (const operation of operations.filter(({ method }) => method !== 'OPTIONS')) {
      const missing = await refusal(999_999, operation);
      const hidden = combinations.filter((state) => !canSee('zoe', state));
      const ids = hidden.map((state) => projectOf('zoe', state, operation));
      for (const refused of await Promise.all(ids.map((id) => refusal(id, operation))))
        expect(refused).toEqual(missing);
    }
  });

  test('only moderators see reports and decisions, and make decisions', async () => {
    const operations = [
      ['GET', 'reports/'],
      ['GET', 'reports/1/'],
      ['GET', 'decisions/'],
      ['GET', 'contributors/1/account/'],
      ['POST', 'reports/1/decide/', { decision: 'leave' }],
      ['POST', 'decisions/1/undo/', {}],
      ['PUT', 'contributors/1/account/', { state: 'disabled' }],
      ['POST', 'projects/3/review/', { decision: 'approve' }],
    ] as const;
    const openSite = async () => {
      const site = await siteOn(kind, {
        dump: dump(...people, project(1), project(2), project(3, { status: 5 })),
      });
      await site.key('ada');
      await (await person(site, 'zoe')).post('/api/v1/projects/1/report/', { reason: 'spam' });
      return site;
    };
    const unchanged = await openSite();
    for (const viewer of viewers) {
      const site = is.moderator(viewer) ? await openSite() : unchanged;
      const headers = await headersOf[viewer](site);
      const refusal = is.visitor(viewer) || is.rejected(viewer) ? 401 : 403;
      for (const [method, path, body] of operations) {
        const response = await visitor(site).request(method, `/api/v1/${path}`, body, headers);
        expect([viewer, path, response.status]).toEqual([viewer, path, is.moderator(viewer) ? 200 : refusal]);
      }
    }
  });

  test('moderators disable contributors, admins moderators too, and nobody themselves', async () => {
    const site = await siteOn(kind, { dump: dump(...people) });
    const [zoe, mo] = [await person(site, 'zoe'), await person(site, 'mo', { role: 'moderator' })];
    const alma = await person(site, 'alma', { role: 'admin' });
    const bruno = await person(site, 'bruno', { role: 'moderator' });
    const disable = async (sender: Person, id: number) =>
      (await sender.put(`/api/v1/contributors/${id}/account/`, { state: 'disabled' })).status;
    const statusOfOwnAccount = async (owner: Person) => (await owner.get('/api/v1/me/')).status;

    expect(await disable(zoe, 5)).toBe(403);
    expect(await disable(zoe, 2)).toBe(403);
    expect(await disable(mo, 3)).toBe(403);
    expect(await disable(mo, 5)).toBe(403);
    expect(await disable(mo, 4)).toBe(403);
    expect(await disable(alma, 4)).toBe(403);

    expect(await statusOfOwnAccount(zoe)).toBe(200);
    expect(await disable(mo, 2)).toBe(200);
    expect(await statusOfOwnAccount(zoe)).toBe(401);

    expect(await statusOfOwnAccount(bruno)).toBe(200);
    expect(await disable(alma, 5)).toBe(200);
    expect(await statusOfOwnAccount(bruno)).toBe(401);

    // Ada has no account.
    expect(await disable(mo, 1)).toBe(404);
    expect(await statusOfOwnAccount(mo)).toBe(200);
    expect(await statusOfOwnAccount(alma)).toBe(200);
  });
});
