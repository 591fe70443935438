import type { Dialect, Migration } from '#sql/open';

export const addFocus = ({ text }: Dialect) =>
  `alter table media add column focus ${text} not null default 'center'`;

export const focus: Migration = {
  from: 59,
  to: 60,
  name: 'the part of pictures that covers show',
  steps: (dialect) => [{ kind: 'expand', locks: ['media'], statements: [addFocus(dialect)] }],
};
