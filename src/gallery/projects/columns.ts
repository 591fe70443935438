// The columns of `project` with the types that the gallery gives their values.

import sql from 'sql-template-tag';
import { integer, omit, type RowOf } from '../../database/columns.ts';
import { projectTable } from '../../database/schema.ts';
import type { ContentType } from '../content-types.ts';
import { avatarOfContributor, namesOfContributor } from '../contributors/columns.ts';
import type { Status, StoredStatus } from '../project-status.ts';
import { type History, internalColumns, type Visibility } from './project.ts';

const { columns } = projectTable;

export const projectColumns = {
  ...columns,
  content_type: columns.content_type.narrow<ContentType>(),
  visibility: columns.visibility.narrow<Visibility>(),
  history: columns.history.narrow<History>(),
  status: columns.status.narrow<StoredStatus>(),
  trashed_status: columns.trashed_status.narrow<StoredStatus | null>(),
};

/** A row as writes load and save it. */
export type ProjectRow = RowOf<typeof projectColumns>;

export const ownerNameColumns = namesOfContributor('project.contributor');

/** A project as viewers see it, with the sort keys, which make up a position in an order. */
export const shownColumns = {
  ...omit(projectColumns, ...internalColumns),
  status: integer(sql`coalesce(trashed_status, status)`).narrow<Status>(),
  ...ownerNameColumns,
  avatar: avatarOfContributor('project.contributor', 'smallest'),
};
