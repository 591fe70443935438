import type { Dialect, Migration } from '#sql/open';

/** Columns for what waits for a moderator, and for what is published later. */
export const addReviewColumns = ({ integer }: Dialect) => [
  `alter table account add column trusted ${integer} not null default 0`,
  `alter table project add column publish_at ${integer}`,
  `alter table project add column never_listed ${integer} not null default 0`,
  // A draft that an import brought keeps its time: its first change is younger.
  `update project set never_listed = 1 where status = 0 and exists (
     select 1 from change where kind = 'project' and subject = project.id
       and action in ('created', 'copied') and at = project.created)`,
  'create index project_waiting on project (modified, id) where status = 5',
  'create index project_to_publish on project (publish_at, id) where publish_at is not null and status = 0',
];

export const review: Migration = {
  from: 46,
  to: 47,
  name: 'review before publishing',
  statements: addReviewColumns,
};
