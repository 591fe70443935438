// The steps of the next start on the database, for `vitrine migrate --plan`.

import sql, { raw } from 'sql-template-tag';
import type { Reader } from './database.ts';
import { countMigrations, findPendingMigrations, runsInSteps } from './migrate.ts';
import { type Dialect, nameOfIndex, type Step } from './migration.ts';
import { count } from './query.ts';

// Measured by test/scale/migrations.ts for `project`, on two cores that six clients used too. Pauses are included.
/** 2,500 in memory, 300 with ten million projects whose indexes are not, beside clients that write. */
const filledPerSecond = 500;
const indexedPerSecond = 100_000;
/** Of a migration in one transaction, most of the time goes to the index of words. */
const rebuiltPerSecond = 30_000;

export async function planMigrations(reader: Reader, dialect: Dialect): Promise<string[]> {
  const { applied, known } = await countMigrations(reader, dialect);
  const path = await findPendingMigrations(reader, dialect);
  const lines = [
    `The database has schema ${applied}, this version of ${dialect.schema.program} has ${known}.`,
  ];
  if (path.length === 0) return [...lines, 'There is nothing to do.'];
  const estimate = async (table: string, perSecond: number) => {
    const rows = await count(reader, sql`from ${raw(table)}`);
    return `${rows.toLocaleString('en')} rows, about ${formatTime(rows / perSecond)}`;
  };
  if (!runsInSteps(path, dialect)) {
    const names = path.map(({ to, name }) => `Schema ${to}: ${name}`);
    const time = await estimate('project', rebuiltPerSecond);
    return [...lines, ...names, `In one transaction, for which all servers must be stopped: ${time}.`];
  }
  let oldest = applied;
  for (const { from, to, name, steps = () => [] } of path) {
    lines.push(`Schema ${to}: ${name}`);
    for (const step of steps(dialect)) {
      if (step.kind === 'contract') oldest = from;
      lines.push(`- ${await describeStep(step, estimate)}`);
    }
  }
  const first = oldest > applied ? 'Stop all earlier ones first.' : '';
  return [...lines, `Servers of schema ${oldest} go on meanwhile and afterwards. ${first}`.trim()];
}

async function describeStep(step: Step, estimate: (table: string, perSecond: number) => Promise<string>) {
  if (step.kind === 'fill')
    return `fill ${step.table}: ${await estimate(step.table, filledPerSecond)}. Locks the rows of a batch at a time.`;
  if (step.kind === 'index')
    return `index ${nameOfIndex(step.index)}: ${await estimate(step.table, indexedPerSecond)}. Locks no reads and writes.`;
  const locked = step.locks.length
    ? `Locks ${step.locks.join(', ')} for a quarter of a second at most`
    : 'Locks nothing';
  return `${step.kind}: ${step.statements.join('; ').replace(/\s+/g, ' ')}. ${locked}.`;
}

function formatTime(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
