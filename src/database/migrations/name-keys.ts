import type { Dialect, Migration } from './migration.ts';

/** The rebuild fills the column. */
export const addNameKey = ({ text }: Pick<Dialect, 'text'>) => [
  `alter table contributor add column name_key ${text} not null default ''`,
  'create index contributor_by_name_key on contributor (name_key)',
  'create index contributor_by_last_name on contributor (last_name_key)',
];

export const nameKeys: Migration = {
  from: 52,
  to: 53,
  name: 'finding people by their names',
  statements: addNameKey,
  rebuilds: ['nameKeys'],
};
