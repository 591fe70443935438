import type { Migration } from '../migrate.ts';

const weeks = 26;
const dayUs = 86_400_000_000;

/** The totals of each week: see gallery/statistics/weekly-counts.ts. The past weeks are counted once. */
export const weeklyCounts: Migration = {
  name: 'weekly counts',
  statements: ({ integer, text }) => {
    const since = Date.now() * 1000 - weeks * 7 * dayUs;
    return [
      `create table weekly_count (
        week ${integer} not null,
        activity ${text} not null,
        content_type ${text} not null,
        count ${integer} not null,
        primary key (week, activity, content_type)
      )`,
      `insert into weekly_count (week, activity, content_type, count)
         select (created / ${dayUs} + 3) / 7, 'created', content_type, count(*) from project
         where created >= ${since} group by 1, 3`,
      `insert into weekly_count (week, activity, content_type, count)
         select (rating.created / ${dayUs} + 3) / 7, 'rated', content_type, count(*)
         from rating join project on project.id = rating.project where rating.created >= ${since} group by 1, 3`,
    ];
  },
};
