import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, nullable, oneOf, text } from '../line-members.ts';
import { reportLimits, reportReasons } from './report.ts';

export const reportLine = defineLine('report', {
  id,
  project: id,
  contributor: id,
  reason: oneOf(reportReasons),
  words: text({ maxLength: reportLimits.words }),
  created: instant,
  modified: instant,
  decision: nullable(id),
});

export type ReportLine = LineOf<typeof reportLine>;
