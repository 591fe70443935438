import type { Dialect, Migration } from '#sql/open';

const columns =
  'kind, name, contributor, priority, content, created, due, attempts, held_by, held_until, finished';

/** What the hourly sweep looked for in all histories and files. */
export const findJobs = ({ integer }: Dialect) => [
  `insert into job (${columns})
   select 'surplus_versions', cast(subject as text), null, 0, '', 0, 0, 0, '', 0, 0 from change
   where kind = 'project' and record <> '' group by subject having count(*) > 2`,
  `insert into job (${columns})
   select distinct 'withdrawn_files', cast(origin as text), cast(null as ${integer}), 0, '', 0, 0, 0, '', 0, 0
   from media where origin is not null`,
];

/** One table for what waited in three. */
export const jobs: Migration = {
  from: 51,
  to: 52,
  name: 'one table of jobs',
  statements: (dialect) => [
    `create table job (
      kind ${dialect.text} not null,
      name ${dialect.text} not null,
      contributor ${dialect.integer} references contributor (id),
      priority ${dialect.integer} not null,
      content ${dialect.text} not null,
      created ${dialect.integer} not null,
      due ${dialect.integer} not null,
      attempts ${dialect.integer} not null,
      held_by ${dialect.text} not null,
      held_until ${dialect.integer} not null,
      finished ${dialect.integer} not null,
      primary key (kind, name)
    )`,
    'create index job_by_due on job (kind, priority, due)',
    'create index job_by_contributor on job (contributor) where contributor is not null',
    `insert into job (${columns})
     select 'schedule', name, null, 0, '', finished, 0, 0, '', 0, finished from scheduled_job where name <> 'webhooks'`,
    `insert into job (${columns})
     select 'mail', uuid, contributor, is_bulk,
       '{"kind":"' || kind || '","address":"' || replace(replace(address, '\\', '\\\\'), '"', '\\"') || '","content":' || content || '}',
       created, due, attempts, '', 0, 0 from mail`,
    `insert into job (${columns})
     select 'contributor_update', cast(contributor as text), contributor, 0,
       '{"content":' || case when content is null then 'null' else '"' || content || '"' end ||
       ',"last_created":' || last_created || ',"last_id":' || last_id || '}',
       0, 0, 0, '', 0, 0 from contributor_update`,
    ...findJobs(dialect),
    ...['concurrency', 'batch_size'].map(
      (column) => `alter table webhook add column ${column} ${dialect.integer} not null default 1`,
    ),
    ...['scheduled_job', 'mail', 'contributor_update'].map((table) => `drop table ${table}`),
  ],
};
