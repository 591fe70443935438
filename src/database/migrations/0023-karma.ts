import type { Migration } from '../migrate.ts';

const hasRatings = 'id in (select project from rating)';

/** A rating earns 1 for a 4 and 2 for a 5. It earned its value before. Followers of the change log learn of it. */
export const karma: Migration = {
  name: 'karma',
  statements: () => {
    const now = Date.now() * 1000;
    return [
      `insert into change (sequence, at, actor, action, kind, subject, record, owner, listed)
         select (select last from change_head) + row_number() over (order by id), ${now}, null, 'credited', 'project', id,
           '', contributor, case when visibility = 'public' and status = 1 and thread_visibility = 0 then 1 else 0 end
         from project where ${hasRatings}`,
      `update change_head set last = last + (select count(*) from project where ${hasRatings})`,
      `update project set
         earned_karma = earned_karma + (
           select cast(sum(case value when 5 then 2 when 4 then 1 else 0 end - value) as bigint)
           from rating where rating.project = project.id),
         record_modified = case when record_modified < ${now} then ${now} else record_modified + 1 end
         where ${hasRatings}`,
      `update project set karma = case when opening_karma + earned_karma > ${Number.MAX_SAFE_INTEGER}
           then ${Number.MAX_SAFE_INTEGER} when opening_karma + earned_karma > 0 then opening_karma + earned_karma else 0 end
         where ${hasRatings}`,
    ];
  },
};
