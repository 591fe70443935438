import type { Migration } from '../migrate.ts';

export const nameReports: Migration = {
  name: 'name reports',
  statements: ({ integer, text, identity }) => [
    // Reports of names to moderators: `reporter` finds a name of `contributor` wrong. Open until there is a decision.
    `create table name_report (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      reporter ${integer} not null references contributor (id),
      words ${text} not null,
      created ${integer} not null,
      modified ${integer} not null,
      decision ${integer} references decision (id)
    )`,
    'create index name_report_open on name_report (contributor, id) where decision is null',
    'create index name_report_by_reporter on name_report (reporter)',
    // Moderators have a badge.
    "create index account_by_role on account (role) where role <> 'contributor'",
  ],
};
