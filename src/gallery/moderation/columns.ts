// The columns of decisions and reports with the types that the gallery gives their values.

import { decisionTable, reportTable } from '../../database/schema.ts';
import type { Status } from '../projects/status.ts';
import type { DecisionAction } from './decision.ts';
import type { ReportReason } from './report.ts';

export const decisionColumns = {
  ...decisionTable.columns,
  action: decisionTable.columns.action.narrow<DecisionAction>(),
  status: decisionTable.columns.status.narrow<Status | null>(),
};

export const reportColumns = {
  ...reportTable.columns,
  reason: reportTable.columns.reason.narrow<ReportReason>(),
};
