// The kinds of lines of decisions and reports.

import { decisionActions } from '../../core/decisions/actions.ts';
import { decisionColumns, isKnownDecision, maxReasonLength } from '../../core/decisions/decision.ts';
import { decisionTable } from '../../core/decisions/tables.ts';
import { id, instant, nullable, oneOf, text } from '../../core/dump/line-format.ts';
import { statuses } from '../../core/project-status.ts';
import { exportTable } from '../../projects/dump/kind.ts';
import { ofAccounts, tableKind } from '../../projects/dump/table-kind.ts';
import { reportLimits, reportReasons } from './report.ts';
import { nameReportTable, reportTable } from './tables.ts';

/** Not before somebody asks: features add actions of decisions. */
const createPlainDecisionKind = () =>
  tableKind(
    decisionTable,
    {
      id,
      moderator: nullable(id),
      action: oneOf(decisionActions()),
      project: nullable(id),
      contributor: id,
      reason: text({ maxLength: maxReasonLength }),
      status: nullable(oneOf(statuses)),
      undoes: nullable(id),
      created: instant,
    },
    {
      ownData: false,
      // What was approved counts for what its maker publishes next, and who undoes a removal gives the work its status back.
      rights: {
        name: 'decision',
        columns: ['action', 'project', 'contributor', 'moderator', 'status', 'undoes'],
        isFree: async (context, line) => !(await ofAccounts(context, line)),
      },
    },
  );

/** A dump can be imported where it comes from: the decisions of a feature that was taken out are not in it. */
export function createDecisionKind(): ReturnType<typeof createPlainDecisionKind> {
  const kind = createPlainDecisionKind();
  const condition = isKnownDecision();
  return {
    ...kind,
    exporter: exportTable(decisionTable, decisionColumns, kind.format.stringify, { condition }),
  };
}

export const reportKind = tableKind(
  reportTable,
  {
    id,
    project: id,
    contributor: id,
    reason: oneOf(reportReasons),
    words: text({ maxLength: reportLimits.words }),
    created: instant,
    modified: instant,
    decision: nullable(id),
  },
  { ownData: true, rights: 'none' },
);

export const nameReportKind = tableKind(
  nameReportTable,
  {
    id,
    contributor: id,
    reporter: id,
    words: text({ maxLength: reportLimits.words }),
    created: instant,
    modified: instant,
    decision: nullable(id),
  },
  { ownData: false, rights: 'none' },
);
