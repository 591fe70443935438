// Changes of a project that its maker keeps for later: nobody else sees them, but those who review what the maker publishes if others
// look after the account. They are no part of the project, and leave no trace in the change log, until they are published.

import sql, { type Sql } from 'sql-template-tag';
import { Forbidden, NotFound } from '#common/errors.ts';
import { type Fields, readPartially } from '#rest/fields.ts';
import { all, execute, executeReturning, first, integer, orAny, pick, type Reader } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { adjustFileUsage } from '../../core/changes/usage.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { lockContributor } from '../../core/contributors/find-contributors.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { reviewsPersonSql } from '../../core/reviewers.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectWords } from '../../projects/hooks.ts';
import type { Project, ProjectRow } from '../../projects/project.ts';
import { isAsStored, type ProjectValues, projectFields } from '../../projects/project-fields.ts';
import { formatTags } from '../../projects/tags.ts';
import { changeProject } from '../../projects/writing/change-project.ts';
import { lockChangeableProject } from '../../projects/writing/changeable.ts';
import { arrangeFiles } from '../../projects/writing/files.ts';
import { deleteKeptFiles, type FilePlan, followPlan } from './kept-files.ts';
import { keptChangesTable } from './tables.ts';

/** All that PATCH changes. */
const { parent, ...fields } = projectFields;
export const keptFields: Omit<typeof projectFields, 'parent'> = fields;
type KeptName = keyof typeof keptFields;

/** As PATCH takes them. */
export type KeptMembers = Readonly<Partial<Record<KeptName, unknown>>>;

/** As they are stored. */
type StoredMembers = KeptMembers & { readonly files?: FilePlan };

export interface KeptChanges {
  readonly contributor: number;
  readonly members: KeptMembers;
  /** Undefined if the files stay as they are. */
  readonly files: FilePlan | undefined;
  readonly since: Instant;
  /** When they were kept. */
  readonly modified: Instant;
}

const isTime = (name: string) => (keptFields as Fields)[name]?.schema.format === 'date-time';

export const toMembers = ({ tags, ...values }: ProjectValues): KeptMembers => ({
  ...Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => Object.hasOwn(keptFields, name))
      .map(([name, value]) => [
        name,
        typeof value === 'number' && isTime(name) ? formatInstant(value, 'UTC') : value,
      ]),
  ),
  ...(tags && { tags: formatTags(tags) }),
});

const isReadable = (viewer: Viewer): Sql =>
  sql`(contributor = ${viewer.contributor}${orAny(
    [reviewsPersonSql(viewer, sql`kept_changes.contributor`)].filter((condition) => condition !== undefined),
  )})`;

const keptColumns = pick(keptChangesTable.columns, 'contributor', 'members', 'since', 'modified');

