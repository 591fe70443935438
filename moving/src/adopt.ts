// Brings what was read from the old site into the gallery, and proves that it is there. Only records that differ are
// imported, so that a run after an interruption, or a second one, changes nothing that is right already.

import { join } from 'sql-template-tag';
import { pick } from '../../packages/sql/src/columns.ts';
import type { Database } from '../../packages/sql/src/database.ts';
import { all } from '../../packages/sql/src/query.ts';
import { chunks } from '../../src/core/chunks.ts';
import { fullContributorColumns } from '../../src/core/contributors/contributor.ts';
import type { FileStore } from '../../src/core/files/store.ts';
import { now } from '../../src/core/instant.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { createComparer, type Difference } from './compare.ts';
import { parseContributor, toContributorLine, toProjectLine } from './record.ts';
import type { StagedRecord, Staging } from './staging.ts';

interface Target {
  readonly database: Database;
  readonly files: FileStore;
}

/** A line of the report. */
export type Finding = { readonly id: number | string } & (Difference | { readonly problem: string });

export interface ComparisonTotals {
  readonly records: number;
  readonly equal: number;
}

interface Importable {
  readonly ids: number[];
  readonly contributors: Set<number>;
  /** Those that have gone from the old site and are moved to the trash. */
  readonly gone: number;
}

/** `origin` is that of the old site. Returns how many records were moved to the trash. */
export async function importStaged(
  { database, files }: Target,
  staging: Staging,
  origin: string,
  report: (finding: Finding) => void,
): Promise<{ imported: number; trashed: number }> {
  const { ids, contributors, gone } = await findImportable(database, staging, origin, report);
  for (const id of await findOtherLastNames(database, staging.lastNames)) contributors.add(id);
  if (contributors.size > 0)
    await importDump(database, files, new URL(origin).host, toBytes(linesOf(staging, ids, contributors)));
  return { imported: ids.length - gone, trashed: gone };
}

async function findImportable(
  database: Database,
  staging: Staging,
  origin: string,
  report: (finding: Finding) => void,
): Promise<Importable> {
  const compare = createComparer(database, origin);
  const ids: number[] = [];
  const contributors = new Map<number, string | undefined>();
  let gone = 0;
  for (const chunk of staging.chunks()) {
    for (const { staged, isPresent, differences } of await compare(chunk)) {
      const { id } = staged.record;
      if (staged.hasGone ? !isPresent : differences.length === 0) continue;
      const contributor = parseContributor(staged.record).id;
      if (!contributors.has(contributor))
        contributors.set(contributor, findContributorProblem(staging, contributor));
      const problem = contributors.get(contributor) ?? findProblem(staged);
      if (problem !== undefined) {
        report({ id, problem: `The gallery cannot hold it: ${problem}` });
        continue;
      }
      if (staged.hasGone) {
        gone++;
        report({ id, problem: 'It has gone from the old site and is in the trash.' });
      }
      ids.push(id);
    }
  }
  const importable = [...contributors].filter(([, problem]) => problem === undefined);
  return { ids, contributors: new Set(importable.map(([id]) => id)), gone };
}

const lastNameColumns = pick(fullContributorColumns, 'id', 'full_last_name');

/** Contributors of the gallery whose last name is not the one that the old site sorts by. */
async function findOtherLastNames(
  database: Database,
  lastNames: ReadonlyMap<number, string>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const ids of chunks([...lastNames.keys()])) {
    const rows = await all(database, lastNameColumns)`from contributor where id in (${join(ids)})`;
    for (const { id, full_last_name } of rows) if (full_last_name !== lastNames.get(id)) found.push(id);
  }
  return found;
}

function findContributorProblem(staging: Staging, id: number): string | undefined {
  const contributor = staging.findContributor(id);
  const line = toContributorLine(contributor, contributor.created);
  return 'problem' in line ? line.problem : undefined;
}

function findProblem({ record, contentType }: StagedRecord): string | undefined {
  const line = toProjectLine(record, contentType);
  return 'problem' in line ? line.problem : undefined;
}

/** Contributors first, then projects in the order of their ids, so that most sources come before their copies. */
function* linesOf(
  staging: Staging,
  ids: readonly number[],
  contributors: ReadonlySet<number>,
): Generator<string> {
  const at = now();
  for (const id of contributors) {
    const contributor = staging.findContributor(id);
    yield requireLine(toContributorLine(contributor, contributor.created));
  }
  for (const chunk of staging.chunksOf(ids))
    for (const { record, contentType, hasGone } of chunk)
      yield requireLine(toProjectLine(record, contentType, hasGone ? at : undefined));
}

function requireLine(line: ReturnType<typeof toProjectLine>): string {
  if ('problem' in line) throw new Error(line.problem);
  return line.line;
}

async function* toBytes(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const line of lines) yield encoder.encode(`${line}\n`);
}

/** Reads every record back from the gallery and compares it with what the old site said. */
export async function compareRecords(
  database: Database,
  staging: Staging,
  origin: string,
  report: (finding: Finding) => void,
): Promise<ComparisonTotals> {
  const compare = createComparer(database, origin);
  let records = 0;
  let equal = 0;
  for (const chunk of staging.chunks()) {
    for (const { staged, isPresent, differences } of await compare(chunk.filter(({ hasGone }) => !hasGone))) {
      records++;
      if (differences.length === 0) equal++;
      const { id } = staged.record;
      if (isPresent) for (const difference of differences) report({ id, ...difference });
      else report({ id, problem: 'The gallery does not have it.' });
    }
  }
  for (const { id, member } of staging.listTooLarge()) {
    records++;
    report({
      id,
      problem: `The gallery cannot hold it: ${member} is above ${Number.MAX_SAFE_INTEGER}.`,
    });
  }
  return { records, equal };
}
