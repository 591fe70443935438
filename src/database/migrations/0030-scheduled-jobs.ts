import type { Migration } from '../migrate.ts';

/** Work that one of all processes does from time to time: see gallery/scheduled-jobs.ts. */
export const scheduledJobs: Migration = {
  name: 'scheduled jobs',
  statements: ({ integer, text }) => [
    `create table scheduled_job (
      name ${text} primary key,
      finished ${integer} not null,
      held_by ${text} not null,
      held_until ${integer} not null
    )`,
  ],
};
