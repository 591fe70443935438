// A remix cannot break the licence of its source.

import { beforeAll, expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const licenses = [
  'CC0-1.0',
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-NC-SA-4.0',
  'CC-BY-ND-4.0',
  'CC-BY-NC-ND-4.0',
  'MIT',
  'GPL-3.0-or-later',
] as const;
type License = (typeof licenses)[number] | null;

const everything: License[] = [null, ...licenses];
const withCredit = everything.filter((license) => license !== 'CC0-1.0');

/** The licences that a remix may have, by that of its source; undefined if it allows none. */
const ofRemix = new Map<License, License[] | undefined>([
  [null, everything],
  ['CC0-1.0', everything],
  ['CC-BY-4.0', withCredit],
  ['CC-BY-SA-4.0', ['CC-BY-SA-4.0']],
  ['CC-BY-NC-4.0', ['CC-BY-NC-4.0', 'CC-BY-NC-SA-4.0', 'CC-BY-NC-ND-4.0']],
  ['CC-BY-NC-SA-4.0', ['CC-BY-NC-SA-4.0']],
  ['CC-BY-ND-4.0', undefined],
  ['CC-BY-NC-ND-4.0', undefined],
  ['MIT', withCredit],
  ['GPL-3.0-or-later', ['GPL-3.0-or-later']],
]);

const both = '?fields=license,source_license';

onBothDatabases((kind) => {
  let site: Site;
  let maker: Person;
  let remixer: Person;

  beforeAll(async () => {
    site = await siteOn(kind, { dump: dump(ada, contributor(2, 'bob'), contributor(3, 'mo')) });
    maker = await person(site, 'ada');
    remixer = await person(site, 'bob');
  });

  const create = async (by: Person, members: object = {}) => {
    const response = await by.post('/api/v1/projects/', { title: 'Kite', ...members });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: number }).id;
  };
  const copy = (by: Person, id: number) => by.post(`/api/v1/projects/${id}/copy/`);
  const read = async (by: Person, id: number) => (await by.get(`/api/v1/projects/${id}/${both}`)).json();

  test('a remix can have each licence that goes with that of its source, and no other', async () => {
    for (const [source, allowed] of ofRemix) {
      const id = await create(maker, { license: source });
      const copied = await copy(remixer, id);
      if (!allowed) {
        expect([copied.status, await copied.json()]).toEqual([
          403,
          { detail: 'Its licence allows no remixes.' },
        ]);
        continue;
      }
      const remix = ((await copied.json()) as { id: number }).id;
      expect(await read(remixer, remix)).toEqual({ license: source, source_license: source });
      for (const license of everything) {
        await remixer.patch(`/api/v1/projects/${remix}/`, { license: source });
        const changed = await remixer.patch(`/api/v1/projects/${remix}/`, { license });
        expect([source, license, changed.status]).toEqual([
          source,
          license,
          allowed.includes(license) ? 200 : 400,
        ]);
        expect(await read(remixer, remix)).toEqual({
          license: allowed.includes(license) ? license : source,
          source_license: source,
        });
      }
    }
  });

  test('the sentence says what goes with it', async () => {
    const id = await create(maker, { license: 'CC-BY-NC-4.0' });
    const { id: remix } = (await (await copy(remixer, id)).json()) as { id: number };
    const response = await remixer.patch(`/api/v1/projects/${remix}/`, { license: 'MIT' });
    expect(await response.json()).toEqual({
      license: [
        'What it was copied from has the licence CC BY-NC 4.0: its remixes can have CC-BY-NC-4.0, CC-BY-NC-SA-4.0, CC-BY-NC-ND-4.0.',
      ],
    });
    const unknown = await remixer.patch(`/api/v1/projects/${remix}/`, { license: 'WTFPL' });
    expect(await unknown.json()).toEqual({ license: ['"WTFPL" is not a valid choice.'] });
  });

  test('a stricter licence later leaves earlier remixes alone, and their remixes', async () => {
    const id = await create(maker, { license: 'CC-BY-4.0' });
    const { id: remix } = (await (await copy(remixer, id)).json()) as { id: number };
    await maker.patch(`/api/v1/projects/${id}/`, { license: 'CC-BY-ND-4.0' });
    expect((await copy(remixer, id)).status).toBe(403);
    expect(await read(remixer, remix)).toEqual({ license: 'CC-BY-4.0', source_license: 'CC-BY-4.0' });
    expect((await remixer.patch(`/api/v1/projects/${remix}/`, { license: 'MIT' })).status).toBe(200);
  });

  test('makers copy their own work freely, and what they have remixed with its duties', async () => {
    const own = await create(maker, { license: 'CC-BY-NC-ND-4.0' });
    const { id: copyOfOwn } = (await (await copy(maker, own)).json()) as { id: number };
    expect((await maker.patch(`/api/v1/projects/${copyOfOwn}/`, { license: 'CC0-1.0' })).status).toBe(200);
    const shared = await create(maker, { license: 'CC-BY-SA-4.0' });
    const { id: remix } = (await (await copy(remixer, shared)).json()) as { id: number };
    const { id: second } = (await (await copy(remixer, remix)).json()) as { id: number };
    expect(await read(remixer, second)).toEqual({
      license: 'CC-BY-SA-4.0',
      source_license: 'CC-BY-SA-4.0',
    });
    expect((await remixer.patch(`/api/v1/projects/${second}/`, { license: 'MIT' })).status).toBe(400);
  });

  test('a record has it only if it is asked for, and lists are filtered by it', async () => {
    const tag = 'for-lists';
    const ids: number[] = [];
    for (const license of ['MIT', 'CC0-1.0', null])
      ids.push(await create(maker, { license, tags: tag, visibility: 'public', status: 1 }));
    const record = (await (await visitor(site).get(`/api/v1/projects/${ids[0]}/`)).json()) as object;
    expect(Object.keys(record)).toHaveLength(18);
    const list = async (query: string) => {
      const response = await visitor(site).get(`/api/v1/projects/?fields=id&tags=${tag}&${query}`);
      const { results } = (await response.json()) as { results: { id: number }[] };
      return results.map(({ id }) => id);
    };
    expect(await list('license=MIT')).toEqual([ids[0] as number]);
    expect(await list('license__in=MIT,CC0-1.0')).toEqual([ids[1] as number, ids[0] as number]);
    const wrong = await visitor(site).get('/api/v1/projects/?license__in=MIT,BSD');
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { license__in: ['Select a valid choice. BSD is not one of the available choices.'] },
    ]);
  });

  test('new works have the licence of the profile, or else that of the site, which says what can be chosen', async () => {
    const mo = await person(site, 'mo', { role: 'admin' });
    const set = (settings: Record<string, string>) => mo.send('/admin/site/', settings);
    await set({ license: 'CC-BY-4.0', licenses: 'CC-BY-4.0, CC-BY-SA-4.0' });
    const first = await create(remixer);
    expect(await read(remixer, first)).toMatchObject({ license: 'CC-BY-4.0' });
    await remixer.send('/account/profile/', { license: 'CC-BY-SA-4.0' });
    const second = await create(remixer);
    expect(await read(remixer, second)).toMatchObject({ license: 'CC-BY-SA-4.0' });
    const without = await create(remixer, { license: null });
    expect(await read(remixer, without)).toMatchObject({ license: null });
    const refused = await remixer.post('/api/v1/projects/', { title: 'Kite', license: 'MIT' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { license: ['"MIT" is not a valid choice.'] },
    ]);
    const comment = await remixer.post(`/api/v1/projects/${first}/comments/`, { text: 'Fine.' });
    const { id } = (await comment.json()) as { id: number };
    expect(await read(remixer, id)).toEqual({ license: null, source_license: null });
    expect((await remixer.patch(`/api/v1/projects/${id}/`, { license: 'CC-BY-4.0' })).status).toBe(400);
    await set({ license: '', licenses: '' });
  });

  test('dumps have both licences', async () => {
    const lines = [
      project(1, { license: 'CC-BY-SA-4.0' }),
      project(2, { license: 'CC-BY-SA-4.0', source_license: 'CC-BY-SA-4.0', copied_from: 1 }),
    ];
    const other = await siteOn(kind, { dump: dump(ada, ...lines) });
    const bob = await person(other, 'ada');
    expect(await read(bob, 2)).toEqual({ license: 'CC-BY-SA-4.0', source_license: 'CC-BY-SA-4.0' });
  });
});
