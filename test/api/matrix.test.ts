// Who may do what to whose project, in every state that it can be in: written from what the interface promises, so
// that a change of src/gallery/permissions.ts is seen here.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { count as countRows, select } from '../../src/database/query.ts';
import { projectTable } from '../../src/database/schema.ts';
import { describeAllowed, type Permission, permissions } from '../../src/gallery/permissions.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const visibilities = ['public', 'unlisted', 'private'] as const;
const states = [0, 1, 2, 3, 'trashed'] as const;

interface State {
  readonly visibility: (typeof visibilities)[number];
  readonly status: (typeof states)[number];
}

/** How each of them is signed in. Ada made the projects. */
const authenticator = {
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
type Reader = keyof typeof authenticator;

const is = {
  refused: (viewer: Reader) => /expired|disabled/.test(viewer),
  visitor: (viewer: Reader) => viewer === 'visitor',
  readOnly: (viewer: Reader) => /only read/.test(viewer),
  owner: (viewer: Reader) => viewer.startsWith('ada'),
  moderator: (viewer: Reader) => /moderator|admin/.test(viewer),
};

function sees(viewer: Reader, { visibility, status }: State): boolean {
  if (status === 'trashed') return false;
  if (is.moderator(viewer) || is.owner(viewer)) return true;
  return visibility !== 'private' && (status === 1 || status === 2);
}

/** The status of an act that shows something. */
const reading = (viewer: Reader, state: State) => (sees(viewer, state) ? 200 : 404);

/** The status of an act that changes something: `success` if those who see it may, or else what they are told. */
const writing =
  (success: number, may: (viewer: Reader, state: State) => boolean) => (viewer: Reader, state: State) => {
    if (is.visitor(viewer)) return 401;
    if (is.readOnly(viewer)) return 403;
    if (!sees(viewer, state)) return 404;
    return may(viewer, state) ? success : 403;
  };

const anybody = () => true;
const notTheOwner = (viewer: Reader) => !is.owner(viewer);
/** What a moderator removed is no longer its owner's. */
const ownerOrModerator = (viewer: Reader, { status }: State) =>
  is.moderator(viewer) || (is.owner(viewer) && status !== 3);

function restoring(viewer: Reader, { status }: State): number {
  if (is.visitor(viewer)) return 401;
  if (is.readOnly(viewer)) return 403;
  return status === 'trashed' && (is.owner(viewer) || is.moderator(viewer)) ? 200 : 404;
}

interface Deed {
  readonly method: string;
  readonly path?: string;
  readonly sent?: object;
  /** A file, in a multipart form. */
  readonly file?: string;
  status(viewer: Reader, state: State): number;
}

const acts: readonly Deed[] = [
  { method: 'GET', status: reading },
  { method: 'HEAD', status: reading },
  { method: 'OPTIONS', status: () => 200 },
  { method: 'GET', path: 'copies/', status: reading },
  { method: 'GET', path: 'lineage/', status: reading },
  { method: 'GET', path: 'comments/', status: reading },
  { method: 'PUT', sent: { title: 'Put' }, status: writing(200, ownerOrModerator) },
  { method: 'PATCH', sent: { text: 'Patched.' }, status: writing(200, ownerOrModerator) },
  { method: 'DELETE', status: writing(204, ownerOrModerator) },
  { method: 'POST', path: 'copy/', status: writing(201, anybody) },
  { method: 'POST', path: 'comments/', sent: { text: 'Well made.' }, status: writing(201, anybody) },
  { method: 'GET', path: 'media/', status: reading },
  { method: 'POST', path: 'media/', file: 'Notes.', status: writing(201, ownerOrModerator) },
  { method: 'POST', path: 'restore/', status: restoring },
  { method: 'PUT', path: 'rating/', sent: { value: 4 }, status: writing(200, notTheOwner) },
  { method: 'DELETE', path: 'rating/', status: writing(204, notTheOwner) },
  { method: 'POST', path: 'report/', sent: { reason: 'spam' }, status: writing(201, notTheOwner) },
];

function formWith(file: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([file]), 'notes.txt');
  return form;
}

const expected = (viewer: Reader, state: State, act: Deed) =>
  is.refused(viewer) ? 401 : act.status(viewer, state);

const names = Object.keys(authenticator) as Reader[];
const combinations = visibilities.flatMap((visibility) => states.map((status) => ({ visibility, status })));

/** A project of its own for each reader, state and act: nothing that is done to one shows in another. */
const projectOf = (viewer: Reader, { visibility, status }: State, act: Deed) =>
  1 +
  acts.indexOf(act) +
  acts.length * (states.indexOf(status) + states.length * visibilities.indexOf(visibility)) +
  acts.length * combinations.length * names.indexOf(viewer);

