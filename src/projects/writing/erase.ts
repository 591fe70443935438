// Deletes a project permanently. Its row stays, empty: its id is never reused, and its copies still know that there
// was a source.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, type Database, execute, integer, type Transaction } from '#sql';
import { allTables } from '../../core/all-tables.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { adjustFileUsage, countBytes, uncountBytes } from '../../core/changes/usage.ts';
import { once } from '../../core/feature.ts';
import { deleteReferences } from '../../core/files/references.ts';
import { addDays } from '../../core/instant.ts';
import type { Confirm } from '../../core/jobs/jobs.ts';
import { inTrash } from '../../core/project-status.ts';
import { deleteMedia, queryMedia } from '../media/media-rows.ts';
import type { ProjectRow } from '../project.ts';
import { initialColumns } from '../project-fields.ts';
import { forEverybody } from '../visibility/made-for-a-group.ts';
import { forgetInCopies } from './forget-in-copies.ts';
import { forgetResponses } from './forget-responses.ts';
import { computeKarma, ratingPointsSql } from './karma.ts';
import { lockProjects, storeProject } from './store.ts';
import { nextVersion } from './version.ts';

export const daysInTrash = 30;
/** How many projects one transaction erases. */
const batchSize = 5;
const maxBatches = 200;

const ratingPointsColumns = { id: integer(), points: integer(ratingPointsSql) };

/** What an erased project no longer has. */
const { content_type, parent, history, ...erasedMembers } = initialColumns;

export const erasedColumns = {
  ...erasedMembers,
  title_key: '',
  slug: 'untitled',
  visibility: 'private',
  status: inTrash,
  trashed: null,
  trashed_by: null,
  trashed_status: null,
  removed_files: 0,
  never_listed: 0,
  answer: null,
  featured: null,
  source_license: null,
  ...forEverybody,
  ends_set: null,
  asked_status: null,
  rating_count: 0,
  rating_sum: 0,
  opening_rating_count: 0,
  opening_rating_sum: 0,
  opening_karma: 0,
} as const satisfies Partial<ProjectRow>;

const projectColumns = ['project', 'collection'];

/** A table comes before those to which it refers. */
const deletedTables = once(() =>
  allTables()
    .filter(({ whenProjectErased }) => whenProjectErased === 'deleted')
    .toReversed()
    .map(({ name, columns, countedBytes }) => ({
      name,
      countedBytes,
      hasFiles: 'hash' in columns && 'bytes' in columns,
      isOfProject: (ids: Sql) =>
        join(
          projectColumns
            .filter((column) => column in columns)
            .map((column) => sql`${raw(column)} in (${ids})`),
          ' or ',
        ),
    })),
);

const isComment = ({ content_type }: ProjectRow) => content_type === 'comment';
const noNames = { username: '', first_name: '', last_name: '' };

export async function eraseProjects(write: Write, projects: ProjectRow[]): Promise<void> {
  const { transaction, changeSet } = write;
  if (projects.length === 0) return;
  const ids = projects.map(({ id }) => id);
  await forgetInCopies(write, projects);
  const points = await all(transaction, ratingPointsColumns)`from project where id in (${join(ids)})`;
  const pointsById = new Map(points.map(({ id, points }) => [id, points]));
  // Erasing a project changes the rows of its comments, so that the rows given here would be out of date.
  const commentsFirst = projects.toSorted((one, other) => Number(isComment(other)) - Number(isComment(one)));
  for (const before of commentsFirst) {
    const earned_karma = before.earned_karma - (pointsById.get(before.id) ?? 0);
    await storeProject(
      write,
      'erased',
      before,
      {
        ...before,
        ...erasedColumns,
        earned_karma,
        karma: computeKarma({ opening_karma: 0, earned_karma }),
        record_modified: nextVersion(before, changeSet.at),
      },
      noNames,
    );
  }
  for (const project of projects) await forgetResponses(transaction, project);
  const files = await queryMedia(transaction, sql`media.project in (${join(ids)})`);
  for (const { id, contributor } of projects)
    adjustFileUsage(changeSet, contributor, -countBytes(files.get(id) ?? []));
  await deleteMedia(transaction, sql`project in (${join(ids)})`);
  await keepFilesOfOwnCopies(transaction, ids);
  for (const { hasFiles, isOfProject, ...table } of deletedTables()) {
    const { name } = table;
    const isErased = sql`(${isOfProject(join(ids))})`;
    await uncountBytes(write, table, isErased);
    if (hasFiles) await deleteReferences(transaction, name, isErased);
    else await execute(transaction)`delete from ${raw(name)} where ${isErased}`;
  }
  await transaction.deleteSearchWords(ids);
  await transaction.waitForChanges();
  await execute(transaction)`update change set record = ''
    where kind = 'project' and subject in (${join(ids)})`;
}

/** For contributors who copied their own project. The copies of others lose the files: see redact.ts. */
function keepFilesOfOwnCopies(transaction: Transaction, erased: readonly number[]): Promise<void> {
  return execute(transaction)`update media set origin = null where origin in (${join([...erased])})
      and (select contributor from project where id = media.project)
        = (select contributor from project where id = media.origin)`;
}

/** Erases projects that were moved to the trash more than `daysInTrash` ago. The next run goes on. */
export async function emptyTrash(database: Database, confirm: Confirm): Promise<void> {
  for (let erased = batchSize, batches = 0; erased === batchSize && batches < maxBatches; batches++) {
    await confirm();
    erased = await transact(database, null, async (write) => {
      const { transaction, changeSet } = write;
      const oldest = addDays(changeSet.at, -daysInTrash);
      const projects = await lockProjects(
        transaction,
        sql`id in (select id from project where trashed < ${oldest} order by trashed limit ${batchSize})`,
      );
      await eraseProjects(write, projects);
      return projects.length;
    });
  }
}
