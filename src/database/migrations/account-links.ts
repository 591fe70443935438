import type { Migration } from './migration.ts';
import { createTables } from './tables.ts';

/** Links that set a password or confirm an address stood among the invitations: those that are on their way end. */
export const accountLinks: Migration = {
  from: 45,
  to: 46,
  name: 'account links',
  statements: (dialect) => createTables(dialect).account_link ?? [],
};
