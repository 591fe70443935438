import { identity, integer, nullable, reference, text } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { decisionTable } from '../../core/decisions/tables.ts';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

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
    deletedWithContent: ['contributor'],
    loggedAs: 'report',
    hasReadableView: true,
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
    deletedWithContent: ['contributor', 'reporter'],
    loggedAs: 'name_report',
    indexes: [
      'name_report_open (contributor, id) where decision is null',
      'name_report_by_reporter (reporter)',
    ],
  },
);
