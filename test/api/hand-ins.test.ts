// Hand-ins of a class: each work as it was at the due time, whatever happens later.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { emptyTrash } from '../../src/projects/writing/erase.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { contributor, dump, exportAll, importInto, siteOn } from '../support/site.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  contributor(4, 'dora'),
  contributor(5, 'teacher'),
);

afterEach(() => void setSystemTime());

const at = (time: string) => setSystemTime(new Date(`2030-01-31T${time}:00Z`));
const due = '2030-01-31T14:00:00+00:00';

async function openClass(kind: 'SQLite' | 'PostgreSQL') {
  const site = await siteOn(kind, { dump: gallery });
  const ada = await person(site, 'ada', { role: 'moderator' });
  const [bob, cleo, dora, teacher] = (await Promise.all(
    ['bob', 'cleo', 'dora', 'teacher'].map((name) => person(site, name)),
  )) as [Person, Person, Person, Person];
  const created = await ada.post('/api/v1/projects/', {
    ...{ title: 'Class 6b', content_type: 'collection', kind: 'class', visibility: 'class', offers: 'open' },
  });
  const { id } = (await created.json()) as { id: number };
  const path = `/api/v1/projects/${id}/`;
  await ada.put(`${path}people/5/`, { role: 'teacher' });
  for (const member of [2, 3, 4]) await ada.put(`${path}people/${member}/`, { role: 'member' });
  const hand = async (who: Person, title: string) => {
    const response = await who.post('/api/v1/projects/', { title, text: `${title}.`, visibility: 'class' });
    const work = ((await response.json()) as { id: number }).id;
    expect((await teacher.get(`/api/v1/projects/${work}/`)).status).toBe(200);
    return work;
  };
  return { site, ada, bob, cleo, dora, teacher, path, id, hand };
}

interface HandIn {
  readonly username: string;
  readonly title: string | null;
  readonly changed: string | null;
  readonly late: boolean;
  readonly exact: boolean;
}

const handInsOf = async (who: Person, path: string, query = '') =>
  (await who.json<HandIn[]>(`${path}hand-ins/${query}`)).map(({ username, title, changed, late, exact }) =>
    [username, title, changed?.slice(11, 16), late && 'late', !exact && 'not exact']
      .filter(Boolean)
      .join(' '),
  );

