import type { Dialect, Migration } from './migration.ts';

export const addAnswers = ({ integer }: Dialect) => [`alter table project add column answer ${integer}`];

export const answers: Migration = {
  from: 50,
  to: 51,
  name: 'accepted answers',
  statements: addAnswers,
};
