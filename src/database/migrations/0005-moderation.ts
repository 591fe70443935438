import type { Migration } from '../migrate.ts';

export const moderation: Migration = {
  name: 'moderation',
  statements: ({ integer, text, identity }) => [
    // The moderation log. `project` is null for a decision on an account; `contributor` owns the project or the
    // account; `status` is the project's status before; `undoes` is the decision that this one undoes. An imported
    // decision may refer to a project that does not exist.
    `create table decision (
      id ${identity},
      created ${integer} not null,
      moderator ${integer},
      action ${text} not null,
      project ${integer},
      contributor ${integer} not null references contributor (id),
      reason ${text} not null,
      status ${integer},
      undoes ${integer}
    )`,
    'create index decision_by_project on decision (project, id) where project is not null',
    'create index decision_by_contributor on decision (contributor, id)',
    'create index decision_by_moderator on decision (moderator, id)',
    'create index decision_by_undone on decision (undoes) where undoes is not null',
    // Reports to moderators. A report is open until there is a decision.
    `create table report (
      id ${identity},
      project ${integer} not null references project (id),
      contributor ${integer} not null references contributor (id),
      reason ${text} not null,
      words ${text} not null,
      created ${integer} not null,
      modified ${integer} not null,
      decision ${integer} references decision (id)
    )`,
    'create index report_open on report (project, id) where decision is null',
    'create index report_by_project on report (project)',
    'create index report_by_contributor on report (contributor)',
    'create index report_by_decision on report (decision) where decision is not null',
  ],
};
