// Copies a gallery to an empty database while a server writes to the old one. Until the commit that ends all writes to
// the old database, that one is complete and in use, and no server starts on the new one.

import { OperatorError } from '#common/errors.ts';
import type { Database, Transaction } from '#sql';
import type { PhaseProgress } from '../../core/commands/progress-bar.ts';
import {
  type Copying,
  copyRows,
  copyWrittenRows,
  deleteEntries,
  loadMark,
  removeMark,
  runStatements,
  setMark,
  startLog,
  stopLog,
  transactWhenFree,
} from '../../projects/database-copy/copy-rows.ts';
import { completeTables, countRows, prepareNewDatabase } from '../../projects/database-copy/snapshot.ts';
import { type Answers, compareAnswers, compareCounts, findUnequalTables } from './answers.ts';

/** `unequal` has names of tables, too. */
export interface CopyResult extends Answers {
  /** Of all tables. */
  readonly rows: number;
  /** How long the old gallery took no writes. */
  readonly heldSeconds: number;
}

/** With this many entries of the log, the last step takes seconds. */
const fewEntries = 200;
const maxRounds = 20;
/** 10,000 in total, most of them before the last step. */
const answersBefore = 9800;
const answersAtLast = 200;

/** Undefined if only the last commit of an earlier copy was missing. */
export async function copyGallery(
  from: Database,
  to: Database,
  progress: PhaseProgress,
): Promise<CopyResult | undefined> {
  if (await finishEarlierCopy(from, to)) return undefined;
  const copying = { from, to, run: crypto.randomUUID() };
  await prepareNewDatabase(copying);
  let hasMoved = false;
  try {
    await startLog(from, copying.run);
    const total = await countRows(from);
    await copyRows(copying, (rows) => progress('Copying all rows.', rows, total));
    await copyWrites(copying, progress);
    const comparison = await compareAll(copying, progress);
    if (comparison.unequal.length > 0) return { ...comparison, rows: total, heldSeconds: 0 };
    await copyWrites(copying, progress);
    const result = await finish(copying, comparison, progress);
    hasMoved = result.unequal.length === 0;
    return result;
  } finally {
    if (!hasMoved) await stopLog(from);
  }
}

/** The old gallery takes writes again. */
export async function undoCopy(from: Database): Promise<void> {
  await transactWhenFree(from, async (transaction) => {
    if ((await loadMark(transaction, 'moved')) === undefined)
      throw new OperatorError('The gallery has not moved: it takes writes already.');
    await runStatements(transaction, from.copyStatements.allowWrites);
    await removeMark(transaction, 'moved');
  });
  await stopLog(from);
}

async function finishEarlierCopy(from: Database, to: Database): Promise<boolean> {
  const moved = await loadMark(from, 'moved');
  if (moved === undefined) return false;
  if ((await loadMark(to, 'unfinished')) !== readyMark(moved))
    throw new OperatorError(
      'The gallery has moved to another database already: go back with vitrine copy --undo.',
    );
  await to.transaction((transaction) => removeMark(transaction, 'unfinished'));
  return true;
}

const readyMark = (run: string) => `ready: ${run}`;

/** Copies what is written meanwhile, until little is left. */
async function copyWrites(copying: Copying, progress: PhaseProgress): Promise<void> {
  for (let round = 1; round <= maxRounds; round++) {
    progress('Copying what was written meanwhile.', round);
    const ids = await copying.from.snapshot((reader) => copyWrittenRows(copying, reader));
    await deleteEntries(copying.from, ids);
    if (ids.length < fewEntries) return;
  }
}

/** Compares both databases at one moment. Writes go on, and are copied afterwards. */
async function compareAll(copying: Copying, progress: PhaseProgress): Promise<Answers> {
  const { from, to } = copying;
  const { ids, ...comparison } = await from.snapshot(async (reader) => {
    const ids = await copyWrittenRows(copying, reader);
    const tables = await findUnequalTables(reader, to);
    const answers = await compareAnswers({ from, to, reader }, answersBefore, (done, total) =>
      progress('Comparing tables and answers.', done, total),
    );
    return { ids, ...answers, unequal: [...tables, ...answers.unequal] };
  });
  await deleteEntries(from, ids);
  return comparison;
}

/** The last step, in which nobody else writes to the old database. Nothing has changed there if it fails. */
async function finish(copying: Copying, comparison: Answers, progress: PhaseProgress): Promise<CopyResult> {
  const { from, to, run } = copying;
  const result = await holdWrites(from, async (transaction) => {
    const startedAt = performance.now();
    progress('The last step: no writes.', 0);
    await copyWrittenRows(copying, transaction);
    const { rows, unequal: tables } = await compareCounts(transaction, to);
    const last = await compareAnswers({ from, to, reader: transaction }, answersAtLast);
    const unequal = [...tables, ...last.unequal];
    if (unequal.length === 0) {
      await to.transaction(async (target) => {
        await completeTables(target, to);
        await setMark(target, 'unfinished', readyMark(run));
      });
      await setMark(transaction, 'moved', run);
      await runStatements(transaction, from.copyStatements.refuseWrites);
    }
    return {
      rows,
      answers: comparison.answers + last.answers,
      equal: comparison.equal + last.equal,
      unequal,
      heldSeconds: (performance.now() - startedAt) / 1000,
    };
  });
  if (result.unequal.length === 0)
    await to.transaction((transaction) => removeMark(transaction, 'unfinished'));
  return result;
}

async function holdWrites<Result>(database: Database, work: (transaction: Transaction) => Promise<Result>) {
  let isHeld = false;
  return transactWhenFree(
    database,
    async (transaction) => {
      await runStatements(transaction, database.copyStatements.holdWrites);
      await transaction.lockChangeLog();
      await runStatements(transaction, database.copyStatements.holdChanges);
      isHeld = true;
      return work(transaction);
    },
    () => isHeld,
  );
}
