// What a project was, change by change, as the change log has it. A version that this reader could not have seen then
// is not told of, though they see what came of it.

import sql from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import type { Instant } from '../instant.ts';
import { can } from '../permissions.ts';
import type { Project } from '../projects/project.ts';
import type { Viewer } from '../viewer.ts';

/** What people write of a project. */
export interface Written {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly link?: string;
  readonly visibility: string;
  readonly status: number;
}

export interface Version extends Written {
  readonly at: Instant;
  /** Whoever did it; null for the operator. */
  readonly actor: number | null;
  readonly action: string;
}

/** Older ones are kept, and not shown. */
const most = 100;

interface Entry extends Pick<Version, 'at' | 'actor' | 'action'> {
  record: string;
}

/** The newest first. */
export async function versionsOf(reads: Reads, viewer: Viewer, project: Project): Promise<Version[]> {
  const all = can(viewer, 'changeProject', project.contributor);
  // A comment's own record does not tell whether what it speaks of was there to see; whether it stood in lists does.
  const shown = all || project.content_type !== 'comment' ? sql`1 = 1` : sql`listed = 1`;
  const entries = await reads.all<Entry>(
    sql`select at, actor, action, record from change
        where kind = 'project' and subject = ${project.id} and record <> '' and ${shown}
        order by sequence desc limit ${most}`,
  );
  const versions = entries.map(({ record, ...entry }) => ({ ...(JSON.parse(record) as Written), ...entry }));
  if (all) return versions;
  return versions.filter(
    ({ visibility, status }) => visibility !== 'private' && (status === 1 || status === 2),
  );
}
