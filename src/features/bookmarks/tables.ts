import { integer, reference } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/** Nobody but its owner learns of it. */
export const bookmarkTable = table(
  'bookmark',
  ['contributor', 'project'],
  {
    contributor: reference(contributorTable),
    project: reference(projectTable),
    created: integer(),
  },
  {
    whenProjectErased: 'deleted',
    whenOwnerLeaves: 'deleted',
    indexes: ['bookmark_by_time (contributor, created, project)', 'bookmark_by_project (project)'],
  },
);
