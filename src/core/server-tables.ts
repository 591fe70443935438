// The settings and the state of the server.

import { integer, nullable, reference, text } from '#sql';
import { contributorTable } from './contributors/tables.ts';
import { table } from './declare-table.ts';

export { secretTable } from '#sql';

/** An empty host is the default for all. */
export const siteSettingTable = table('site_setting', ['host', 'name'], {
  host: text(),
  name: text(),
  value: text(),
});

/**
 * Work that waits, and work that is done again and again: see gallery/jobs.ts. `contributor` is the one whose mail it is.
 * `held_by` is the process that does it, until `held_until`; `finished` is when work that is repeated was done last.
 */
export const jobTable = table(
  'job',
  ['kind', 'name'],
  {
    kind: text(),
    name: text(),
    contributor: nullable(reference(contributorTable)),
    priority: integer(),
    content: text(),
    created: integer(),
    due: integer(),
    attempts: integer(),
    held_by: text(),
    held_until: integer(),
    finished: integer(),
  },
  {
    whenOwnerLeaves: 'deleted',
    indexes: [
      'job_by_due (kind, priority, due)',
      'job_by_contributor (contributor) where contributor is not null',
    ],
  },
);
