import { InvalidValue } from '#common/inputs.ts';
import { contentTypes } from '../../core/content-types.ts';
import { count, instant, type Member, oneOf } from '../../core/dump/line-format.ts';
import type { ImportContext } from '../../projects/dump/import-context.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { weeklyCountTable } from './tables.ts';
import { activities, raiseWeeklyCount, raiseWeeklyCounts, startOfWeek, weekOf } from './weekly-counts.ts';

/** A week, as the moment when it begins. */
const week: Member<number> = {
  read(value) {
    const begins = instant.read(value);
    if (startOfWeek(weekOf(begins)) !== begins)
      throw new InvalidValue('must be the start of a Monday in UTC');
    return weekOf(begins);
  },
  write: (value) => instant.write?.(startOfWeek(value)),
  schema: instant.schema,
};

/** The imports that bring the counts of their weeks. */
const counted = new WeakSet<ImportContext>();

const lines = tableKind(
  weeklyCountTable,
  { week, activity: oneOf(activities), content_type: oneOf(contentTypes), count },
  {
    ownData: false,
    rights: 'none',
    describeChange: () => ({ subject: 0 }),
    async write(context, rows) {
      counted.add(context);
      for (const row of rows) await raiseWeeklyCount(context.transaction, row);
    },
  },
);

export const weeklyCountKind = {
  ...lines,
  async finishImport(context: ImportContext) {
    if (!counted.has(context)) await raiseWeeklyCounts(context.transaction, context.at);
  },
};
