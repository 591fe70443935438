import type { Dialect, Migration } from './migration.ts';

export const addFeatured = ({ integer }: Pick<Dialect, 'integer'>) => [
  `alter table project add column featured ${integer}`,
  'create index project_featured on project (featured) where featured is not null',
];

export const featured: Migration = {
  from: 53,
  to: 54,
  name: 'projects that moderators feature',
  statements: addFeatured,
};
