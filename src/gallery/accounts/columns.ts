import { pick } from '../../database/columns.ts';
import { accountTable, apiKeyTable } from '../../database/schema.ts';
import type { Role } from '../viewer.ts';

export const accountColumns = { ...accountTable.columns, role: accountTable.columns.role.narrow<Role>() };

/** All but the hash. */
export const keyColumns = pick(
  apiKeyTable.columns,
  'id',
  'contributor',
  'name',
  'can_write',
  'created',
  'expires',
  'last_used',
);
