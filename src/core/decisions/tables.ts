// The decisions of moderators.

import { constrain, identity, integer, nullable, reference, text } from '#sql';
import { contributorTable } from '../contributors/tables.ts';
import { table } from '../declare-table.ts';

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
