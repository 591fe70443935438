// A dump gives no rights over what a gallery in use has: it is refused whole, with the number of the line.

import { expect, test } from 'bun:test';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkDump, importDump } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import {
  at,
  change,
  comment,
  copy,
  firstClass,
  idOf,
  lamp,
  make,
  openSchool,
  review,
  type School,
  schoolDump,
  secondClass,
  status,
  statuses,
  upload,
} from '../support/school.ts';
import { contentOf, contributor, dump, exportAll, importInto, project, uuidOf } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const line = (type: string, members: object) => JSON.stringify({ type, ...members });

const isIn = (collection: number, contributor: number, role: string) =>
  line('collection_person', { collection, contributor, role });

const item = (collection: number, project: number, maker: number) =>
  line('collection_item', {
    ...{ collection, project, position: 1, note: '', state: 'included', added_by: maker },
    added: '2026-05-01T08:00:00.000000+00:00',
  });

const course = (collection: number) =>
  line('course', { name: '["a","b","c"]', collection, consent: '0'.repeat(64) });

const classOf = (owner: number) =>
  project(firstClass, {
    ...{ title: 'Class 6b', contributor: owner, content_type: 'collection', kind: 'class', offers: 'closed' },
    visibility: 'class',
  });

/** By kim, for the class. */
const kite = project(110, { contributor: idOf('kim'), visibility: 'class', made_for: firstClass });
const kiteItem = item(firstClass, 110, idOf('kim'));

const bob = idOf('bob');
const rights: [right: string, line: string, reason: string][] = [
  [
    'makes somebody a teacher',
    isIn(firstClass, bob, 'teacher'),
    `collection: ${firstClass} has another role of a contributor, or none.`,
  ],
  [
    'makes a member a teacher',
    isIn(firstClass, idOf('ann'), 'teacher'),
    `collection: ${firstClass} has another role of a contributor, or none.`,
  ],
  ['gives a class to somebody else', classOf(bob), `contributor: ${firstClass} has another one.`],
  ['leads a course into a class', course(firstClass), 'name: ["a","b","c"] has another class, or none.'],
  [
    'puts a work into another class',
    item(secondClass, 110, idOf('kim')),
    `collection: ${secondClass} has another item, or none.`,
  ],
  [
    'opens what was made for a class',
    project(110, { contributor: idOf('kim') }),
    'visibility: 110 was made for a class.',
  ],
  [
    'gives a work to somebody else',
    project(lamp, { contributor: bob }),
    `contributor: ${lamp} has another one.`,
  ],
  [
    'approves what somebody makes',
    line('decision', {
      ...{ id: 500, moderator: 1, action: 'approved', project: lamp, contributor: bob, reason: '' },
      ...{ status: null, undoes: null, created: '2026-05-01T08:00:00.000000+00:00' },
    }),
    'id: 500 is another decision, or none.',
  ],
  [
    'lets everybody sign up',
    line('site', { host: '', name: 'sign_up', value: 'open' }),
    'name: sign_up has another value.',
  ],
];

const linesIn = (text: string, ...starts: string[]) =>
  text.split('\n').filter((line) => starts.some((start) => line.startsWith(start)));

/** An import says so, and a check. */
async function expectRefused({ site }: School, text: string, reason: string): Promise<void> {
  expect(await refusalOf(importInto(site, text))).toEndWith(
    `${reason} ${advice} Nothing of this file was imported.`,
  );
  const problems = await checkDump(site.database, site.files, 'the dump', new Blob([text]).stream());
  expect(problems.list().map((problem) => problem.reason)).toContain(`${reason} ${advice}`);
}

const advice = 'Give --replace-accounts if this dump may replace accounts, keys and rights of the gallery.';

async function openWithKite(kind: 'SQLite' | 'PostgreSQL'): Promise<School> {
  const school = await openSchool(kind);
  await importInto(school.site, dump(kite, kiteItem));
  return school;
}

