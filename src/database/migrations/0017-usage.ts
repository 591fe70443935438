import type { Migration } from '../migrate.ts';

/** How much each contributor stores, for quotas: see gallery/changes/usage.ts. */
export const usage: Migration = {
  name: 'usage',
  statements: ({ integer, text }) => [
    `create table contributor_usage (
      contributor ${integer} not null,
      resource ${text} not null,
      count ${integer} not null,
      primary key (contributor, resource)
    )`,
    `insert into contributor_usage (contributor, resource, count)
       select contributor, 'projects', count(*) from project
       where not (status = 4 and trashed is null) group by contributor`,
    `insert into contributor_usage (contributor, resource, count)
       select contributor, 'file_bytes', sum(bytes) from media_size join project on project.id = media_size.project
       group by contributor`,
  ],
};
