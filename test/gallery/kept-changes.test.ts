// Changes that somebody keeps for later: who sees them, what publishing them does, and with what they go.

import { expect, test } from 'bun:test';
import { execute } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { at, copy, make, openSchool, release } from '../support/school.ts';
import { contributor, dump, exportAll, importInto, project, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  contributor(3, 'mo'),
  project(1, { title: 'A lamp', text: 'It shines.', tags: ['light'] }),
  project(2, { title: 'A secret', visibility: 'private' }),
);
const edits = (id: number) => `/api/v1/projects/${id}/edits/`;
const record = (id: number) => `/api/v1/projects/${id}/`;
const answer = async (response: Response) => [response.status, await response.json()];
const withoutFrame = (dumped: string) => `${dumped.trim().split('\n').slice(1, -1).join('\n')}\n`;
const etagOf = async (someone: Person, path: string) => (await someone.get(path)).headers.get('ETag') ?? '';
const usageOf = async (someone: Person) =>
  (await someone.json<{ usage: { file_bytes: { used: number } } }>('/api/v1/me/')).usage.file_bytes.used;

onBothDatabases((kind) => {
  test('changes are kept for their maker alone, and published as PATCH would', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    const before = await ada.json<{ modified: string }>(record(1));
    const changes = async () =>
      (await visitor(site).json<{ results: object[] }>('/api/v1/changes/')).results.length;
    const changesBefore = await changes();

    expect((await ada.get(edits(1))).status).toBe(404);
    const kept = { text: 'It shines all night: zirconium.', tags: 'light, night', visibility: 'unlisted' };
    expect(await answer(await ada.put(edits(1), { ...kept, tags: ['light', 'night'], parent: 7 }))).toEqual([
      200,
      kept,
    ]);
    expect(await answer(await ada.get(edits(1)))).toEqual([200, kept]);
    expect((await visitor(site).get(edits(1))).status).toBe(401);
    for (const other of [bob, mo])
      expect([
        (await other.get(edits(1))).status,
        (await other.put(edits(1), { title: 'Mine' })).status,
        (await other.post(edits(1), {})).status,
        (await other.delete(edits(1))).status,
      ]).toEqual([404, 403, 403, 204]);
    expect(await answer(await ada.get(edits(1)))).toEqual([200, kept]);
    expect(await ada.json(record(1))).toEqual(before);
    expect(await visitor(site).json('/api/v1/projects/?search=zirconium')).toMatchObject({ count: 0 });
    expect(await changes()).toBe(changesBefore);
    expect(await usageOf(ada)).toBe(Buffer.byteLength(JSON.stringify(kept)));

    // Each PUT has all of them.
    const later = { title: 'A night lamp', publish_at: null, text: 'It shines all night.' };
    expect(await answer(await ada.put(edits(1), later))).toEqual([200, later]);
    const published = await ada.post(edits(1), {});
    expect([published.status, await published.json()]).toEqual([
      200,
      {
        ...before,
        title: 'A night lamp',
        slug: 'a-night-lamp',
        text: 'It shines all night.',
        html_url: expect.any(String),
        modified: expect.any(String),
      },
    ]);
    expect([(await ada.get(edits(1))).status, (await ada.post(edits(1), {})).status]).toEqual([404, 404]);
    expect([await usageOf(ada), await changes()]).toEqual([0, changesBefore + 1]);
  });

  test('changes that are thrown away and kept at the same time count once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    for (const _ of Array(4)) {
      await ada.put(edits(1), { text: 'Kept.' });
      const discards = Array.from({ length: 6 }, () => ada.delete(edits(1)));
      const answers = await Promise.all([...discards, ada.put(edits(1), { text: 'Kept again.' })]);
      expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(204), 200]);
    }
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('what PATCH refuses is refused when it is kept, and when it is published', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    expect(await answer(await ada.put(edits(1), { title: '', status: 9 }))).toEqual([
      400,
      { title: ['This field may not be blank.'], status: ['"9" is not a valid choice.'] },
    ]);
    expect((await ada.put(edits(9), { title: 'None' })).status).toBe(404);
    expect((await ada.put(edits(1), { content_type: 'comment' })).status).toBe(200);
    const patched = await answer(await ada.patch(record(1), { content_type: 'comment' }));
    expect(await answer(await ada.post(edits(1), {}))).toEqual(patched);
    expect(patched[0]).toBe(400);
    expect((await ada.get(edits(1))).status).toBe(200);
    expect([(await ada.delete(edits(1))).status, (await ada.get(edits(1))).status]).toEqual([204, 404]);
  });

  test('who stores as much as an account may keeps nothing more', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_FILE_QUOTA: '1' } });
    const ada = await person(site, 'ada');
    const form = new FormData();
    form.append('file', new Blob(['a'.repeat(1024 * 1024 - 100)]), 'long.txt');
    expect((await ada.post(`${record(1)}media/`, form)).status).toBe(201);
    expect((await ada.put(edits(1), { text: 'a'.repeat(50) })).status).toBe(200);
    expect((await ada.put(edits(1), { text: 'a'.repeat(100) })).status).toBe(403);
    expect(await ada.json(edits(1))).toEqual({ text: 'a'.repeat(50) });
  });

  test('a project that has changed since is not overwritten by those who ask for it with If-Match', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const ifMatch = async (path: string) => ({ 'If-Match': await etagOf(ada, path) });
    await ada.put(edits(1), { text: 'First.' });
    const unchanged = await ifMatch(edits(1));
    await ada.put(edits(1), { text: 'Second.' }, unchanged);
    await mo.patch(record(1), { title: 'A quiet lamp' });
    for (const headers of [unchanged, await ifMatch(edits(1))]) {
      expect((await ada.post(edits(1), {}, headers)).status).toBe(412);
      expect((await ada.put(edits(1), { text: 'Third.' }, headers)).status).toBe(412);
    }
    // Who has read the project as it is begins anew.
    expect((await ada.put(edits(1), { text: 'Third.' }, await ifMatch(record(1)))).status).toBe(200);
    expect((await ada.post(edits(1), {}, await ifMatch(edits(1)))).status).toBe(200);
    expect(await ada.json(record(1))).toMatchObject({ title: 'A quiet lamp', text: 'Third.' });
  });

  test('the teachers of a child see what it keeps, until the class releases the account', async () => {
    const school = await openSchool(kind);
    const { kim, tess, olga, lee, tom, mo } = school;
    const boat = await make(kim, { title: 'A boat', visibility: 'class' });
    await kim.put(edits(boat.id), { text: 'It floats on quicksilver.' });
    const seen = (readers: readonly Person[]) =>
      Promise.all(
        readers.map(async (reader) => [
          (await reader.get(edits(boat.id))).status,
          (await (await reader.browser.get(new URL(boat.html_url).pathname)).text()).includes('quicksilver'),
        ]),
      );
    const [shown, hidden] = [
      [200, true],
      [404, false],
    ];
    expect(await seen([tess, olga, lee, tom, mo])).toEqual([shown, shown, hidden, hidden, hidden]);
    expect((await tess.put(edits(boat.id), { text: 'Better.' })).status).toBe(403);
    await release(school, 'kim');
    expect(await seen([tess, olga])).toEqual([hidden, hidden]);
    expect(await (await kim.get(edits(boat.id))).json()).toEqual({ text: 'It floats on quicksilver.' });
  });

  test('a redacted version takes its words out of what is kept, also of copies', async () => {
    const { kim, ann, tess } = await openSchool(kind);
    const work = await make(ann, { title: 'A kite', text: 'A kite of paper.', visibility: 'class' });
    await ann.patch(`${at}${work.id}/`, { text: 'A kite of paper. My number: 555 0123 4567 890.' });
    const copied = await copy(kim, work);
    const kept = { text: 'My kite! My number: 555 0123 4567 890.', tags: 'kites' };
    await ann.put(edits(work.id), kept);
    await kim.put(edits(copied.id), kept);
    await ann.patch(`${at}${work.id}/`, { text: 'A kite of paper.' });
    const { results } = await ann.json<{ results: { number: number; text: string }[] }>(
      `${at}${work.id}/history/`,
    );
    const number = results.find(({ text }) => text.includes('555'))?.number;
    expect((await ann.post(`${at}${work.id}/history/${number}/redact/`)).status).toBe(204);
    for (const [maker, { id }] of [
      [ann, work],
      [kim, copied],
    ] as const)
      expect(await maker.json(edits(id))).toEqual({ text: 'My kite!', tags: 'kites' });
    expect(await usageOf(ann)).toBe(Buffer.byteLength(JSON.stringify(await ann.json(edits(work.id)))));
    expect((await tess.get(edits(work.id))).status).toBe(404);
  });

  test('kept changes are in dumps and in what people take along, and go with the work or the account', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.put(edits(1), { text: 'Kept for later.' });
    await ada.put(edits(2), { text: 'Kept too.' });
    const line =
      /^\{"type":"kept_changes","project":1,"contributor":1,"members":\{"text":"Kept for later\."\},/m;
    const all = await exportAll(site);
    expect(all).toMatch(line);
    expect(await (await ada.get('/api/v1/me/dump/?format=ndjson')).text()).toMatch(line);
    expect(await (await visitor(site).get('/api/v1/projects/?format=ndjson')).text()).not.toContain('Kept');
    const other = await siteOn(kind, {});
    await importInto(other, all);
    expect(await exportAll(other)).toMatch(line);

    expect(await checkGallery(other.database, false)).toEqual([]);

    // An import gives them to nobody else.
    await person(site, 'bob');
    const given = all.replace(
      '"project":1,"contributor":1,"members"',
      '"project":1,"contributor":2,"members"',
    );
    await expect(importInto(site, withoutFrame(given))).rejects.toThrow(
      'project: 1 has another owner or text',
    );
    expect(await exportAll(site)).toMatch(line);

    const lines = async () => (await exportAll(site)).match(/"type":"kept_changes"/g)?.length ?? 0;
    await ada.delete(record(2));
    expect([await lines(), (await ada.get(edits(2))).status]).toEqual([2, 404]);
    await site.database.transaction(
      (transaction) => execute(transaction)`update project set trashed = 1 where id = 2`,
    );
    await sweep(site.database, site.files);
    expect([await lines(), await usageOf(ada)]).toEqual([1, 26]);
    await ada.delete('/api/v1/me/', { items: 'keep' });
    expect([await lines(), await checkGallery(site.database, false)]).toEqual([0, []]);
  });

  test('files are kept too: for the maker and the teachers of a child alone, until they are published', async () => {
    const school = await openSchool(kind);
    const { site, kim, lee, tess, tom, mo } = school;
    const boat = await make(kim, { title: 'A boat', text: 'It floats.', visibility: 'class' });
    const path = record(boat.id);
    const add = async (to: string, ...names: string[]) => {
      const form = new FormData();
      for (const name of names) form.append('file', new File([`words of ${name}`], name));
      const response = await kim.post(to, form);
      return [response.status, await response.json()] as const;
    };
    interface File {
      readonly number: number;
      readonly name: string;
      readonly position: number;
      readonly alt: string;
      readonly url: string;
    }
    const shown = async (reader: Person) =>
      (await reader.json<File[]>(`${path}media/`)).map(({ number, name, alt }) => [number, name, alt]);
    const kept = async () =>
      (await kim.json<File[]>(`${edits(boat.id)}media/`)).map(({ number, name, alt }) => [number, name, alt]);
    await add(`${path}media/`, 'hull.txt', 'mast.txt');
    const before = [
      [1, 'hull.txt', ''],
      [2, 'mast.txt', ''],
    ];
    expect((await kim.get(`${edits(boat.id)}media/`)).status).toBe(404);
    const [status, files] = await add(`${edits(boat.id)}media/`, 'sail.txt', 'flag.txt');
    expect([status, files[2].api_url, files.length]).toEqual([
      201,
      `http://gallery.example${edits(boat.id)}media/3/`,
      4,
    ]);
    // Its bytes count as others do, and are served to those who read the kept changes.
    const usage = await usageOf(kim);
    const url = new URL(files[2].url).pathname;
    const seen = (readers: readonly Person[]) =>
      Promise.all(readers.map(async (reader) => (await reader.browser.get(url)).status));
    const readers = [kim, tess, lee, tom, mo, visitor(site)];
    expect(await seen(readers)).toEqual([200, 200, 404, 404, 404, 404]);
    expect((await kim.browser.get(url)).headers.get('Cache-Control')).toBe('private, no-cache');
    for (const reader of [kim, lee, tess]) expect(await shown(reader)).toEqual(before);
    expect(JSON.stringify(await lee.json(`${path}?fields=media`))).not.toContain('sail');
    expect((await (await lee.browser.get(new URL(boat.html_url).pathname)).text()).includes('sail')).toBe(
      false,
    );
    expect((await (await tess.browser.get(new URL(boat.html_url).pathname)).text()).includes('sail')).toBe(
      true,
    );
    expect((await (await kim.get('/api/v1/me/dump/?format=ndjson')).text()).includes('sail.txt')).toBe(true);

    await kim.patch(`${edits(boat.id)}media/3/`, { position: 1, alt: 'It is red.' });
    await kim.delete(`${edits(boat.id)}media/1/`);
    expect((await kim.delete(`${edits(boat.id)}media/4/`)).status).toBe(200);
    expect((await kim.patch(`${edits(boat.id)}media/9/`, { alt: 'None' })).status).toBe(404);
    const planned = [
      [3, 'sail.txt', 'It is red.'],
      [2, 'mast.txt', ''],
    ];
    expect(await kept()).toEqual(planned);
    expect(await usageOf(kim)).toBeLessThan(usage);
    // What comes meanwhile stays, and PUT keeps the files.
    await add(`${path}media/`, 'oar.txt');
    await kim.put(edits(boat.id), { text: 'It floats on quicksilver.' });
    expect(await kept()).toEqual([...planned, [4, 'oar.txt', '']]);

    expect(await checkGallery(site.database, false)).toEqual([]);
    const exported = await exportAll(site);
    const copied = await siteOn(kind, { dump: exported });
    expect(await exportAll(copied)).toBe(exported);
    await release(school, 'kim');
    expect(await seen([kim, tess])).toEqual([200, 404]);
    expect((await kim.post(edits(boat.id), {})).status).toBe(200);
    const after = [...planned, [4, 'oar.txt', '']];
    for (const reader of [kim, lee]) expect(await shown(reader)).toEqual(after);
    expect(await seen(readers)).toEqual([200, 200, 200, 404, 200, 404]);
    expect(await checkGallery(site.database, false)).toEqual([]);

    await add(`${edits(boat.id)}media/`, 'rope.txt');
    const full = await usageOf(kim);
    expect((await kim.delete(edits(boat.id))).status).toBe(204);
    expect(full - (await usageOf(kim))).toBeGreaterThan('words of rope.txt'.length);
    expect(await exportAll(site)).not.toContain('rope.txt');
    const tooMany = Array.from({ length: 8 }, (_, index) => `${index}.txt`);
    expect((await add(`${edits(boat.id)}media/`, ...tooMany))[0]).toBe(400);
    expect((await checkGallery(site.database, false)).length).toBe(0);
  });

  test('kept files pass no rule of files: not their number, not a description, not an import, not the end of an account', async () => {
    const school = await openSchool(kind);
    const { site, kim, ann } = school;
    const add = async (to: string, count: number, prefix: string) => {
      const form = new FormData();
      for (let index = 0; index < count; index++)
        form.append('file', new File([`words ${prefix}${index}`], `${prefix}${index}.txt`));
      return (await ann.post(to, form)).status;
    };
    const boat = await make(ann, { title: 'A boat' });
    const path = record(boat.id);
    expect(await add(`${edits(boat.id)}media/`, 6, 'kept')).toBe(201);
    expect(await add(`${path}media/`, 6, 'open')).toBe(201);
    expect((await ann.post(edits(boat.id), {})).status).toBe(400);
    expect((await ann.json<object[]>(`${path}media/`)).length).toBe(6);
    await ann.delete(edits(boat.id));

    // A file that comes in place of one that the plan leaves out is another one.
    const lamp = await make(ann, { title: 'A lamp' });
    await add(`${record(lamp.id)}media/`, 1, 'old');
    await ann.delete(`${edits(lamp.id)}media/1/`);
    await ann.delete(`${record(lamp.id)}media/1/`);
    await add(`${record(lamp.id)}media/`, 1, 'new');
    expect((await ann.post(edits(lamp.id), {})).status).toBe(200);
    expect(await ann.json(`${record(lamp.id)}media/`)).toMatchObject([{ number: 2, name: 'new0.txt' }]);

    const kite = await make(kim, { title: 'A kite', visibility: 'public' });
    expect((await school.tess.post(`${record(kite.id)}review/`, { decision: 'approve' })).status).toBe(200);
    const form = new FormData();
    form.append('file', new File(['secret words'], 'secret.txt'));
    await kim.post(`${edits(kite.id)}media/`, form);
    const lines = (await exportAll(site)).split('\n').filter((line) => line.includes('"secret.txt"'));
    expect(lines).toHaveLength(1);
    const opened = `${lines[0]?.replace('"position":0', '"position":1')}\n`;
    expect(await refusalOf(importInto(site, opened))).toContain('has other files here');
    expect(await visitor(site).json(`${record(kite.id)}media/`)).toEqual([]);
    const plan = {
      project: kite.id,
      contributor: 5,
      since: '2025-01-01T00:00:00Z',
      modified: '2025-01-01T00:00:00Z',
    };
    for (const files of [5, { files: [{ number: 1 }], last: 1 }, { files: [], last: 'x' }])
      expect(
        await refusalOf(
          importInto(site, `${JSON.stringify({ type: 'kept_changes', ...plan, members: { files } })}\n`),
        ),
      ).toContain('members: ');

    await release(school, 'kim');
    expect((await kim.delete('/api/v1/me/', { items: 'keep' })).status).toBe(204);
    expect(await exportAll(site)).not.toContain('secret.txt');
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
