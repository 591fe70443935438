// What the next start will do to the database, for `vitrine migrate --plan`.

import type { Reader } from './database.ts';
import { countMigrations, findPendingMigrations, isAllStepped, readProgress } from './migrate.ts';
import { type Dialect, nameOfIndex, type Step, type SteppedMigration } from './migrations/migration.ts';

// Measured by test/scale/migrations.ts for `project`, on two cores that six clients used too. Pauses are included.
const filledPerSecond = 2500;
const indexedPerSecond = 100_000;
/** Of a migration in one transaction, most of the time goes to the index of words. */
const rebuiltPerSecond = 30_000;

export const batchSize = 1000;

export interface MigrationPlan {
  readonly reader: Reader;
  readonly dialect: Dialect;
  /** About as many as there are. */
  countRows(table: string): Promise<number>;
}

export async function describePlan({ reader, dialect, countRows }: MigrationPlan): Promise<string[]> {
  const { applied, known } = await countMigrations(reader);
  const path = await findPendingMigrations(reader);
  if (path.length === 0)
    return [
      `The database has schema ${applied}, this version of Vitrine has ${known}: there is nothing to do.`,
    ];
  const lines = [`The database has schema ${applied}, this version of Vitrine has ${known}.`];
  if (dialect.migratesInSteps && isAllStepped(path)) {
    for (const migration of path) lines.push(...(await describeSteps(migration, reader, dialect, countRows)));
    const needed = Math.max(
      applied,
      ...path.filter((each) => contracts(each, dialect)).map(({ from }) => from),
    );
    const others = `Servers of schema ${needed} and later go on meanwhile and afterwards`;
    return [...lines, needed > applied ? `${others}. Stop all earlier ones first.` : `${others}.`];
  }
  const projects = await countRows('project');
  return [
    ...lines,
    ...path.map(({ to, name }) => `Schema ${to}: ${name}`),
    `All in one transaction, which locks the whole database: stop all servers first. ${formatTime(projects / rebuiltPerSecond)} for ${formatRows(projects)}.`,
  ];
}

const contracts = (migration: SteppedMigration, dialect: Dialect) =>
  migration.steps(dialect).some(({ kind }) => kind === 'contract');

async function describeSteps(
  migration: SteppedMigration,
  reader: Reader,
  dialect: Dialect,
  countRows: MigrationPlan['countRows'],
): Promise<string[]> {
  const { step: begun } = await readProgress(reader, migration.to);
  const steps = migration.steps(dialect).map(async (step, number) => {
    const done = number < begun ? ' (done)' : '';
    return `  ${number + 1}. ${await describeStep(step, countRows)}${done}`;
  });
  return [`Schema ${migration.to}: ${migration.name}`, ...(await Promise.all(steps))];
}

async function describeStep(step: Step, countRows: MigrationPlan['countRows']): Promise<string> {
  if (step.kind === 'fill') {
    const rows = await countRows(step.table);
    return `fill ${step.table}: ${formatRows(rows)}, of which each batch of ${batchSize} is locked while it is written. ${formatTime(rows / filledPerSecond)}.`;
  }
  if (step.kind === 'index') {
    const rows = await countRows(step.table);
    return `index ${nameOfIndex(step.index)}: ${formatRows(rows)}. Locks nothing that reads and writes need. ${formatTime(rows / indexedPerSecond)}.`;
  }
  const locked = step.locks.length
    ? `Locks ${step.locks.join(', ')} for a moment, for which others wait a quarter of a second at most.`
    : 'Locks nothing.';
  return `${step.kind}: ${step.statements.map((statement) => statement.replace(/\s+/g, ' ')).join('; ')}. ${locked}`;
}

const formatRows = (count: number) => `about ${Math.max(0, count).toLocaleString('en')} rows`;

function formatTime(seconds: number): string {
  if (seconds < 100) return `About ${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `About ${Math.ceil(seconds / 60)} min` : `About ${Math.ceil(seconds / 3600)} h`;
}
