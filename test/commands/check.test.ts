// Each kind of derived data is corrupted in the database: the check must report it and repair it.

import { beforeAll, expect, test } from 'bun:test';
import sql, { type Sql } from 'sql-template-tag';
import { pick, select, type Transaction } from '#sql';
import { openGallery } from '../../src/core/open-gallery.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { projectCountTable, projectTable, tagCountTable, tagTable } from '../../src/projects/tables.ts';
import { copyDatabase, onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Ångström' }),
  project(1, { title: 'Kite', tags: ['paper', 'Glue'], rating_count: 3, rating_sum: 12, karma: 15 }),
  project(2, { title: 'Kite of Zoë', contributor: 2, copied_from: 1, tags: ['paper'] }),
  project(3, { title: 'Well made', content_type: 'comment', contributor: 2, parent: 1 }),
  project(4, { title: 'Thank you', content_type: 'comment', parent: 3 }),
  project(5, { title: 'Hidden', visibility: 'private' }),
  project(6, { title: 'A comment on a hidden project', content_type: 'comment', contributor: 2, parent: 5 }),
);

const words = { title: ['other'], tags: [], name: [], text: 'words', unpositioned: [] };
const derivedColumns = pick(
  projectTable.columns,
  ...(['id', 'rating_count', 'rating_sum', 'karma', 'earned_karma', 'title_key'] as const),
  ...(['last_name_key', 'root', 'thread_visibility'] as const),
);

const runStatement = (statement: Sql) => (transaction: Transaction) => transaction.run(statement);

/** The name of a corruption, the function that causes it, and the problems that the check reports, one per line. */
const corruptions: [name: string, corrupt: (transaction: Transaction) => Promise<void>, problems: string][] =
  [
    [
      'the number of ratings',
      runStatement(sql`update project set rating_count = rating_count + 1 where id = 1`),
      'the figures do not match the ratings: 1',
    ],
    [
      'the sum of ratings',
      runStatement(sql`update project set rating_sum = rating_sum - 2 where id = 1`),
      'the figures do not match the ratings: 1',
    ],
    [
      'a missing rating',
      runStatement(sql`delete from rating where project = 2`),
      'the figures do not match the ratings: 2\nthe karma does not match what was earned: 2',
    ],
    [
      'the karma',
      runStatement(sql`update project set karma = 7 where id = 2`),
      'the karma does not match what was earned: 2',
    ],
    [
      'the earned karma',
      runStatement(sql`update project set earned_karma = earned_karma + 3 where id in (1, 2)`),
      'the karma does not match what was earned: 1, 2',
    ],
    [
      'the sort key of a title',
      runStatement(sql`update project set title_key = 'zzz' where id = 2`),
      'the sort key of the title is wrong: 2',
    ],
    [
      'the sort key of a last name',
      runStatement(sql`update project set last_name_key = 'zzz' where id in (2, 3)`),
      'the sort key of the last name is wrong: 2, 3',
    ],
    [
      'a missing tag',
      runStatement(sql`delete from tag where project = 1 and position = 1`),
      'the stored tags do not match the record: 1\nthe counts of tags are wrong',
    ],
    [
      'a different tag',
      runStatement(sql`update tag set tag = 'scissors', tag_key = 'scissors' where project = 2`),
      'the stored tags do not match the record: 2\nthe counts of tags are wrong',
    ],
    [
      'a tag of a project without tags',
      runStatement(
        sql`insert into tag (project, position, tag, tag_key, content_type) values (5, 0, 'stray', 'stray', 'text')`,
      ),
      'the stored tags do not match the record: 5',
    ],
    [
      'the key of a tag',
      runStatement(sql`update tag set tag_key = 'Glue' where tag = 'Glue'`),
      'the stored tags do not match the record: 1\nthe counts of tags are wrong',
    ],
    [
      'the count of a tag',
      runStatement(sql`update tag_count set count = count + 1 where tag_key = 'paper'`),
      'the counts of tags are wrong',
    ],
    [
      'the count of an unused tag',
      runStatement(sql`insert into tag_count (tag_key, count) values ('nobodys', 2)`),
      'the counts of tags are wrong',
    ],
    [
      'the count of a contributor',
      runStatement(sql`update contributor_count set count = count + 1`),
      'the counts of contributors are wrong',
    ],
    [
      'the count of projects',
      runStatement(sql`update project_count set count = count - 1 where content_type = 'comment'`),
      'the counts of projects are wrong',
    ],
    [
      'a missing count of projects',
      runStatement(sql`delete from project_count`),
      'the counts of projects are wrong',
    ],
    [
      'the project of a thread',
      runStatement(sql`update project set root = 2 where id = 4`),
      'a comment belongs to another project than is stored: 4',
    ],
    [
      'the project of a thread and of its replies',
      runStatement(sql`update project set root = 2 where id in (3, 4)`),
      'a comment belongs to another project than is stored: 3',
    ],
    [
      'the visibility of a thread',
      runStatement(sql`update project set thread_visibility = 0 where id = 6`),
      'a comment does not follow the visibility of its project: 6\nthe counts of projects are wrong\nthe counts of contributors are wrong',
    ],
    [
      'the thread visibility of a project',
      runStatement(sql`update project set thread_visibility = 2 where id = 2`),
      'a comment does not follow the visibility of its project: 2\nthe stored tags do not match the record: 2\nthe counts of projects are wrong\nthe counts of tags are wrong\nthe counts of contributors are wrong',
    ],
    [
      'missing search words',
      (transaction) => transaction.deleteSearchWords([2, 4]),
      'the search index does not match the record: 2, 4',
    ],
    [
      'wrong search words',
      (transaction) => transaction.upsertSearchWords([[1, words]]),
      'the search index does not match the record: 1',
    ],
    [
      'search words without a project',
      (transaction) => transaction.upsertSearchWords([[77, words]]),
      'the search index has an entry without a project: 77',
    ],
  ];