const people = [
  ...[ada, contributor(2, 'zoe'), contributor(3, 'mo'), contributor(4, 'alma'), contributor(5, 'bruno')],
];

const trashedAt = '2026-01-01T00:00:00.000000+00:00';
const projects = names.flatMap((viewer) =>
  combinations.flatMap((state) =>
    acts.map((act) =>
      project(projectOf(viewer, state, act), {
        visibility: state.visibility,
        ...(state.status === 'trashed' ? { status: 1, trashed: trashedAt } : { status: state.status }),
      }),
    ),
  ),
);

onBothDatabases((kind) => {
  let site: Site;
  const headers = {} as Record<Reader, Record<string, string>>;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: dump(...people, ...projects) });
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed_by = contributor where trashed is not null`),
    );
    for (const viewer of names) headers[viewer] = await authenticator[viewer](site);
  });

  const rowOf = (id: number) =>
    site.database.first(select(projectTable.columns, sql`from project where id = ${id}`));
  const perform = (viewer: Reader, id: number, { method, path = '', sent, file }: Deed, more = {}) =>
    site.request(`/api/v1/projects/${id}/${path}`, {
      method,
      headers: { ...headers[viewer], ...(sent && { 'Content-Type': 'application/json' }), ...more },
      body: file ? formWith(file) : sent && JSON.stringify(sent),
    });
  const count = (table: 'project' | 'rating' | 'report') => countRows(site.database, raw(`from ${table}`));

  for (const viewer of names) {
    for (const state of combinations) {
      const { visibility, status } = state;
      test(`what ${viewer} may do to what is ${visibility}, ${status === 'trashed' ? 'in the trash' : `of status ${status}`}`, async () => {
        const before = [await count('project'), await count('rating'), await count('report')];
        const wanted: Record<string, unknown> = {};
        const heard: Record<string, unknown> = {};
        for (const act of acts) {
          const name = `${act.method} ${act.path ?? ''}`;
          const id = projectOf(viewer, state, act);
          const row = await rowOf(id);
          const response = await perform(viewer, id, act);
          await response.text();
          wanted[name] = expected(viewer, state, act);
          heard[name] = response.status;
          if (response.status >= 400) expect({ name, row: await rowOf(id) }).toEqual({ name, row });
          if (response.status === 401) expect(response.headers.get('WWW-Authenticate')).toBe('Token');
        }
        expect(heard).toEqual(wanted);

        const reported = wanted['POST report/'] === 201 ? 1 : 0;
        const made =
          Object.entries(wanted).filter(([name, status]) => status === 201 && name !== 'POST media/').length -
          reported;
        const rated = wanted['PUT rating/'] === 200 ? 1 : 0;
        const [projects = 0, ratings = 0, reports = 0] = before;
        expect([await count('project'), await count('rating'), await count('report')]).toEqual([
          projects + made,
          ratings + rated,
          reports + reported,
        ]);
      });
    }
  }

  test('OPTIONS offers a change to those who may make it, and to nobody else', async () => {
    const wanted: string[] = [];
    const heard: string[] = [];
    const options = acts.find(({ method }) => method === 'OPTIONS') as Deed;
    const offered = acts.filter(({ method, path }) => path !== undefined || method === 'PUT');
    for (const viewer of names) {
      for (const state of combinations) {
        for (const act of offered.filter(({ method }) => method === 'PUT' || method === 'POST')) {
          const id = projectOf(viewer, state, options);
          const response = await perform(viewer, id, { ...options, path: act.path });
          const { actions = {} } = (await response.json()) as { actions?: object };
          const name = `${viewer}: ${act.method} ${act.path ?? ''} ${state.visibility} ${state.status}`;
          if (expected(viewer, state, act) < 300) wanted.push(name);
          if (act.method in actions) heard.push(name);
        }
      }
    }
    expect(heard).toEqual(wanted);
    expect(heard.length).toBeGreaterThan(100);
  });

  test('a browser changes nothing without the CSRF token of its session', async () => {
    const { Cookie = '' } = headers['ada in her browser'];
    for (const act of acts.filter(({ method }) => !/GET|HEAD|OPTIONS/.test(method))) {
      const id = projectOf('visitor', { visibility: 'public', status: 1 }, act);
      const row = await rowOf(id);
      const response = await site.request(`/api/v1/projects/${id}/${act.path ?? ''}`, {
        method: act.method,
        headers: { Cookie, 'Content-Type': 'application/json' },
        body: act.sent && JSON.stringify(act.sent),
      });
      expect([response.status, await response.json()]).toEqual([
        403,
        { detail: 'CSRF Failed: CSRF token missing.' },
      ]);
      expect(await rowOf(id)).toEqual(row);
    }
  });

  test('a hidden or deleted project is refused in the same words as a missing one', async () => {
    const acting = acts.filter(({ method }) => method !== 'OPTIONS');
    for (const act of acting) {
      const never = await perform('zoe', 999_999, act);
      const words = [never.status, await never.text(), Object.fromEntries(never.headers)];
      for (const state of combinations.filter((one) => !sees('zoe', one))) {
        const response = await perform('zoe', projectOf('zoe', state, act), act);
        const { 'x-request-id': _, ...said } = Object.fromEntries(response.headers);
        const { 'x-request-id': __, ...wanted } = words[2] as Record<string, string>;
        expect([response.status, await response.text(), said]).toEqual([words[0], words[1], wanted] as never);
      }
    }
  });
});

onBothDatabases((kind) => {
  test('only moderators see reports and decisions, and make decisions', async () => {
    const everybody = dump(...people, project(1), project(2));
    const acts = [
      ['GET', 'reports/'],
      ['GET', 'reports/1/'],
      ['GET', 'decisions/'],
      ['GET', 'contributors/1/account/'],
      ['POST', 'reports/1/decide/', { decision: 'leave' }],
      ['POST', 'decisions/1/undo/', {}],
      ['PUT', 'contributors/1/account/', { state: 'disabled' }],
    ] as const;
    for (const viewer of names) {
      const site = await siteOn(kind, { dump: everybody });
      const headers = await authenticator[viewer](site);
      await site.key('ada');
      await site.request('/api/v1/projects/1/report/', {
        method: 'POST',
        headers: { ...(await site.key('zoe')), 'Content-Type': 'application/json' },
        body: '{"reason":"spam"}',
      });
      const heard: number[] = [];
      for (const [method, path, sent] of acts) {
        const body = sent && JSON.stringify(sent);
        const type = { 'Content-Type': 'application/json' };
        const init = { method, headers: { ...headers, ...type }, body };
        heard.push((await site.request(`/api/v1/${path}`, init)).status);
      }
      await site.close();
      const refused = is.visitor(viewer) || is.refused(viewer) ? 401 : 403;
      expect([viewer, heard]).toEqual([viewer, acts.map(() => (is.moderator(viewer) ? 200 : refused))]);
    }
  });

  test('moderators disable contributors, admins moderators too, and nobody themselves', async () => {
    const site = await siteOn(kind, { dump: dump(...people) });
    const roles = { zoe: 'contributor', mo: 'moderator', alma: 'admin', bruno: 'moderator' } as const;
    const keys = new Map<string, Record<string, string>>();
    for (const [name, role] of Object.entries(roles)) keys.set(name, await site.key(name, { role }));
    const ids = { ada: 1, zoe: 2, mo: 3, alma: 4, bruno: 5 };
    const heard = [];
    for (const [by, who] of [
      ...([
        ['zoe', 'bruno'],
        ['zoe', 'zoe'],
        ['mo', 'mo'],
        ['mo', 'bruno'],
        ['mo', 'alma'],
      ] as const),
      ...([
        ['alma', 'alma'],
        ['mo', 'zoe'],
        ['alma', 'bruno'],
        ['mo', 'ada'],
      ] as const),
    ]) {
      const response = await site.request(`/api/v1/contributors/${ids[who]}/account/`, {
        method: 'PUT',
        headers: { ...keys.get(by), 'Content-Type': 'application/json' },
        body: '{"state":"disabled"}',
      });
      heard.push(`${by} ${who} ${response.status}`);
    }
    const after = await Promise.all([...keys.values()].map((key) => site.get('/api/v1/me/', key)));

    expect(heard).toEqual([
      ...['zoe bruno 403', 'zoe zoe 403', 'mo mo 403', 'mo bruno 403', 'mo alma 403'],
      // Ada has no account.
      ...['alma alma 403', 'mo zoe 200', 'alma bruno 200', 'mo ada 404'],
    ]);
    expect(after.map(({ status }) => status)).toEqual([401, 200, 200, 401]);
  });
});

test('the page about permissions says what the table of permissions says', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/api/permissions.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| To'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, act, who, key]) => ({ act, who, key }));
  const table = (Object.keys(permissions) as Permission[]).map((act) => ({
    act: permissions[act].description,
    who: describeAllowed(act),
    key: 'allowsReadOnlyKeys' in permissions[act] ? 'reads' : 'writes',
  }));

  expect(rows.filter(({ act }) => !act?.startsWith('-'))).toEqual(table);
});
