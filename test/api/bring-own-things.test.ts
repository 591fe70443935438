// Bringing one's own things: the ZIP from one gallery becomes drafts in another, and hostile ZIPs change nothing.

import { expect, test } from 'bun:test';
import { makeZip } from 'client-zip';
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import sql from 'sql-template-tag';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { at, change, copy, type Made, make, openSchool, status, upload } from '../support/school.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  pathOf,
  project,
  type Site,
  siteOn,
  uuidOf,
} from '../support/site.ts';

const old = dump(
  adasLine,
  contributor(2, 'bob', { first_name: 'B*b' }),
  project(1, {
    title: 'A lamp',
    tags: ['light'],
    text: 'It shines.',
    created: '2014-05-20T14:24:25.123456+00:00',
  }),
  project(2, { title: 'Bob’s lamp', contributor: 2 }),
  project(3, {
    title: 'Better lamp',
    copied_from: 1,
    visibility: 'private',
    karma: 50,
    rating_count: 9,
    rating_sum: 45,
  }),
  project(4, { title: 'Remix', copied_from: 2, text: 'Mine is green.' }),
  project(5, { title: 'Remark', content_type: 'comment', parent: 2 }),
  project(6, { title: 'Bad', status: 3 }),
  project(7, { title: 'A link', content_type: 'link', link: 'https://lamp.example/' }),
);
const here = dump(
  contributor(1, 'zoe'),
  contributor(8, 'ada'),
  project(1, { title: 'Zoe’s project', uuid: uuidOf(99) }),
);

async function download(owner: Person): Promise<Uint8Array> {
  return (await owner.get('/api/v1/me/dump/')).bytes();
}

const importPath = '/api/v1/me/import/';

function packForm(zip: Uint8Array): FormData {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(zip)], 'gallery.zip'));
  return form;
}

const bring = (owner: Person, zip: Uint8Array): Promise<Response> => owner.post(importPath, packForm(zip));

