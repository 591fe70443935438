import type { Migration } from '../migrate.ts';

const columns = [
  ['project', 'veil', 'thread_visibility'],
  ['project', 'touched', 'record_modified'],
  ['project', 'earned', 'earned_karma'],
  ['api_key', 'writes', 'can_write'],
  ['api_key', 'used', 'last_used'],
  ['invitation', 'made_by', 'created_by'],
  ['idempotency', 'answer', 'response'],
  ['tally', 'veil', 'thread_visibility'],
];
const tables = [
  ['tally', 'project_count'],
  ['guess', 'sign_in_attempt'],
];

/** Names that say what a column or a table holds. Their indexes and keys follow. */
export const names: Migration = {
  name: 'names',
  statements: () => [
    ...columns.map(([table, name, newName]) => `alter table ${table} rename column ${name} to ${newName}`),
    ...tables.map(([name, newName]) => `alter table ${name} rename to ${newName}`),
  ],
};