onBothDatabases((kind) => {
  test('a line that gives a right refuses the whole file, a check says the same, and --replace-accounts takes it', async () => {
    const school = await openWithKite(kind);
    const { site } = school;
    const before = contentOf(await exportAll(site));
    for (const [, taking, reason] of rights) {
      const text = dump(project(120, { title: 'New' }), taking);
      expect(await refusalOf(importInto(site, text))).toContain(
        `the dump:2: ${reason} ${advice} Nothing of this file was imported.`,
      );
      const problems = await checkDump(site.database, site.files, 'the dump', new Blob([text]).stream());
      expect(problems.list()).toEqual([{ lineNumber: 2, reason: `${reason} ${advice}`, isBroken: true }]);
    }
    expect(contentOf(await exportAll(site))).toBe(before);
    await importInto(site, before);
    expect(contentOf(await exportAll(site))).toBe(before);

    const [makesTeacher = ['', '']] = rights;
    const bytes = new Blob([dump(makesTeacher[1])]).stream();
    await importDump(site.database, site.files, 'the dump', bytes, { replacesAccounts: true });
    expect(await exportAll(site)).toContain(makesTeacher[1]);
  });

  test('a dump brings new works, classes and people', async () => {
    const { site } = await openWithKite(kind);
    const text = dump(
      contributor(30, 'eva'),
      project(130, {
        contributor: 30,
        content_type: 'collection',
        kind: 'class',
        offers: 'closed',
        visibility: 'class',
      }),
      project(131, { contributor: 30, visibility: 'class', made_for: 130 }),
      isIn(130, 30, 'member'),
      course(130),
      item(130, 131, 30),
      item(130, lamp, 30),
    );
    await importInto(site, text);
    const exported = await exportAll(site);
    for (const brought of text.trimEnd().split('\n')) expect(exported).toContain(brought);
  });

  test('lines of an old dump do not bring back who was erased, nor their works', async () => {
    const school = await openWithKite(kind);
    const { site, tess } = school;
    const page = new URL((await tess.json<{ html_url: string }>(`/api/v1/projects/${firstClass}/`)).html_url);
    await tess.send(`${page.pathname}class/${idOf('kim')}/erase/`);
    await sweep(site.database, site.files);
    expect(await exportAll(site)).not.toContain('"kim"');
    for (const [brought, reason] of [
      [kite, 'id: 110 was deleted for good.'],
      [
        contributor(idOf('kim'), 'kim'),
        `username: ${idOf('kim')} has the account of deleted-${idOf('kim')}.`,
      ],
    ] as const)
      expect(await refusalOf(importInto(site, dump(brought)))).toContain(reason);
    expect(await exportAll(site)).not.toContain(uuidOf(110).concat('"kim"'));
    expect(schoolDump).toContain('"kim"');
  });

  test('no line shows what is here to more people than read it now', async () => {
    const school = await openSchool(kind);
    const { site, kim, lee, tess, mo, ann, bob, visitor } = school;
    const hidden = await make(kim, { visibility: 'private' });
    const sent = await make(kim, { visibility: 'public' });
    const inClass = await make(kim, { visibility: 'class' });
    const [narrowed, trashed, drafted, removed] = [
      await make(kim, { visibility: 'class' }),
      await make(kim, { visibility: 'class' }),
      await make(kim, { visibility: 'class' }),
      await make(kim, { visibility: 'class' }),
    ];
    const said = await comment(lee, inClass, 'Well done');
    const copied = await copy(lee, inClass);
    const open = await make(kim, { visibility: 'public' });
    expect(await review(tess, open)).toBe(200);
    const older = await exportAll(site);
    await change(kim, narrowed, { visibility: 'private' });
    await kim.delete(`${at}${trashed.id}/`);
    await change(kim, drafted, { status: 0 });
    await change(mo, removed, { status: 3, reason: 'Spam' });
    await change(lee, said, { visibility: 'private' });
    const readers = [visitor, bob, ann, tess];
    const all = [hidden, sent, inClass, narrowed, trashed, drafted, removed, said, copied, open];
    const readBefore = await Promise.all(all.map((made) => statuses(readers, made)));

    const exported = await exportAll(site);
    const past = '2020-01-01T00:00:00.000000+00:00';
    const lineOf = (text: string, { id }: { id: number }, changed: object = {}) =>
      JSON.stringify({ ...JSON.parse(linesIn(text, `{"type":"project","id":${id},`)[0] ?? ''), ...changed });
    const refusals: [line: string, reason: string][] = [
      [
        lineOf(exported, hidden, { visibility: 'public', status: 1 }),
        `visibility: ${hidden.id} was hidden here.`,
      ],
      [
        lineOf(exported, hidden, { visibility: 'public', status: 5 }),
        `visibility: ${hidden.id} was hidden here.`,
      ],
      [lineOf(exported, sent, { status: 1 }), `status: ${sent.id} was hidden here.`],
      [
        lineOf(exported, sent, { status: 0, publish_at: past }),
        `publish_at: ${sent.id} would be opened by itself.`,
      ],
      [
        lineOf(exported, inClass, { visibility: 'public', status: 0, publish_at: past }),
        `visibility: ${inClass.id} was made for a class.`,
      ],
      [lineOf(exported, inClass, { made_for: secondClass }), `made_for: ${inClass.id} was made for others.`],
      [lineOf(exported, said, { made_for: secondClass }), `made_for: ${said.id} was made for others.`],
      [lineOf(exported, said, { made_for: inClass.id }), `made_for: ${said.id} was made for others.`],
      [
        lineOf(exported, copied, { source_maker: 'teacher' }),
        `source_maker: ${copied.id} has what a classmate has made.`,
      ],
      [lineOf(exported, copied, { copied_from: null }), `copied_from: ${copied.id} has another one.`],
      [lineOf(exported, inClass, { history: 'public' }), `history: that of ${inClass.id} is hidden here.`],
      [lineOf(exported, { id: firstClass }, { offers: 'open' }), `offers: ${firstClass} takes none here.`],
      [lineOf(exported, removed, { status: 0 }), `status: ${removed.id} was hidden here.`],
      [
        lineOf(exported, open, { text: 'My street' }),
        `text: what ${idOf('kim')} publishes is reviewed here.`,
      ],
      [lineOf(older, narrowed), `visibility: ${narrowed.id} was made for a class.`],
      [lineOf(older, trashed), `trashed: ${trashed.id} is in the trash here.`],
      [lineOf(older, drafted), `status: ${drafted.id} was hidden here.`],
      [lineOf(older, removed), `status: ${removed.id} was hidden here.`],
      [lineOf(older, said), `visibility: ${said.id} was made for a class.`],
    ];
    await importInto(site, exported);
    for (const [text, reason] of refusals) await expectRefused(school, text, reason);
    expect(await refusalOf(importInto(site, older))).toContain('was made for a class.');
    expect(await Promise.all(all.map((made) => statuses(readers, made)))).toEqual(readBefore);
    expect(contentOf(await exportAll(site))).toBe(contentOf(exported));
    // Fewer readers, and what its makers may do anyway.
    await importInto(
      site,
      dump(
        lineOf(exported, inClass, { visibility: 'private' }),
        lineOf(exported, sent, { status: 0 }),
        lineOf(exported, { id: lamp }, { title: 'A better lamp' }),
      ),
    );
    expect(await statuses([ann, tess], inClass)).toEqual([404, 404]);
  });

  test('words and files that were taken away here do not come back', async () => {
    const school = await openSchool(kind);
    const { site, ann, mo } = school;
    const made = await make(ann, { text: 'My phone is 555-1234', visibility: 'public' });
    await upload(ann, made, 'address.txt', 'Elm Street');
    const older = await exportAll(site);
    const project = linesIn(older, `{"type":"project","id":${made.id},`);
    const files = linesIn(older, `{"type":"media","project":${made.id},`, '{"type":"bytes"');
    expect(files.map((file) => JSON.parse(file).type)).toEqual(['media', 'bytes']);
    expect(await change(ann, made, { text: 'Clean' })).toEqual([200, 'public']);
    expect((await ann.delete(`${at}${made.id}/media/1/`)).status).toBe(204);
    const { results } = await mo.json<{ results: { number: number; text: string }[] }>(
      `${at}${made.id}/history/`,
    );
    const [first] = results.filter(({ text }) => text.includes('555'));
    expect((await mo.post(`${at}${made.id}/history/${first?.number}/redact/`)).status).toBe(204);
    await expectRefused(school, dump(...project), `text: words of ${made.id} were taken back here.`);
    await expectRefused(school, dump(...files), `project: ${made.id} has other files here.`);
  });

  test('the words of an erased child do not come back into a copy', async () => {
    const school = await openSchool(kind);
    const { site, kim, lee, tess } = school;
    const source = await make(kim, { text: 'I live in Elm Street, behind the bakery', visibility: 'class' });
    const copied = await copy(lee, source);
    const older = linesIn(await exportAll(site), `{"type":"project","id":${copied.id},`);
    const { html_url } = await tess.json<{ html_url: string }>(`${at}${firstClass}/`);
    await tess.send(`${new URL(html_url).pathname}class/${idOf('kim')}/erase/`);
    await sweep(site.database, site.files);
    await expectRefused(school, dump(...older), `slug: words of ${copied.id} were taken back here.`);
  });

  test('a dump speaks for nobody who has an account here, and puts nobody into a class', async () => {
    const school = await openSchool(kind);
    const { site, kim, tess } = school;
    const id = idOf('kim');
    const open = await make(kim, { visibility: 'public' });
    expect(await review(tess, open)).toBe(200);
    const made = await make(kim, { title: 'A collection', content_type: 'collection', visibility: 'public' });
    const newClass = project(901, {
      ...{
        contributor: 30,
        content_type: 'collection',
        kind: 'class',
        offers: 'closed',
        visibility: 'class',
      },
    });
    const eva = contributor(30, 'eva');
    const refusals: [text: string, reason: string][] = [
      [
        dump(eva, newClass, isIn(901, id, 'member')),
        'collection: 901 has another role of a contributor, or none.',
      ],
      [dump(eva, newClass, item(901, open.id, id)), 'collection: 901 has another item, or none.'],
      [
        newClass.replace('"contributor":30', `"contributor":${bob}`),
        `kind: ${bob} has an account, and no such class.`,
      ],
      [project(902, { contributor: id }), `contributor: what ${id} publishes is reviewed here.`],
      [
        item(made.id, lamp, 30)
          .replace('"note":""', '"note":"Words"')
          .replace('"added_by":30', '"added_by":null'),
        `collection: ${made.id} has another note, or none.`,
      ],
      [
        contributor(id, 'kim', { last_name: 'Elm' }),
        `id: a class looks after ${id}, who has another name here.`,
      ],
      [
        line('profile', { contributor: id, about: 'Call me', links: [], pinned: [] }),
        `contributor: ${id} has another profile, or none.`,
      ],
      [
        line('avatar', { contributor: id, sizes: [{ width: 64, hash: '0'.repeat(64), bytes: 5 }] }),
        `contributor: ${id} has another avatar, or none.`,
      ],
    ];
    for (const [text, reason] of refusals) await expectRefused(school, text, reason);
    await importInto(site, project(903, { contributor: id, status: 5 }));
    expect(await status(tess, { id: 903 })).toBe(200);
  });

  test('a newer dump opens what only dumps have written, until somebody here hides it', async () => {
    const school = await openSchool(kind);
    const { site, mo, visitor } = school;
    await importInto(site, dump(contributor(30, 'eva'), project(950, { contributor: 30, status: 0 })));
    await importInto(site, project(950, { contributor: 30, title: 'Ready' }));
    expect(await status(visitor, { id: 950 })).toBe(200);
    await change(mo, { id: 950 }, { status: 3, reason: 'Spam' });
    await importInto(site, linesIn(await exportAll(site), '{"type":"project","id":950,')[0] ?? '');
    await expectRefused(school, project(950, { contributor: 30 }), 'status: 950 was hidden here.');
  });

  test('a refused import is refused also beside another write', async () => {
    const { site } = await openSchool(kind);
    const refused = importInto(site, dump(project(120, { title: 'New' }), isIn(firstClass, bob, 'teacher')));
    const [outcome] = await Promise.allSettled([refused, site.database.transaction(async () => {})]);
    expect(outcome.status).toBe('rejected');
  });
});
