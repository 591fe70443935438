// The columns of decisions and reports with the types that the gallery gives their values.

import { reportTable } from '../../database/schema.ts';
import type { ReportReason } from './report.ts';

export const reportColumns = {
  ...reportTable.columns,
  reason: reportTable.columns.reason.narrow<ReportReason>(),
};
