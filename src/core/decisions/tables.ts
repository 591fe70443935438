// Reports, and the decisions of moderators.

import { constrain, identity, integer, nullable, reference, text } from '#sql/columns.ts';
import { projectTable } from '../../projects/tables.ts';
import { contributorTable } from '../contributors/tables.ts';
import { table } from '../table.ts';

/**
 * The moderation log. `project` is null for a decision on an account, and may not exist after an import; `contributor`
 * owns the project or the account; `status` is the project's status before; `undoes` is the decision that this one
 * undoes.
 */
export const decisionTable = table(
  'decision',
  ['id'],
  {
    id: identity(),
    created: integer(),
    moderator: constrain(nullable(reference(contributorTable)), { isForeignKey: false }),
    action: text(),
    project: nullable(integer()),
    contributor: reference(contributorTable),
    reason: text(),
    status: nullable(integer()),
    undoes: nullable(integer()),
  },
  {
    whenProjectErased: 'kept',
    whenOwnerLeaves: 'kept',
    hasReadableView: true,
    indexes: [
      'decision_by_project (project, id) where project is not null',
      'decision_by_contributor (contributor, id)',
      'decision_by_moderator (moderator, id)',
      'decision_by_undone (undoes) where undoes is not null',
    ],
  },
);

/** A report is open until there is a decision. */
export const reportTable = table(
  'report',
  ['id'],
  {
    id: identity(),
    project: reference(projectTable),
    contributor: reference(contributorTable),
    reason: text(),
    words: text(),
    created: integer(),
    modified: integer(),
    decision: nullable(reference(decisionTable)),
  },
  {
    whenProjectErased: 'deleted',
    whenOwnerLeaves: 'kept',
    hasReadableView: true,
    loggedAs: 'report',
    indexes: [
      'report_open (project, id) where decision is null',
      'report_by_project (project)',
      'report_by_contributor (contributor)',
      'report_by_decision (decision) where decision is not null',
    ],
  },
);

/** The reporter finds a name of the contributor wrong. */
export const nameReportTable = table(
  'name_report',
  ['id'],
  {
    id: identity(),
    contributor: reference(contributorTable),
    reporter: reference(contributorTable),
    words: text(),
    created: integer(),
    modified: integer(),
    decision: nullable(reference(decisionTable)),
  },
  {
    whenOwnerLeaves: 'kept',
    loggedAs: 'name_report',
    indexes: [
      'name_report_open (contributor, id) where decision is null',
      'name_report_by_reporter (reporter)',
    ],
  },
);