async function corruptDatabase(address: string, statement: Sql): Promise<void> {
  const database = await openGallery(address);
  await database.transaction(runStatement(statement));
  await database.close();
}

onBothDatabases((kind) => {
  /** Each test that corrupts it repairs it. */
  let site: Site;
  let template: string;
  beforeAll(async () => {
    const original = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(original, 'ada'), await person(original, 'zoe')];
    expect((await zoe.put('/api/v1/projects/1/rating/', { value: 4 })).status).toBe(200);
    expect((await ada.put('/api/v1/projects/2/rating/', { value: 4 })).status).toBe(200);
    await original.close();
    template = original.address;
    site = await siteAt(await copyDatabase(kind, template));
  });

  const findProblems = async (repair: boolean) =>
    (await checkGallery(site.database, repair)).map(({ problem, projects }) =>
      projects.length ? `${problem}: ${projects.join(', ')}` : problem,
    );

  for (const [name, corrupt, problems] of corruptions) {
    test(`${name}, corrupted, is found and repaired`, async () => {
      await site.database.transaction(corrupt);
      const expected = problems.split('\n').sort();
      expect((await findProblems(false)).sort()).toEqual(expected);

      // The repair of the first problem may repair others before they are checked.
      const repaired = await findProblems(true);
      expect(repaired.length).toBeGreaterThan(0);
      expect(expected).toEqual(expect.arrayContaining(repaired));
      expect(await findProblems(false)).toEqual([]);
    });
  }

  test('a repair restores the derived data as it was before', async () => {
    const readDerivedData = () =>
      Promise.all([
        site.database.all(select(derivedColumns, sql`from project order by id`)),
        site.database.all(select(tagTable.columns, sql`from tag order by project, position`)),
        site.database.all(
          select(tagCountTable.columns, sql`from tag_count where count <> 0 order by tag_key`),
        ),
        site.database.all(
          select(
            projectCountTable.columns,
            sql`from project_count where count <> 0 order by visibility, status, thread_visibility, content_type`,
          ),
        ),
      ]);
    const before = await readDerivedData();
    for (const [name, corrupt] of corruptions) {
      // A missing rating cannot be restored; the repair counts the remaining ones.
      if (name === 'a missing rating') continue;
      await site.database.transaction(corrupt);
      await findProblems(true);
      expect({ name, now: await readDerivedData() }).toEqual({ name, now: before });
    }
  });

  test('the command reports problems with exit code 1, and repairs it with --repair', async () => {
    const address = await copyDatabase(kind, template);
    const noProblems = { code: 0, out: 'All is well.\n', error: '' };
    expect(await vitrine('check', '--database', address)).toEqual(noProblems);

    await corruptDatabase(address, sql`update project set karma = 40, title_key = 'z' where id in (1, 2)`);
    const problems =
      'the karma does not match what was earned: 1, 2\nthe sort key of the title is wrong: 1, 2\n';
    expect(await vitrine('check', '--database', address)).toEqual({ code: 1, out: problems, error: '' });

    expect(await vitrine('check', '--repair', '--database', address)).toEqual({
      code: 0,
      out: `${problems}Repaired.\n`,
      error: '',
    });
    expect(await vitrine('check', '--database', address)).toEqual(noProblems);
  });

  test('a change of the log that was cut out, altered or swapped is found', async () => {
    const [first, second] = [sql`sequence = 3`, sql`sequence = 4`];
    const last = sql`sequence = (select max(sequence) from change)`;
    const attacks: [number, Sql[]][] = [
      [2, [sql`delete from change where sequence = 1`]],
      [4, [sql`delete from change where sequence = 4`]],
      [12, [sql`delete from change where ${last}`]],
      [3, [sql`update change set actor = 1 where ${first}`]],
      [3, [sql`update change set subject = 77 where ${first}`]],
      [
        3,
        [
          sql`update change set sequence = 1000 where ${first}`,
          sql`update change set sequence = 3 where ${second}`,
          sql`update change set sequence = 4 where sequence = 1000`,
        ],
      ],
    ];
    for (const [number, statements] of attacks) {
      const address = await copyDatabase(kind, template);
      for (const statement of statements) await corruptDatabase(address, statement);
      const out = `the change log is broken at change ${number}\n`;
      expect(await vitrine('check', '--database', address)).toEqual({ code: 1, out, error: '' });
    }
  });

  test('the command says which problem it cannot repair', async () => {
    const address = await copyDatabase(kind, template);
    await corruptDatabase(address, sql`delete from change where sequence = 2`);
    expect(await vitrine('check', '--repair', '--database', address)).toEqual({
      code: 1,
      out: 'the change log is broken at change 2\nThis could not be put right: the change log is broken at change 2.\n',
      error: '',
    });
  });
});
