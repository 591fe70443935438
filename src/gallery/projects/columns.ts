// The columns of `project` with the types that the gallery gives their values.

import type { RowOf } from '../../database/columns.ts';
import { projectTable } from '../../database/schema.ts';
import type { ContentType, Visibility } from './project.ts';
import type { StoredStatus } from './status.ts';

const { columns } = projectTable;

export const projectColumns = {
  ...columns,
  content_type: columns.content_type.narrow<ContentType>(),
  visibility: columns.visibility.narrow<Visibility>(),
  status: columns.status.narrow<StoredStatus>(),
  trashed_status: columns.trashed_status.narrow<StoredStatus | null>(),
};

/** A row as writes load and save it. */
export type ProjectRow = RowOf<typeof projectColumns>;
