import { weeklyCountTable } from '../../../database/schema.ts';
import { type WeeklyCountLine, weeklyCountLine } from '../../../gallery/statistics/weekly-count-line.ts';
import { raiseWeeklyCount, weeklyCountColumns } from '../../../gallery/statistics/weekly-counts.ts';
import { exportTable } from '../export-table.ts';
import type { LineKind } from '../kind.ts';

export const weeklyCountKind: LineKind<WeeklyCountLine> = {
  format: weeklyCountLine,
  exporter: exportTable(weeklyCountTable, weeklyCountColumns, weeklyCountLine.stringify),

  async importBatch(context, batch) {
    context.hasWeeklyCounts = true;
    for (const { entry } of batch) await raiseWeeklyCount(context.transaction, entry);
  },

  describeChange: () => ({ subject: 0 }),
};
