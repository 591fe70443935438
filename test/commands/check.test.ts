// Each thing that is stored twice is spoilt in the database: the check must say so, and mend it.

import { beforeAll, expect, test } from 'bun:test';
import sql, { type Sql } from 'sql-template-tag';
import { pick } from '../../src/database/columns.ts';
import type { Transaction } from '../../src/database/open.ts';
import { select } from '../../src/database/query.ts';
import { projectTable, tagCountTable, tagTable, tallyTable } from '../../src/database/schema.ts';
import { checkGallery } from '../../src/gallery/check.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { copyOf, onBothDatabases } from '../support/databases.ts';
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
  project(6, { title: 'Said of the hidden', content_type: 'comment', contributor: 2, parent: 5 }),
);

const words = { title: ['other'], tags: [], name: [], text: ['words'], unpositioned: [] };
const derivedColumns = pick(
  projectTable.columns,
  ...(['id', 'rating_count', 'rating_sum', 'karma', 'earned', 'title_key'] as const),
  ...(['last_name_key', 'root', 'veil'] as const),
);

const said = (statement: Sql) => (transaction: Transaction) => transaction.run(statement);

/** What is spoilt, by which words it is told, and of which projects. */
const spoilt: [what: string, spoil: (transaction: Transaction) => Promise<void>, told: string][] = [
  [
    'how many rated',
    said(sql`update project set rating_count = rating_count + 1 where id = 1`),
    'the figures do not match the ratings: 1',
  ],
  [
    'what the ratings sum up to',
    said(sql`update project set rating_sum = rating_sum - 2 where id = 1`),
    'the figures do not match the ratings: 1',
  ],
  [
    'a rating that is gone',
    said(sql`delete from rating where project = 2`),
    'the figures do not match the ratings: 2\nthe karma does not match what was earned: 2',
  ],
  [
    'the karma',
    said(sql`update project set karma = 7 where id = 2`),
    'the karma does not match what was earned: 2',
  ],
  [
    'what was earned',
    said(sql`update project set earned = earned + 3 where id in (1, 2)`),
    'the karma does not match what was earned: 1, 2',
  ],
  [
    'how a title sorts',
    said(sql`update project set title_key = 'zzz' where id = 2`),
    'the sort key of the title is wrong: 2',
  ],
  [
    'how a last name sorts',
    said(sql`update project set last_name_key = 'zzz' where id in (2, 3)`),
    'the sort key of the last name is wrong: 2, 3',
  ],
  [
    'a tag that is missing',
    said(sql`delete from tag where project = 1 and position = 1`),
    'the stored tags do not match the record: 1\nthe counts of tags are wrong',
  ],
  [
    'a tag that is another',
    said(sql`update tag set tag = 'scissors', tag_key = 'scissors' where project = 2`),
    'the stored tags do not match the record: 2\nthe counts of tags are wrong',
  ],
  [
    'a tag of what has none',
    said(sql`insert into tag (project, position, tag, tag_key) values (5, 0, 'stray', 'stray')`),
    'the stored tags do not match the record: 5',
  ],
  [
    'how a tag is found',
    said(sql`update tag set tag_key = 'Glue' where tag = 'Glue'`),
    'the stored tags do not match the record: 1\nthe counts of tags are wrong',
  ],
  [
    'how often a tag is used',
    said(sql`update tag_count set count = count + 1 where tag_key = 'paper'`),
    'the counts of tags are wrong',
  ],
  [
    'a tag that nobody uses',
    said(sql`insert into tag_count (tag_key, count) values ('nobodys', 2)`),
    'the counts of tags are wrong',
  ],
  [
    'how many projects there are',
    said(sql`update tally set count = count - 1 where content_type = 'comment'`),
    'the counts of projects are wrong',
  ],
  ['a kind that is not counted', said(sql`delete from tally`), 'the counts of projects are wrong'],
  [
    'what a thread is about',
    said(sql`update project set root = 2 where id = 4`),
    'a comment belongs to another project than is stored: 4',
  ],
  [
    'how visible a thread is',
    said(sql`update project set veil = 0 where id = 6`),
    'a comment does not follow the visibility of its project: 6\nthe counts of projects are wrong',
  ],
  [
    'a veil over what is no comment',
    said(sql`update project set veil = 2 where id = 2`),
    'a comment does not follow the visibility of its project: 2\nthe counts of projects are wrong\nthe counts of tags are wrong',
  ],
  [
    'what is not found by words',
    (transaction) => transaction.deleteSearchWords([2, 4]),
    'the search index does not match the record: 2, 4',
  ],
  [
    'what is found by other words',
    (transaction) => transaction.upsertSearchWords([[1, words]]),
    'the search index does not match the record: 1',
  ],
  [
    'what is found and is not there',
    (transaction) => transaction.upsertSearchWords([[77, words]]),
    'the search index has an entry without a project: 77',
  ],
];

