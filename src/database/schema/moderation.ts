// Reports, and the decisions of moderators.

import { integer, nullable, reference, table, text } from '../columns.ts';
import { contributorTable } from './contributors.ts';
import { projectTable } from './projects.ts';

/** `project` may be deleted. */
export const decisionTable = table(
  'decision',
  ['id'],
  {
    id: integer(),
    created: integer(),
    moderator: nullable(reference(contributorTable)),
    action: text(),
    project: nullable(integer()),
    contributor: reference(contributorTable),
    reason: text(),
    status: nullable(integer()),
    undoes: nullable(integer()),
  },
  { whenOwnerLeaves: 'kept' },
);

export const reportTable = table(
  'report',
  ['id'],
  {
    id: integer(),
    project: reference(projectTable),
    contributor: reference(contributorTable),
    reason: text(),
    words: text(),
    created: integer(),
    modified: integer(),
    decision: nullable(reference(decisionTable)),
  },
  { whenOwnerLeaves: 'kept', loggedAs: 'report' },
);

export const nameReportTable = table(
  'name_report',
  ['id'],
  {
    id: integer(),
    contributor: reference(contributorTable),
    reporter: reference(contributorTable),
    words: text(),
    created: integer(),
    modified: integer(),
    decision: nullable(reference(decisionTable)),
  },
  { whenOwnerLeaves: 'kept', loggedAs: 'name_report' },
);
