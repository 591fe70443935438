// The rules of statuses, visibilities and threads are applied to rows in memory and to rows in the database: both must
// say the same of every combination.

import { expect, test } from 'bun:test';
import sql, { type Sql } from 'sql-template-tag';
import { integer, pick, select, text } from '#sql';
import {
  hasPublicStatus,
  inTrash,
  isPubliclyReadable,
  type StoredStatus,
  statuses,
} from '../../src/core/project-status.ts';
import { anonymous } from '../../src/core/viewer/viewer.ts';
import { type ProjectRow, projectColumns, visibilities } from '../../src/projects/project.ts';
import { projectTable } from '../../src/projects/tables.ts';
import {
  hiddenThread,
  listedThread,
  threadVisibility,
  threadVisibilitySql,
} from '../../src/projects/visibility/thread-visibility.ts';
import {
  isErased,
  isErasedSql,
  isListed,
  isListedSql,
  isPublic,
  isPublicSql,
  readableAt,
} from '../../src/projects/visibility/visible-to.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const threads = Array.from({ length: hiddenThread + 1 }, (_, thread) => listedThread + thread);
const storedStatuses: readonly StoredStatus[] = [...statuses, inTrash];
type State = Pick<ProjectRow, 'visibility' | 'status' | 'trashed' | 'thread_visibility'>;
const states: State[] = visibilities.flatMap((visibility) =>
  storedStatuses.flatMap((status) =>
    [null, 5].flatMap((trashed) =>
      threads.map((thread_visibility) => ({ visibility, status, trashed, thread_visibility })),
    ),
  ),
);

const rules: [condition: Sql, predicate: (row: ProjectRow) => boolean][] = [
  [isErasedSql, isErased],
  [isListedSql, isListed],
  [isPublicSql('project'), isPublic],
  [hasPublicStatus, ({ status }) => isPubliclyReadable(status)],
];

onBothDatabases((kind) => {
  test('a condition and its predicate agree on all combinations', async () => {
    const { database } = await siteOn(kind, { dump: dump(ada, project(1)) });
    const first = await database.first(select(projectColumns, sql`from project where id = 1`));
    if (!first) throw new Error('the project is missing');
    const rows: ProjectRow[] = states.map((state, index) => ({
      ...first,
      ...state,
      id: 100 + index,
      uuid: `state${index}`,
    }));
    const comments = rows.map(({ id }) => ({
      ...first,
      id: id + 1000,
      uuid: `comment${id}`,
      content_type: 'comment' as const,
      root: id,
    }));
    await database.transaction((transaction) => transaction.insert(projectTable, [...rows, ...comments]));

    for (const [condition, predicate] of rules) {
      const found = await database.all(
        select(
          pick(projectColumns, 'id'),
          sql`from project where id >= 100 and id < 1000 and (${condition}) order by id`,
        ),
      );
      expect(found.length).toBeGreaterThan(0);
      expect(found.map(({ id }) => id)).toEqual(rows.filter(predicate).map(({ id }) => id));
    }
    const found = await database.all(
      select({ thread: integer(threadVisibilitySql) }, sql`from project where id >= 1000 order by id`),
    );
    expect(found.map(({ thread }) => thread)).toEqual(rows.map(threadVisibility));
  });
});

test('whether a comment may be opened by its id is looked up without reading all projects', async () => {
  const { database } = await siteOn('SQLite', { dump: dump(ada, project(1)) });
  for (const viewer of [anonymous, { ...anonymous, contributor: 1 }]) {
    const plan = await database.all({
      statement: sql`explain query plan select id from project where ${readableAt(viewer, 1)}`,
      columns: { detail: text() },
    });
    expect(plan.map(({ detail }) => detail).filter((detail) => /^SCAN/.test(detail))).toEqual([]);
    expect(plan.length).toBeGreaterThan(0);
  }
});