onBothDatabases((kind) => {
  /** Mended by each test that spoils it. */
  let site: Site;
  let template: string;
  beforeAll(async () => {
    const first = await siteOn(kind, { dump: gallery });
    for (const [id, person] of [
      [1, 'zoe'],
      [2, 'ada'],
    ] as const) {
      const rated = await first.request(`/api/v1/projects/${id}/rating/`, {
        method: 'PUT',
        headers: { ...(await first.key(person)), 'Content-Type': 'application/json' },
        body: '{"value":4}',
      });
      expect(rated.status).toBe(200);
    }
    await first.close();
    template = first.address;
    site = await siteAt(await copyOf(kind, template));
  });

  const found = async (repair: boolean) =>
    (await checkGallery(site.database, repair)).map(({ problem, projects }) =>
      projects.length ? `${problem}: ${projects.join(', ')}` : problem,
    );

  for (const [what, spoiling, told] of spoilt) {
    test(`${what}, corrupted, is found and repaired`, async () => {
      await site.database.transaction(spoiling);
      const all = told.split('\n').sort();
      expect((await found(false)).sort()).toEqual(all);

      // What follows from the first is right again before it is looked at.
      const mended = await found(true);
      expect(mended.length).toBeGreaterThan(0);
      expect(all).toEqual(expect.arrayContaining(mended));
      expect(await found(false)).toEqual([]);
    });
  }

  test('a repair restores what was there before', async () => {
    const stored = () =>
      Promise.all([
        site.database.all(select(derivedColumns, sql`from project order by id`)),
        site.database.all(select(tagTable.columns, sql`from tag order by project, position`)),
        site.database.all(
          select(tagCountTable.columns, sql`from tag_count where count <> 0 order by tag_key`),
        ),
        site.database.all(
          select(
            tallyTable.columns,
            sql`from tally where count <> 0 order by visibility, status, veil, content_type`,
          ),
        ),
      ]);
    const before = await stored();
    for (const [what, spoiling] of spoilt) {
      // The figures would be right for one who had not rated.
      if (what === 'a rating that is gone') continue;
      await site.database.transaction(spoiling);
      await found(true);
      expect({ what, now: await stored() }).toEqual({ what, now: before });
    }
  });

  async function spoil(
    address: string,
    spoiling: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const database = await openGallery(address);
    await database.transaction(spoiling);
    await database.close();
  }

  test('the command reports what is wrong with exit code 1, and repairs it with --repair', async () => {
    const address = await copyOf(kind, template);
    const well = { code: 0, out: 'All is well.\n', error: '' };
    expect(await vitrine('check', '--database', address)).toEqual(well);

    await spoil(address, said(sql`update project set karma = 40, title_key = 'z' where id in (1, 2)`));
    const off = 'the karma does not match what was earned: 1, 2\nthe sort key of the title is wrong: 1, 2\n';
    expect(await vitrine('check', '--database', address)).toEqual({ code: 1, out: off, error: '' });
    const repaired = { code: 0, out: `${off}Repaired.\n`, error: '' };
    expect(await vitrine('check', '--repair', '--database', address)).toEqual(repaired);
    expect(await vitrine('check', '--database', address)).toEqual(well);
  });

  test('the command does not claim to repair what it cannot', async () => {
    const address = await copyOf(kind, template);
    await spoil(
      address,
      said(sql`delete from change where sequence = (select min(sequence) + 1 from change)`),
    );
    const off = 'the change log has gaps\n';
    expect(await vitrine('check', '--repair', '--database', address)).toEqual({
      code: 1,
      out: `${off}This could not be put right: the change log has gaps.\n`,
      error: '',
    });
  });
});
