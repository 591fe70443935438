import { integer, reference, text } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/** `members` is JSON, as PATCH takes it. `since` is when the project had been changed for the last time as they were begun. */
export const keptChangesTable = table(
  'kept_changes',
  ['project'],
  {
    project: reference(projectTable),
    contributor: reference(contributorTable),
    members: text(),
    since: integer(),
    modified: integer(),
  },
  {
    whenProjectErased: 'deleted',
    whenOwnerLeaves: 'deleted',
    countedBytes: 'octet_length(members)',
    indexes: ['kept_changes_by_contributor (contributor)'],
  },
);
