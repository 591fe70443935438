// Earlier versions of a project from the change log. Versions that the viewer could not have seen at the time are
// left out.

import sql from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { changeTable } from '../../database/schema.ts';
import type { ActionOf } from '../changes/kinds.ts';
import type { Instant } from '../instant.ts';
import { can } from '../permissions.ts';
import type { Viewer } from '../viewer.ts';
import type { Project } from './project.ts';
import { isPubliclyReadable } from './status.ts';

/** The part of a project that its contributor writes. */
export interface VersionContent {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly link?: string;
  readonly visibility: Project['visibility'];
  readonly status: Project['status'];
}

export interface Version extends VersionContent {
  readonly at: Instant;
  /** Null for the operator. */
  readonly actor: number | null;
  readonly action: ActionOf<'project'>;
}

/** Older versions are stored, but not shown. */
const maxVersions = 100;

const columns = {
  ...pick(changeTable.columns, 'at', 'actor', 'record'),
  action: changeTable.columns.action.narrow<ActionOf<'project'>>(),
};

/** Newest first. */
export async function loadVersions(reader: Reader, viewer: Viewer, project: Project): Promise<Version[]> {
  const seesAll = can(viewer, 'changeProject', project.contributor);
  // A comment's record does not say whether its project was visible; whether the comment was listed does.
  const isVisible = seesAll || project.content_type !== 'comment' ? sql`1 = 1` : sql`listed = 1`;
  const entries = await reader.all(
    select(
      columns,
      sql`from change where kind = 'project' and subject = ${project.id} and record <> '' and ${isVisible}
          order by sequence desc limit ${maxVersions}`,
    ),
  );
  const versions = entries.map(({ record, ...entry }) => ({
    ...(JSON.parse(record) as VersionContent),
    ...entry,
  }));
  if (seesAll) return versions;
  return versions.filter(({ visibility, status }) => visibility !== 'private' && isPubliclyReadable(status));
}