/** Sends the ZIP when the server reads it, after something else was done. */
async function bringAfter(site: Site, owner: Person, zip: Uint8Array, meanwhile: () => Promise<unknown>) {
  const form = new Response(packForm(zip));
  const headers = { ...(await owner.key()), 'Content-Type': form.headers.get('Content-Type') ?? '' };
  const body = new ReadableStream(
    {
      async pull(controller) {
        await meanwhile();
        controller.enqueue(await form.bytes());
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return site.request(importPath, { method: 'POST', headers, body });
}

interface Answer {
  projects: { title: string; outcome: string; id: number | null; reasons: string[] }[];
  comments_left_out: number;
}

async function outcomesOf(response: Response): Promise<unknown> {
  expect(response.status).toBe(200);
  const { projects } = (await response.json()) as Answer;
  return projects.map(({ title, outcome, id, reasons }) => [title, outcome, id, ...reasons]);
}

const startOf = async (site: Site) => [await person(site, 'ada'), await exportAll(site)] as const;

onBothDatabases((kind) => {
  test('projects become drafts of the person who brings them, with dates, tags, files and links', async () => {
    const [oldSite, site] = [await siteOn(kind, { dump: old }), await siteOn(kind, { dump: here })];
    const owner = await person(oldSite, 'ada');
    const form = new FormData();
    form.append('file', new File([new Uint8Array(png(40, 30))], 'Lamp.png'));
    form.append('alt', 'It shines');
    await owner.post('/api/v1/projects/1/media/', form);
    const zip = await download(owner);
    const ada = await person(site, 'ada');

    const response = await bring(ada, zip);
    const html_url = expect.stringMatching(/^http:\/\/gallery\.example\/content\/\w{22}\/better-lamp\/$/);
    const answer = (await response.json()) as Answer;
    expect(answer).toEqual({
      projects: [
        expect.objectContaining({ title: 'A lamp', outcome: 'brought', id: 2, reasons: [] }),
        {
          ...{ title: 'Better lamp', outcome: 'brought', id: 3, reasons: [] },
          ...{ url: 'http://gallery.example/api/v1/projects/3/?format=api', html_url },
        },
        expect.objectContaining({ title: 'Remix', outcome: 'brought', id: 4 }),
        {
          ...{ title: 'Bad', outcome: 'left_out', id: null, url: null, html_url: null },
          reasons: ['A moderator removed it.'],
        },
        expect.objectContaining({ title: 'A link', outcome: 'brought', id: 5 }),
      ],
      comments_left_out: 1,
    });

    const fields =
      'title,text,tags,status,visibility,created,copied_from,karma,rating_count,content_type,link';
    const { results } = await ada.json<{ results: unknown[] }>(
      `/api/v1/projects/?contributor=me&ordering=id&fields=${fields},media`,
    );
    const draft = {
      tags: '',
      status: 0,
      copied_from: null,
      karma: 0,
      rating_count: 0,
      content_type: 'text',
      link: null,
    };
    const created = expect.stringMatching(/^2024-01-01T00:00:0\d\.000001\+00:00$/);
    const picture = expect.objectContaining({ name: 'Lamp.webp', alt: 'It shines' });
    const credit = `Remix of “Bob’s lamp” by B\\*b, http://gallery.example${pathOf(2)}`;
    expect(results).toEqual([
      {
        ...{
          ...draft,
          title: 'A lamp',
          text: 'It shines.',
          tags: 'light',
          visibility: 'public',
          media: [picture],
        },
        created: '2014-05-20T14:24:25.123456+00:00',
      },
      { ...draft, title: 'Better lamp', text: '', visibility: 'private', copied_from: 2, created, media: [] },
      {
        ...draft,
        title: 'Remix',
        text: `Mine is green.\n\n${credit}`,
        visibility: 'public',
        created,
        media: [],
      },
      {
        ...{ ...draft, title: 'A link', text: '', visibility: 'public', created, media: [] },
        ...{ content_type: 'link', link: 'https://lamp.example/' },
      },
    ]);
    expect(await visitor(site).json('/api/v1/projects/?fields=title')).toMatchObject({ count: 1 });
    expect(await checkGallery(site.database, false)).toEqual([]);

    expect(await outcomesOf(await bring(ada, zip))).toEqual([
      ['A lamp', 'already_here', 2],
      ['Better lamp', 'already_here', 3],
      ['Remix', 'already_here', 4],
      ['Bad', 'left_out', null, 'A moderator removed it.'],
      ['A link', 'already_here', 5],
    ]);
    const zoe = await person(site, 'zoe');
    expect(await outcomesOf(await bring(zoe, zip))).toContainEqual(['A lamp', 'brought', 6]);
  });

  test('in the gallery where the projects are, nothing changes', async () => {
    const ada = await person(await siteOn(kind, { dump: old }), 'ada');
    const projects = () => ada.json('/api/v1/projects/?contributor=me&page_size=100');
    const before = await projects();

    expect(await outcomesOf(await bring(ada, await download(ada)))).toEqual([
      ['A lamp', 'already_here', 1],
      ['Better lamp', 'already_here', 3],
      ['Remix', 'already_here', 4],
      ['Bad', 'already_here', 6],
      ['A link', 'already_here', 7],
    ]);
    expect(await projects()).toEqual(before);
  });

  test('a ZIP that claims what belongs to others changes only what its sender has', async () => {
    const site = await siteOn(kind, { dump: here });
    const [ada, before] = await startOf(site);
    const mine = {
      contributor: 1,
      id: 1,
      uuid: 'uuid000000000000000001',
      title: 'Not Zoe’s',
      status: 1,
      karma: 99,
    };
    const zip = packLines(
      project(1, {
        ...mine,
        created: '2199-01-01T00:00:00Z',
        modified: '1850-01-01T00:00:00Z',
        parent: 1,
        trashed_by: 1,
      }),
      contributor(1, 'zoe', { first_name: 'Evil' }),
    );

    expect(await outcomesOf(await bring(ada, zip))).toEqual([['Not Zoe’s', 'brought', 2]]);
    const members = 'id,title,status,karma,contributor_name,created,modified';
    const record = await ada.json<{ created: string; modified: string }>(
      `/api/v1/projects/2/?fields=${members}`,
    );
    expect(record).toMatchObject({ id: 2, title: 'Not Zoe’s', status: 0, karma: 0, contributor_name: 'ada' });
    expect(Date.parse(record.created)).toBeLessThanOrEqual(Date.now());
    expect(record.modified).toBe(record.created);
    const kept = (lines: string) =>
      lines.split('\n').filter((line) => /^.{8}(project|contributor)","id":1,/.test(line));
    expect(kept(await exportAll(site))).toEqual(kept(before));
  });

  test('what was made for a class of another gallery is for no class that has the same number here', async () => {
    const [there, school] = [await openSchool(kind), await openSchool(kind)];
    const own = await make(there.kim, { title: 'Own', visibility: 'class' });
    const shown = await make(there.lee, { visibility: 'class', text: 'Words of Lee elsewhere' });
    await copy(there.kim, shown);
    for (const title of ['Here', 'Here too', 'Here as well'])
      await make(school.lee, { title, visibility: 'class' });
    expect(await outcomesOf(await bring(school.kim, await download(there.kim)))).toEqual([
      ['Own', 'brought', own.id + 3],
      ['A kite', 'left_out', null, 'This was made for a class: it cannot be remixed outside.'],
    ]);
    const brought = { id: own.id + 3 };
    expect(await change(school.kim, brought, { status: 1 })).toEqual([200, 'private']);
    expect(await exportAll(school.site)).not.toContain(`"id":${brought.id},"made_for"`);
    expect(await change(school.kim, brought, { visibility: 'class' })).toEqual([200, 'class']);
  });

  test('a class is left out where only moderators make one, and the rest is brought', async () => {
    const [there, { tess }] = [await openSchool(kind), await openSchool(kind)];
    await make(there.mo, { title: '8c', content_type: 'collection', kind: 'class', visibility: 'class' });
    await make(there.mo, { title: 'A lamp' });
    expect(await outcomesOf(await bring(tess, await download(there.mo)))).toEqual([
      ['8c', 'left_out', null, 'You do not have permission to perform this action.'],
      ['A lamp', 'brought', expect.any(Number)],
    ]);
  });

  test('a planned draft, and a class that is due and ends, come without these times', async () => {
    const [there, school] = [await openSchool(kind), await openSchool(kind)];
    const soon = (days: number) => new Date(Date.now() + days * 24 * 3600_000).toISOString();
    const made = { title: '8c', content_type: 'collection', kind: 'class', visibility: 'class' };
    const { id } = await make(there.mo, made);
    expect(await change(there.mo, { id }, { due: soon(1), ends: soon(9) })).toEqual([200, 'class']);
    await make(there.mo, { title: 'Planned', publish_at: soon(1) });
    const bytes = await download(there.mo);
    for (const person of [school.bob, school.mo]) {
      const outcomes = (await outcomesOf(await bring(person, bytes))) as [string, string, number][];
      const ofClass = person === school.mo ? 'brought' : 'left_out';
      expect(outcomes.map((outcome) => outcome.slice(0, 2))).toEqual([
        ['8c', ofClass],
        ['Planned', 'brought'],
      ]);
      for (const [title, outcome, brought] of outcomes)
        if (outcome === 'brought')
          expect(await person.json(`${at}${brought}/?include=due,ends,publish_at`)).toMatchObject({
            ...{ title, status: 0, due: null, ends: null, publish_at: null },
            visibility: title === '8c' ? 'private' : 'public',
          });
    }
  });

  test('a collection that is in the trash since is already here, and its items stay out', async () => {
    const { bob } = await openSchool(kind);
    const { id } = await make(bob, { title: 'Best of', content_type: 'collection' });
    const work = await make(bob, { title: 'A lamp' });
    expect((await bob.post(`${at}${id}/items/`, { project: work.id })).status).toBe(201);
    const bytes = await download(bob);
    await bob.delete(`${at}${id}/`);
    expect(await outcomesOf(await bring(bob, bytes))).toEqual([
      ['Best of', 'already_here', id],
      ['A lamp', 'already_here', work.id],
    ]);
  });

  test('a ZIP whose lines somebody has changed brings what it has, and nothing that the gallery keeps', async () => {
    const school = await openSchool(kind);
    const { kim, lee, site, visitor } = school;
    const [shown, hidden] = [
      await make(lee, { visibility: 'class', text: 'Words of Lee' }),
      await make(lee, { visibility: 'private' }),
    ];
    await upload(lee, shown, 'shown.txt', 'A file of Lee');
    await upload(lee, hidden, 'hidden.txt', 'A secret of Lee');
    const remix = await copy(kim, shown);
    const files = unzipSync(await download(kim));
    const secret = /"name":"hidden.txt".*?"hash":"(\w+)"/.exec(await exportAll(site))?.[1] ?? '';
    expect(secret).toHaveLength(64);
    const changed = (members: object, change: (line: string) => string) => {
      const lines = strFromU8(files['data.ndjson'] ?? new Uint8Array()).split('\n');
      const data = lines.map((line) => {
        const read = JSON.parse(line || '{}') as { type?: string };
        if (read.type === 'project') return JSON.stringify({ ...read, ...members });
        return read.type === 'media' ? change(line) : line;
      });
      return zipSync({ ...files, 'data.ndjson': strToU8(data.join('\n')) });
    };
    const uuid = (index: number) => `uuid0000000000000000${index}`;
    const takesHidden = (line: string) =>
      line.replace(/"hash":"\w+"/, `"hash":"${secret}"`).replace(/"origin":\d+/, `"origin":${hidden.id}`);
    const withoutOrigin = (line: string) => line.replace(/,"origin":\d+/, '');
    expect(await outcomesOf(await bring(kim, changed({ uuid: uuid(10) }, takesHidden)))).toEqual([
      ['A kite', 'left_out', null, 'This was made for a class: it cannot be remixed outside.'],
    ]);
    const free = { source_maker: undefined, made_for: undefined, copied_from: null };
    const ofHidden = changed({ ...free, uuid: uuid(11) }, (line) => withoutOrigin(takesHidden(line)));
    expect(await outcomesOf(await bring(kim, ofHidden))).toMatchObject([
      ['A kite', 'brought', expect.any(Number), 'shown.txt: It is not in the ZIP.'],
    ]);
    // It is as if they had typed the words, and what a child publishes is reviewed.
    const brought = await bring(kim, changed({ ...free, uuid: uuid(12) }, withoutOrigin));
    const [typed] = ((await brought.json()) as Answer).projects;
    expect(typed).toMatchObject({ outcome: 'brought', reasons: [] });
    const project = { id: typed?.id ?? 0 };
    await change(kim, project, { status: 1, visibility: 'public' });
    expect([(await kim.json<Made>(`${at}${project.id}/`)).status, await status(visitor, project)]).toEqual([
      5, 404,
    ]);
    await kim.delete(`${at}${remix.id}/`);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 1 where trashed is not null`),
    );
    await sweep(site.database, site.files);
    expect(await outcomesOf(await bring(kim, changed({ visibility: 'public' }, String)))).toEqual([
      ['A kite', 'left_out', null, 'This was made for a class: it cannot be remixed outside.'],
    ]);
  });

  test('what is in the trash stays there, and what was deleted for good can be brought again', async () => {
    const site = await siteOn(kind, { dump: here });
    const ada = await person(site, 'ada');
    const zip = packLines(project(1, { title: 'A lamp' }));
    const first = await bringAfter(site, ada, zip, async () => {
      expect((await bring(ada, zip)).status).toBe(429);
    });
    expect(first.status).toBe(200);

    await ada.delete('/api/v1/projects/2/');
    expect(await outcomesOf(await bring(ada, zip))).toEqual([['A lamp', 'already_here', 2]]);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 1 where trashed is not null`),
    );
    await sweep(site.database, site.files);
    expect(await outcomesOf(await bring(ada, zip))).toEqual([['A lamp', 'brought', 3]]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('what does not fit the rules of this gallery is left out, and the rest is brought', async () => {
    const site = await siteOn(kind, { dump: here, environment: { VITRINE_PROJECT_QUOTA: '2' } });
    const ada = await person(site, 'ada');
    const zip = packLines(
      project(1, { title: ' ' }),
      project(2, { title: 'With files' }),
      media(2, 1, 'macro.docm'),
      media(2, 2, 'lost.txt'),
      project(3, { title: 'Second' }),
      project(4, { title: 'Third' }),
    );

    const quota =
      'An account can have 2 projects and comments, and yours would have more. Those in the trash count until they are deleted for good.';
    expect(await outcomesOf(await bring(ada, zip))).toEqual([
      [' ', 'left_out', null, 'title: This field may not be blank.'],
      ['With files', 'brought', 2, 'macro.docm: It is not in the ZIP.', 'lost.txt: It is not in the ZIP.'],
      ['Second', 'brought', 3],
      ['Third', 'left_out', null, quota],
    ]);
  });
});

test('a small ZIP cannot fill the disk with files that no project has', async () => {
  const environment = { VITRINE_UPLOAD_LIMIT: '1', VITRINE_FILE_QUOTA: '1' };
  const site = await siteOn('SQLite', { dump: here, environment });
  const ada = await person(site, 'ada');
  // Each file fits the quota, all of them do not: they are stored, and then the project is left out.
  const numbers = [1, 2, 3, 4, 5, 6];
  const lines = numbers.flatMap((number) => [media(1, number, 'a.txt'), fileLine(number)]);
  const bringFilesOf = async (letter: string) => {
    const contents = numbers.map((number) => [`${number}`, strToU8(number + letter.repeat(1e6))]);
    const zip = pack({
      'data.ndjson': strToU8(dump(ownData, project(1), ...lines, project(2))),
      ...Object.fromEntries(contents),
    });
    expect(zip.length).toBeLessThan(20_000);
    return outcomesOf(await bring(ada, zip));
  };

  const quota =
    'An account can store 1 MB of files, and yours would store more. Remove files that you no longer need.';
  expect(await bringFilesOf('a')).toEqual([
    ['A project', 'left_out', null, quota],
    ['A project', 'left_out', null, quota],
  ]);
  const tomorrow =
    'You have sent as many files as one person may in a day. Send the same ZIP again tomorrow.';
  expect(await bringFilesOf('b')).toEqual([
    ['A project', 'not_yet', null, tomorrow],
    ['A project', 'not_yet', null],
  ]);
});

test('a ZIP with more entries than its counter can count is read to its end', async () => {
  const site = await siteOn('SQLite', { dump: here });
  const ada = await person(site, 'ada');
  async function* entries() {
    for (let number = 0; number < 66_000; number++) yield { name: `${number}`, input: '' };
    yield { name: 'data.ndjson', input: dump(ownData, project(1)) };
  }
  const response = await bring(ada, await new Response(makeZip(entries())).bytes());
  expect(await outcomesOf(response)).toEqual([['A project', 'brought', expect.any(Number)]]);
});

const fileLine = (number: number) =>
  JSON.stringify({ type: 'file', hash: String(number).repeat(64), path: `${number}` });

const ownData = '{"type":"own-data","contributor":1,"gallery":"https://old.example"}';

const media = (project: number, number: number, name: string) =>
  JSON.stringify({
    ...{ type: 'media', project, number, position: number, media_type: 'text/plain', name, alt: '' },
    sizes: [{ hash: String(number).repeat(64), bytes: 5, width: null, height: null }],
  });

function packLines(...lines: string[]): Uint8Array {
  return pack({ 'data.ndjson': strToU8(dump(ownData, ...lines)) });
}

const pack = (files: Zippable) => zipSync(files);

/** The same archive with other bytes at a place in each of its central headers. */
function patchHeaders(zip: Uint8Array, offset: number, ...bytes: number[]): Uint8Array {
  const patched = Buffer.from(zip);
  for (let at = patched.indexOf('PK\x01\x02'); at >= 0; at = patched.indexOf('PK\x01\x02', at + 1))
    patched.set(bytes, at + offset);
  return patched;
}

const plain = packLines(project(1));
const bomb = pack({ 'data.ndjson': new Uint8Array(16 * 1024 * 1024) });
const line = (text: string) => pack({ 'data.ndjson': strToU8(`${ownData}\n${text}\n`) });

const broken = 'This ZIP is broken or cut off.';
const tooMuch = 'This ZIP contains too much.';
const noType = (type: string) => `data.ndjson:2: such a ZIP has no lines of the type "${type}".`;
const hostile: [name: string, zip: () => Uint8Array, reason: string][] = [
  ['no ZIP', () => strToU8('Hello'.repeat(100)), 'This is not a ZIP, or it is cut off.'],
  ['a few bytes', () => strToU8('PK'), 'This is not a ZIP, or it is cut off.'],
  ['a ZIP that is cut off', () => plain.subarray(0, -30), 'This is not a ZIP, or it is cut off.'],
  ['a ZIP without its beginning', () => plain.subarray(40), broken],
  [
    'another ZIP',
    () => pack({ 'a.txt': strToU8('a') }),
    'This ZIP is not the download of somebody’s own things: it has no data.ndjson.',
  ],
  ['a ZIP with a password', () => patchHeaders(plain, 8, 1), 'This ZIP has a password. Send it without one.'],
  ['a method that nobody uses', () => patchHeaders(plain, 10, 14), broken],
  ['another checksum', () => patchHeaders(plain, 16, 1, 2, 3, 4), broken],
  ['a smaller size than the content', () => patchHeaders(plain, 24, 10, 0, 0, 0), broken],
  ['a larger size than the content', () => patchHeaders(plain, 24, 0xff, 0xff), broken],
  ['content beyond the end', () => patchHeaders(plain, 42, 0xff, 0xff, 0xff, 0x0f), broken],
  ['entries that share their content', () => patchHeaders(plain, 20, 0xff, 0xff, 0xff), broken],
  ['a bomb', () => patchHeaders(bomb, 24, 0, 0, 0, 0x7f), tooMuch],
  ['a bomb that hides its size', () => patchHeaders(bomb, 24, 100, 0, 0, 0), broken],
  [
    'the lines of a gallery',
    () => pack({ 'data.ndjson': strToU8(old) }),
    'data.ndjson:1: is not the first line',
  ],
  [
    'no first line',
    () => pack({ 'data.ndjson': strToU8(project(1)) }),
    'data.ndjson:1: is not the first line of somebody’s own things.',
  ],
  [
    'an account',
    () => line('{"type":"account","contributor":1,"role":"admin","password":null,"disabled":null}'),
    noType('account'),
  ],
  ['a decision', () => line('{"type":"decision"}'), noType('decision')],
  ['a key', () => line('{"type":"key"}'), noType('key')],
  ['a setting of the site', () => line('{"type":"site"}'), noType('site')],
  [
    'an unknown member',
    () => line(project(1).replace('}', ',"admin":true}')),
    'data.ndjson:2: "admin": is not known.',
  ],
  [
    'half of a character',
    () => line(project(1).replace('"title":"', '"title":"\\ud800')),
    'data.ndjson:2: title: must be Unicode text without NUL.',
  ],
  ['no JSON', () => line('{'), 'data.ndjson:2: is not JSON.'],
  ['deep JSON', () => line('['.repeat(100_000)), 'data.ndjson:2: it is nested too deeply.'],
  [
    'no UTF-8',
    () => pack({ 'data.ndjson': new Uint8Array([...strToU8(`${ownData}\n`), 0xff, 0x0a]) }),
    'data.ndjson:2: is not UTF-8.',
  ],
  ['a huge line', () => line('x'.repeat(5_000_000)), 'data.ndjson:2: is too long.'],
  [
    'more projects than a response can name',
    () => packLines(...Array.from({ length: 20_001 }, (_, index) => project(index + 1))),
    tooMuch,
  ],
  [
    'a project that is there twice',
    () => packLines(project(1), project(1)),
    'data.ndjson:3: project 1 is there twice.',
  ],
];

test('a hostile ZIP is refused as a whole, with a reason', async () => {
  const site = await siteOn('SQLite', { dump: here });
  const [ada, before] = await startOf(site);
  for (const [name, zip, reason] of hostile) {
    const response = await bring(ada, zip());
    const { file } = (await response.json()) as { file?: string[] };
    expect([name, response.status, file?.length, file?.[0]?.slice(0, reason.length)]).toEqual([
      name,
      400,
      1,
      reason,
    ]);
  }
  const projects = (lines: string) => lines.match(/^\{"type":"project"/gm);
  expect(projects(await exportAll(site))).toEqual(projects(before));
});
