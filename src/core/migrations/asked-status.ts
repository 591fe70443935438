import type { Dialect, Migration } from '#sql/open';

export const addAskedStatus = ({ integer }: Dialect) =>
  `alter table project add column asked_status ${integer}`;

export const askedStatus: Migration = {
  from: 57,
  to: 58,
  name: 'the status that is approved',
  steps: (dialect) => [{ kind: 'expand', locks: ['project'], statements: [addAskedStatus(dialect)] }],
};
