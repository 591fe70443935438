import type { Migration } from '#sql/open';

/** The karma of a project from further comments of the same people. */
const repeated = `(select count(*) - count(distinct other.contributor) from project as other
  where other.parent = project.id and other.content_type = 'comment' and other.contributor <> project.contributor
    and other.visibility = 'public' and other.status in (1, 2))`;

/** The comments of one person on a project earn once. What they have earned before stays, as if an import had brought it. */
export const moveRepeatedKarma = [
  `update project set
     opening_karma = case when opening_karma < 9007199254740991 - ${repeated} then opening_karma + ${repeated}
       else 9007199254740991 end,
     earned_karma = earned_karma - ${repeated}
   where id in (select parent from project where content_type = 'comment' and parent is not null
     group by parent, contributor having count(*) > 1)`,
];

export const karmaOfComments: Migration = {
  from: 47,
  to: 48,
  name: 'karma of comments once for each person',
  statements: () => moveRepeatedKarma,
};