/** Of a project that the viewer can open. */
export async function findKeptChanges(
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<KeptChanges | undefined> {
  const row = await first(reader, keptColumns)`from kept_changes
    where project = ${project} and ${isReadable(viewer)}`;
  if (!row) return undefined;
  const { files, ...members } = JSON.parse(row.members) as StoredMembers;
  return { ...row, members, files };
}

/** Only its maker keeps changes, whoever else may change the project. */
async function lockOwnProject(write: WriteContext, id: number): Promise<ProjectRow> {
  const project = await lockChangeableProject(write, id);
  if (project.contributor !== write.viewer.contributor) throw new Forbidden();
  return project;
}

/** `read` returns what changes: all members, the files, and `since` if they are begun anew. The rest stays. */
export async function keepChanges(
  write: WriteContext,
  id: number,
  read: (project: ProjectRow, kept: KeptChanges | undefined) => KeptParts | Promise<KeptParts>,
): Promise<{ readonly project: ProjectRow; readonly kept: KeptChanges }> {
  const { transaction, changeSet, viewer } = write;
  const project = await lockOwnProject(write, id);
  const { contributor } = project;
  await lockContributor(transaction, contributor);
  const before = await findKeptChanges(transaction, viewer, id);
  const asked = await read(project, before);
  const { members = before?.members ?? {}, files = before?.files } = asked;
  const { since = before?.since ?? project.modified } = asked;
  await deleteKept(write, sql`project = ${id}`);
  const stored = JSON.stringify({ ...members, files } satisfies Omit<StoredMembers, 'files'> &
    Pick<KeptChanges, 'files'>);
  // Two that are kept at once differ.
  const modified = Math.max(changeSet.at, (before?.modified ?? 0) + 1);
  await transaction.insert(keptChangesTable, [
    { project: id, contributor, members: stored, since, modified },
  ]);
  adjustFileUsage(changeSet, contributor, Buffer.byteLength(stored));
  return { project, kept: { contributor, members, files, since, modified } };
}

type KeptParts = Partial<Pick<KeptChanges, 'members' | 'files' | 'since'>>;

export async function discardChanges(write: WriteContext, id: number): Promise<void> {
  const { contributor } = write.viewer;
  const kept = await findKeptChanges(write.transaction, write.viewer, id);
  if (contributor === null || kept?.contributor !== contributor) return;
  await deleteKept(write, sql`project = ${id} and contributor = ${contributor}`);
  await deleteKeptFiles(write, id, contributor);
}

const deletedColumns = {
  ...pick(keptChangesTable.columns, 'contributor'),
  bytes: integer(sql`octet_length(members)`),
};

/** Of two that delete it at once, one gives the bytes back. */
async function deleteKept({ transaction, changeSet }: Write, isDeleted: Sql): Promise<void> {
  const deleted = await executeReturning(
    transaction,
    deletedColumns,
  )`delete from kept_changes where ${isDeleted}`;
  if (deleted) adjustFileUsage(changeSet, deleted.contributor, -deleted.bytes);
}

/** Changes the project as PATCH does. */
export async function publishKeptChanges(write: WriteContext, id: number): Promise<Project> {
  await lockOwnProject(write, id);
  const kept = await findKeptChanges(write.transaction, write.viewer, id);
  if (!kept) throw new NotFound();
  const { files } = kept;
  const planned = files && (await followPlan(write.transaction, id, files));
  // First: what is published may need descriptions of its pictures.
  if (planned) await arrangeFiles(write, id, () => planned);
  const checked = planned ? { ...write, matchesVersion: undefined } : write;
  const project = await changeProject(checked, id, (before) =>
    readPartially(keptFields, kept.members, {
      isJson: true,
      isUnchanged: (name, value) => isAsStored(before, name, value),
    }),
  );
  await discardChanges(write, id);
  return project;
}

/** The highest number that a file may have had when they were kept: see `ProjectHooks`. */
export async function findUsedNumber(reader: Reader, project: number): Promise<number> {
  const row = await first(reader, keptColumns)`from kept_changes where project = ${project}`;
  const { files } = JSON.parse(row?.members ?? '{}') as StoredMembers;
  return files?.last ?? 0;
}

/** The changes go with their maker; the projects may stay. */
export async function forgetFiles(write: Write, contributor: number): Promise<void> {
  const rows = await all(write.transaction, pick(keptChangesTable.columns, 'project'))`from kept_changes
    where contributor = ${contributor}`;
  for (const { project } of rows) await deleteKeptFiles(write, project, contributor);
}

/** See `ProjectHooks`. */
export async function forgetWords(
  { transaction, changeSet }: Write,
  project: number,
  without: (words: ProjectWords) => Promise<ProjectWords | undefined>,
): Promise<void> {
  const row = await first(transaction, keptColumns)`from kept_changes
    where project = ${project} ${transaction.forUpdate}`;
  if (!row) return;
  const before = JSON.parse(row.members) as Partial<ProjectWords>;
  const left = await without({ title: '', text: '', tags: '', link: null, ...before });
  if (!left) return;
  const words = Object.entries(left).filter(([name]) => Object.hasOwn(before, name));
  const members = JSON.stringify({ ...before, ...Object.fromEntries(words) });
  await execute(transaction)`update kept_changes set members = ${members} where project = ${project}`;
  adjustFileUsage(changeSet, row.contributor, Buffer.byteLength(members) - Buffer.byteLength(row.members));
}
