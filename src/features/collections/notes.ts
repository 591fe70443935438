// The notes on the projects in a collection, and the words of its sections. Where the site has a review, those of people who are not trusted wait by themselves.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { all, execute, first, integer, type Reader, type RowOf } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { contributorTable } from '../../core/contributors/tables.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import type { ContentChoice } from '../../projects/people/contributor-updates.ts';
import { type ProjectRow, projectColumns } from '../../projects/project.ts';
import { beforeWords, isOpenToAll } from '../../projects/visibility/made-for-a-group.ts';
import { isTrusted } from '../../projects/writing/opening.ts';
import { nextVersionSql } from '../../projects/writing/version.ts';
import { type Item, type ItemRow, itemColumns } from './items.ts';

/**
 * A new version of the collection. What is in it, and where, is not reviewed. If all that has changed is not public, an open collection
 * keeps its version: it would tell everybody.
 */
export async function saveArrangement(
  { transaction, changeSet }: Write,
  before: ProjectRow,
  isPublicChange = true,
): Promise<void> {
  if (isPublicChange || !isOpenToAll(before))
    await execute(
      transaction,
    )`update project set record_modified = ${nextVersionSql(changeSet.at)} where id = ${before.id}`;
  changeSet.add({ kind: 'project', action: 'arranged', subject: before.id, owner: before.contributor });
}

type Note = Pick<ItemRow, 'note' | 'noted_by' | 'note_for'>;

/**
 * A note that is written in a class, in the hidden collection of somebody else, or on their hidden work, stays with the people of the
 * collection, also if that is opened later. Of somebody who is not trusted, a note waits by itself, whoever opens the collection.
 */
export async function writeNote(
  write: WriteContext,
  collection: ProjectRow,
  noted: ProjectRow,
  note: string,
): Promise<Note> {
  const { transaction, viewer } = write;
  const { review } = viewer;
  const noted_by = requireSignedIn(viewer);
  if (note !== '') for (const project of [collection, noted]) await beforeWords(write, project);
  const stays = [collection, noted].some(
    (project) => !isOpenToAll(project) && (project.kind === 'class' || project.contributor !== noted_by),
  );
  const waits = !stays && review && !(await isTrusted(transaction, noted_by, review));
  return { note, noted_by, note_for: note === '' ? null : stays ? 'people' : waits ? 'review' : null };
}

export async function saveNote(
  write: WriteContext,
  collection: ProjectRow,
  { project, note: written }: Pick<Item, 'project' | 'note'>,
): Promise<void> {
  const noted = await first(write.transaction, projectColumns)`from project where id = ${project}`;
  if (!noted) return;
  const { note, noted_by, note_for } = await writeNote(write, collection, noted, written);
  await execute(write.transaction)`update collection_item
    set note = ${note}, noted_by = ${noted_by}, note_for = ${note_for}
    where collection = ${collection.id} and project = ${project}`;
}

/** Notes in the collections of others are deleted with the projects of their author. */
export async function deleteNotes({ transaction }: Write, contributor: number, content: ContentChoice) {
  if (content === 'delete')
    await execute(
      transaction,
    )`update collection_item set note = '', note_for = null where noted_by = ${contributor}`;
}

// Notes that wait for a review.

const noteColumns = {
  note: itemColumns.note,
  noted_by: integer(),
  username: contributorTable.columns.username,
};

const isWaitingNote = (viewer: Viewer): Sql =>
  sql`note_for = 'review' and item.state = 'included' and noted_by <> ${viewer.contributor}`;

const isWaitingSection = (viewer: Viewer): Sql =>
  sql`written_for = 'review' and written_by <> ${viewer.contributor}`;

/** A query for the collections. */
export const findProjectsWithNotes = (viewer: Viewer, isWanted?: (author: Sql) => Sql): Sql =>
  sql`select item.collection from collection_item as item
    where ${isWaitingNote(viewer)}${isWanted ? sql` and ${isWanted(sql`item.noted_by`)}` : empty}
  union all select collection from collection_section
    where ${isWaitingSection(viewer)}${isWanted ? sql` and ${isWanted(sql`written_by`)}` : empty}`;

/** Those that will be public, except the viewer's own; those of sections first. */
export const listWaitingNotes = (
  reader: Reader,
  viewer: Viewer,
  { id }: Pick<ProjectRow, 'id'>,
): Promise<RowOf<typeof noteColumns>[]> => all(reader, noteColumns)`from (
    select heading || case text when '' then '' else ': ' || text end as note, written_by as noted_by, position, 0 as kind
      from collection_section where collection = ${id} and ${isWaitingSection(viewer)}
    union all select note, noted_by, position, 1 as kind from collection_item as item
      where collection = ${id} and ${isWaitingNote(viewer)}
  ) as waiting join contributor on contributor.id = noted_by order by kind, position`;

/** Shows the notes of these people, or takes them away. */
export async function decideNotes(
  write: WriteContext,
  collection: ProjectRow,
  authors: readonly number[],
  decision: 'approve' | 'return',
): Promise<void> {
  const note = decision === 'approve' ? sql`note` : sql`''`;
  await execute(write.transaction)`update collection_item set note = ${note}, note_for = null
    where collection = ${collection.id} and note_for = 'review' and noted_by in (${join([...authors])})`;
  const areTheirs = sql`collection = ${collection.id} and written_for = 'review' and written_by in (${join([...authors])})`;
  await execute(write.transaction)`${
    decision === 'approve'
      ? sql`update collection_section set written_for = null where ${areTheirs}`
      : sql`delete from collection_section where ${areTheirs}`
  }`;
  await saveArrangement(write, collection);
}
