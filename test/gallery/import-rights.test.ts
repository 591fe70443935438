// A dump gives no rights over what a gallery in use has: it is refused whole, with the number of the line.

import { expect, test } from 'bun:test';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkDump, importDump } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import {
  firstClass,
  idOf,
  lamp,
  openSchool,
  type School,
  schoolDump,
  secondClass,
} from '../support/school.ts';
import { contentOf, contributor, dump, exportAll, importInto, project, uuidOf } from '../support/site.ts';

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
      await expect(importInto(site, text)).rejects.toThrow(
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
      await expect(importInto(site, dump(brought))).rejects.toThrow(reason);
    expect(await exportAll(site)).not.toContain(uuidOf(110).concat('"kim"'));
    expect(schoolDump).toContain('"kim"');
  });
});
