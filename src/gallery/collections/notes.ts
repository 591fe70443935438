// The notes on the projects in a collection. Where the site has a review, those of people who are not trusted wait by themselves.

import sql, { join, type Sql } from 'sql-template-tag';
import { integer, pick, type RowOf } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { all, execute } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import type { Write } from '../changes/transact.ts';
import type { WriteContext } from '../changes/write.ts';
import type { ProjectRow } from '../projects/project.ts';
import { isTrusted } from '../projects/writing/opening.ts';
import { nextVersionSql } from '../projects/writing/version.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';
import { type Item, type ItemRow, itemColumns } from './items.ts';

/** A new version of the collection. What is in it, and where, is not reviewed. */
export async function saveArrangement({ transaction, changeSet }: Write, before: ProjectRow): Promise<void> {
  await execute(
    transaction,
  )`update project set record_modified = ${nextVersionSql(changeSet.at)} where id = ${before.id}`;
  changeSet.add({ kind: 'project', action: 'arranged', subject: before.id, owner: before.contributor });
}

type Note = Pick<ItemRow, 'note' | 'noted_by' | 'note_waits'>;

/** Of somebody who is not trusted, a note waits by itself, whoever opens the collection. A class is no public place. */
export async function writeNote(
  { transaction, viewer }: WriteContext,
  collection: ProjectRow,
  note: string,
): Promise<Note> {
  const { review } = viewer;
  const noted_by = requireSignedIn(viewer);
  const waits =
    note !== '' && collection.kind !== 'class' && review && !(await isTrusted(transaction, noted_by, review));
  return { note, noted_by, note_waits: waits ? 1 : 0 };
}

export async function saveNote(
  write: WriteContext,
  collection: ProjectRow,
  { project, note: written }: Pick<Item, 'project' | 'note'>,
): Promise<void> {
  const { note, noted_by, note_waits } = await writeNote(write, collection, written);
  await execute(write.transaction)`update collection_item
    set note = ${note}, noted_by = ${noted_by}, note_waits = ${note_waits}
    where collection = ${collection.id} and project = ${project}`;
}

// Notes that wait for a review.

const noteColumns = {
  ...pick(itemColumns, 'project', 'note'),
  noted_by: integer(),
  username: contributorTable.columns.username,
};
export type WaitingNote = RowOf<typeof noteColumns>;

/** Those that will be public, except the viewer's own. */
export const isWaitingNote = (viewer: Viewer): Sql =>
  sql`note_waits = 1 and item.state = 'included' and noted_by <> ${viewer.contributor}`;

export const listWaitingNotes = (
  reader: Reader,
  viewer: Viewer,
  { id }: Pick<ProjectRow, 'id'>,
): Promise<WaitingNote[]> => all(reader, noteColumns)`from collection_item as item
  join contributor on contributor.id = noted_by
  where collection = ${id} and ${isWaitingNote(viewer)} order by position, project`;

/** Shows the notes of these people, or takes them away. */
export async function decideNotes(
  write: WriteContext,
  collection: ProjectRow,
  authors: readonly number[],
  decision: 'approve' | 'return',
): Promise<void> {
  const note = decision === 'approve' ? sql`note` : sql`''`;
  await execute(write.transaction)`update collection_item set note = ${note}, note_waits = 0
    where collection = ${collection.id} and note_waits = 1 and noted_by in (${join([...authors])})`;
  await saveArrangement(write, collection);
}