onBothDatabases((kind) => {
  test('each work counts as it was when the class was due', async () => {
    at('13:00');
    const { teacher, ada, bob, cleo, path, hand } = await openClass(kind);
    expect((await teacher.get(`${path}hand-ins/`)).status).toBe(404);
    const kite = await hand(bob, 'Kite');
    await ada.patch(path, { due });
    at('13:58');
    await bob.patch(`/api/v1/projects/${kite}/`, { title: 'Red kite' });
    at('14:01');
    await bob.patch(`/api/v1/projects/${kite}/`, { title: 'Blue kite' });
    at('14:30');
    await hand(cleo, 'Lamp');
    at('15:00');
    await cleo.patch(`/api/v1/projects/${kite + 1}/`, { title: 'Bright lamp' });
    const expected = ['bob Red kite 13:58', 'cleo Lamp 14:30 late', 'dora'];
    expect(await handInsOf(teacher, path)).toEqual(expected);
    expect(await handInsOf(ada, path)).toEqual(expected);
    for (const who of [bob, visitor(ada.site)])
      expect((await who.get(`${path}hand-ins/`)).status).toBe(who === bob ? 404 : 401);
    expect(await (await teacher.get(`${path}hand-ins/?format=csv`)).text()).toMatch(
      /^contributor,username,name,project,title,version,changed,late,exact\r\n2,bob,/,
    );

    await ada.patch(path, { due: '2030-01-31T16:00:00+01:00' });
    expect(await handInsOf(teacher, path)).toEqual(['bob Blue kite 14:01', 'cleo Bright lamp 15:00', 'dora']);
    expect(await handInsOf(teacher, path, `?due=${encodeURIComponent(due)}`)).toEqual(expected);
    expect((await teacher.get(`${path}hand-ins/?due=2030-01-30T14:00:00Z`)).status).toBe(404);
    expect((await teacher.get(`${path}hand-ins/?due=x`)).status).toBe(400);

    await bob.delete(`/api/v1/projects/${kite}/`);
    expect(await handInsOf(teacher, path, `?due=${due}`)).toEqual(
      ['cleo Lamp 14:30 late', 'bob', 'dora'].sort(),
    );
  });

  test('what was private at the time does not count, and what came late outlives thinning', async () => {
    at('13:00');
    const { site, teacher, ada, bob, cleo, path, hand } = await openClass(kind);
    const kite = await hand(bob, 'Kite');
    const draft = await cleo.post('/api/v1/projects/', { title: 'A draft', visibility: 'private' });
    const lamp = ((await draft.json()) as { id: number }).id;
    await ada.patch(path, { due });
    const change = (who: Person, id: number, values: object) => who.patch(`/api/v1/projects/${id}/`, values);
    at('13:20');
    await change(bob, kite, { title: 'Yellow kite' });
    at('13:50');
    await change(bob, kite, { title: 'A secret', visibility: 'private' });
    at('14:05');
    await change(bob, kite, { title: 'Red kite', visibility: 'class' });
    await change(cleo, lamp, { title: 'Lamp', visibility: 'class' });
    at('14:10');
    await change(cleo, lamp, { title: 'Bright lamp' });
    at('14:20');
    await change(cleo, lamp, { title: 'Brighter lamp' });
    const expected = ['bob Yellow kite 13:20 not exact', 'cleo Lamp 14:05 late', 'dora'];
    expect(await handInsOf(teacher, path)).toEqual(expected);
    setSystemTime(new Date('2030-06-01T00:00:00Z'));
    await sweep(site.database, site.files);
    expect(await handInsOf(teacher, path)).toEqual(expected);

    const reversed = (await exportAll(site))
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => {
        const { version, ...change } = JSON.parse(line);
        return version instanceof Object
          ? JSON.stringify({ ...change, version: Object.fromEntries(Object.entries(version).reverse()) })
          : line;
      });
    const other = await siteOn(kind, { dump: reversed.join('\n') });
    expect(await handInsOf(await person(other, 'teacher'), path)).toEqual(expected);
  });

  test('files stay as they were, in the ZIP, in a dump, and after the sweep', async () => {
    at('13:00');
    const { site, teacher, ada, bob, path, id, hand } = await openClass(kind);
    const kite = await hand(bob, 'Kite');
    const files = `/api/v1/projects/${kite}/media/`;
    const upload = async (name: string, text: string) => {
      const form = new FormData();
      form.set('file', new File([text], name, { type: 'text/plain' }));
      expect((await bob.post(files, form)).status).toBe(201);
    };
    await upload('plan.txt', 'The first plan.');
    await ada.patch(path, { due });
    at('14:01');
    expect((await bob.delete(`${files}1/`)).status).toBe(204);
    await upload('other.txt', 'Another plan.');
    setSystemTime(new Date('2030-02-05T00:00:00Z'));
    await sweep(site.database, site.files);
    const text = Buffer.from(await (await teacher.get(`${path}hand-ins/archive/`)).bytes()).toString();
    expect(text).toContain('The first plan.');
    expect(text).not.toContain('Another plan.');
    expect(text).toContain(`bob-2/${kite}-kite/1-plan.txt`);
    expect(text).toContain('<h3><bdi>Kite</bdi></h3>');
    const lines = await exportAll(site);
    const handedIn = `"type":"hand_in_file","collection":${id},`;
    expect(lines).toContain(handedIn);
    const other = await siteOn(kind, { dump: '' });
    await importInto(other, lines);
    expect(await exportAll(other)).toContain(handedIn);
    expect(await exportAll(other)).toContain(Buffer.from('The first plan.').toString('base64'));
    await bob.delete(`/api/v1/projects/${kite}/`);
    setSystemTime(new Date('2030-03-15T00:00:00Z'));
    await emptyTrash(site.database, async () => {});
    expect(await exportAll(site)).not.toContain(handedIn);
  });
});
