import type { Dialect, Migration } from './migration.ts';

export const addInvitationColumns = ({ integer, text }: Dialect) => [
  `alter table invitation add column name ${text} not null default ''`,
  `alter table invitation add column contributor ${integer} references contributor (id)`,
  `alter table invitation add column used ${integer}`,
];

/** Whom invitations are for, and who used them. */
export const invitations: Migration = {
  from: 51,
  to: 52,
  name: 'who used an invitation',
  statements: addInvitationColumns,
};
