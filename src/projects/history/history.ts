// Earlier versions of a project from the change log, for the contributor and moderators. A contributor can open the
// history to everybody: then versions that others could not have seen at the time are left out.

import sql, { raw, type Sql } from 'sql-template-tag';
import { all, pick, type Reader, type RowOf } from '#sql';
import type { ActionOf } from '../../core/changes/change-kinds.ts';
import { changeTable } from '../../core/changes/tables.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectLine } from '../dump/project-line.ts';
import type { Project } from '../project.ts';
import { hidesMore, isForFew } from '../visibility/made-for-a-group.ts';

/** The part of a project that its contributor writes. */
export interface VersionContent
  extends Pick<ProjectLine, 'title' | 'text' | 'tags' | 'visibility' | 'status'> {
  readonly link?: string;
}

/** `sequence` is the number of the change that made it. */
export interface Version extends Omit<RowOf<typeof columns>, 'record'> {
  /** Undefined if it was redacted. */
  readonly content: VersionContent | undefined;
}

/** The record of a redacted version in the change log. */
export const redactedRecord = 'redacted';

const columns = {
  ...pick(changeTable.columns, 'sequence', 'at', 'actor', 'record'),
  action: changeTable.columns.action.narrow<ActionOf<'project'>>(),
};

/** The contributor and moderators see the history, and everybody else if the contributor has opened it. */
export const canSeeHistory = (viewer: Viewer, project: Pick<Project, 'contributor' | 'history'>): boolean =>
  project.history === 'public' || seesWholeHistory(viewer, project);

export const seesWholeHistory = (viewer: Viewer, { contributor }: Pick<Project, 'contributor'>): boolean =>
  viewer.isModerator || viewer.contributor === contributor;

/** Up to `limit` versions before a change, newest first. */
export async function loadVersions(
  reader: Reader,
  viewer: Viewer,
  project: Project,
  before: number,
  limit: number,
): Promise<Version[]> {
  const isEarlier = sql`sequence < ${before}`;
  if (seesWholeHistory(viewer, project)) return loadEntries(reader, project.id, isEarlier, limit);
  // A comment's record does not say whether its project was visible; whether the comment was listed does.
  const isVisible = project.content_type === 'comment' ? sql`${isEarlier} and listed = 1` : isEarlier;
  const versions = await loadEntries(reader, project.id, isVisible, limit);
  return versions.filter(({ content }) => content && wasReadable(content, project));
}

/** By all who read the project now: what was reviewed for those with its address is not for everybody. */
const wasReadable = (version: VersionContent, project: Project) =>
  !isForFew(version) && isPubliclyReadable(version.status) && !hidesMore(version, project);

/** Whether the viewer may make the version the newest: others than its maker show nobody what they could not read then. */
export const mayRestore = (viewer: Viewer, project: Project, version: VersionContent): boolean =>
  viewer.contributor === project.contributor ||
  (isPubliclyReadable(version.status) && !hidesMore(version, project));

/** The entries of a project in the change log that have a record. */
export async function loadEntries(
  reader: Reader,
  project: number,
  condition: Sql,
  limit: number,
  direction: 'asc' | 'desc' = 'desc',
): Promise<Version[]> {
  const rows = await all(reader, columns)`from change
    where kind = 'project' and subject = ${project} and record <> '' and ${condition}
    order by sequence ${raw(direction)} limit ${limit}`;
  return rows.map(({ record, ...entry }) => ({
    ...entry,
    content: record === redactedRecord ? undefined : (JSON.parse(record) as VersionContent),
  }));
}

/** The members whose changes make a version. */
export const comparedMembers = ['title', 'link', 'tags', 'text'] as const;

export const hasSameContent = (one: VersionContent, other: VersionContent): boolean =>
  comparedMembers.every((name) => String(one[name] ?? '') === String(other[name] ?? ''));
