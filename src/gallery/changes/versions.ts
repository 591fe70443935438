// What a project was, change by change, as the change log has it. A version that this reader could not have seen then
// is not told of, though they see what came of it.

import sql from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import type { Instant } from '../instant.ts';
import { can } from '../permissions.ts';
import type { Project } from '../projects/project.ts';
import type { Viewer } from '../viewer.ts';

/** What people write of a project. */
export interface VersionContent {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly link?: string;
  readonly visibility: string;
  readonly status: number;
}

export interface Version extends VersionContent {
  readonly at: Instant;
  /** Whoever did it; null for the operator. */
  readonly actor: number | null;
  readonly action: string;
}

/** Older ones are kept, and not shown. */
const maxVersions = 100;

interface VersionRow extends Pick<Version, 'at' | 'actor' | 'action'> {
  record: string;
}

/** The newest first. */
export async function loadVersions(reader: Reader, viewer: Viewer, project: Project): Promise<Version[]> {
  const seesAll = can(viewer, 'changeProject', project.contributor);
  // A comment's own record does not tell whether what it speaks of was there to see; whether it stood in lists does.
  const isVisible = seesAll || project.content_type !== 'comment' ? sql`1 = 1` : sql`listed = 1`;
  const entries = await reader.all<VersionRow>(
    sql`select at, actor, action, record from change
        where kind = 'project' and subject = ${project.id} and record <> '' and ${isVisible}
        order by sequence desc limit ${maxVersions}`,
  );
  const versions = entries.map(({ record, ...entry }) => ({
    ...(JSON.parse(record) as VersionContent),
    ...entry,
  }));
  if (seesAll) return versions;
  return versions.filter(
    ({ visibility, status }) => visibility !== 'private' && (status === 1 || status === 2),
  );
}
