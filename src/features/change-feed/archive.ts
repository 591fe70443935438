// Moves the oldest changes into files, all but their records: what may have to be erased stays in the database, and so does
// what is shown to people or needed later. See docs/decisions/0104-archived-changes.md.

import sql, { join, type Sql } from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import {
  addHashes,
  all,
  type Database,
  execute,
  first,
  hashChange,
  hashedColumns,
  maxSequentialId,
  type Row,
  type Transaction,
  text,
} from '#sql';
import { allTables } from '../../core/all-tables.ts';
import { findLastArchive } from '../../core/changes/head.ts';
import { changeArchiveTable, changeTable } from '../../core/changes/tables.ts';
import { once } from '../../core/feature.ts';
import { expectReference, isAnyMissing } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import { type Instant, now } from '../../core/instant.ts';
import type { Confirm } from '../../core/jobs/jobs.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { FeedPage } from '../../projects/changes/change-feed.ts';
import { VisibleRange } from '../../projects/changes/visible-range.ts';
import { formatChangeLine, parseChangeLine } from '../../projects/dump/change-line.ts';
import { redactedRecord } from '../../projects/history/history.ts';
import { findKeptChanges } from '../../projects/hooks.ts';
import type { AppliedFilters } from '../../projects/reading/tagged-projects.ts';

type Gallery = { readonly database: Database; readonly files: FileStore };
type ArchiveFile = Row<typeof changeArchiveTable>;

/** Each file has as many: of two processes that wrote the same changes, one would fail. */
export const changesPerFile = 10_000;
const filesPerRun = 1000;

const highestSubject = (kind: string) => sql`kind = ${kind} and subject = (
    select max(subject) from change where kind = ${kind} and subject < ${maxSequentialId})`;
const loggedKinds = () => allTables().flatMap(({ loggedAs }) => loggedAs ?? []);

/** Changes that features need, and the last ids, which are not given again. Versions stay too. */
const stays = once(
  () => sql`kind = 'project' and (${join([sql`1 = 0`, ...findKeptChanges()], ' or ')})
  or ${join(loggedKinds().map(highestSubject), ' or ')}`,
);

declare module '../../core/feature.ts' {
  interface Feature {
    readonly archive?: {
      /** A query for the numbers of changes up to which it needs none any more. */
      readonly settled: Sql;
      /** Before the changes up to this one are moved. */
      beforeMove(transaction: Transaction, last: number): Promise<void>;
    };
  }
}

const followers = once((features) => features.flatMap(({ archive = [] }) => archive));

/** Up to there, deleted texts were overwritten, and no feature needs the changes any more. */
const settled = once(
  () =>
    sql`(select min(number) from (${join(
      [sql`select sequence as number from overwritten`, ...followers().map((one) => one.settled)],
      ' union all ',
    )}) as settled)`,
);

/** Moves the changes that are older than so many milliseconds. Returns the number of files. */
export async function archiveChanges(gallery: Gallery, keepMs: number, confirm: Confirm): Promise<number> {
  const until = now() - keepMs * 1000;
  for (let count = 0; count < filesPerRun; count++) {
    await confirm();
    const startedAt = performance.now();
    if (!(await archiveNext(gallery, until))) return count;
    // Other writes get at least half of the time.
    await Bun.sleep(performance.now() - startedAt);
  }
  return filesPerRun;
}

/** A file says where a version was, but has none. */
const archivedColumns = {
  ...changeTable.columns,
  record: text(sql`case when record = '' then '' else ${redactedRecord} end`),
};

/** False if there are too few old changes. A kill before the commit leaves a file that nothing refers to. */
async function archiveNext({ database, files }: Gallery, until: Instant): Promise<boolean> {
  const previous = await findLastArchive(database);
  const changes = await all(database, archivedColumns)`from change where sequence > ${previous?.last ?? 0}
    and sequence <= ${settled()} order by sequence limit ${changesPerFile}`;
  const [begin, end] = [changes[0], changes[changesPerFile - 1]];
  if (!begin || !end || changes.some(({ at }) => at >= until)) return false;
  const [first, last] = [begin.sequence, end.sequence];
  const isWhole = last - (previous?.last ?? first - 1) === changesPerFile;
  if (!isWhole || addHashes(changes, previous?.change_hash ?? '').at(-1)?.hash !== end.hash)
    throw new OperatorError(`The change log is broken after change ${first - 1}: see vitrine check.`);
  const lines = changes.map((change) => `${formatChangeLine(change)}\n`);
  const versions = changes.filter(({ record }) => record !== '').map(({ sequence }) => sequence);
  const content = await Bun.zstdCompress(lines.join(''));
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex');
  await expectReference(database, [hash]);
  await files.put(hash, content);
  await database.transaction(async (transaction) => {
    const file = { last, first, hash, bytes: content.length, change_hash: end.hash };
    await transaction.insert(changeArchiveTable, [file]);
    for (const { beforeMove } of followers()) await beforeMove(transaction, last);
    // Also a version that was erased since it was read, because the file says that it is there.
    await execute(transaction)`delete from change where sequence between ${first} and ${last}
      and sequence not in (${join([0, ...versions])}) and not (${stays()})`;
  });
  return true;
}

/** None if the file is damaged. */
async function readLines(files: FileStore, { hash, bytes }: ArchiveFile): Promise<string[]> {
  const content = await files.read(hash, 0, bytes);
  if (new Bun.CryptoHasher('sha256').update(content).digest('hex') !== hash) return [];
  return new TextDecoder()
    .decode(await Bun.zstdDecompress(content))
    .trimEnd()
    .split('\n');
}

const maxScanned = 1000;

/** As `listChangesSince`, from the archive: each viewer sees the same of it. */
export async function listArchivedSince(
  { database, files }: Gallery,
  viewer: Viewer,
  since: number,
  limit: number,
  filters: AppliedFilters,
): Promise<FeedPage> {
  const file = await first(database, changeArchiveTable.columns)`from change_archive
    where last > ${since} order by last limit 1`;
  if (!file) return { entries: [], last: since, reached: since, hasMore: false };
  const start = Math.max(since + 1 - file.first, 0);
  const scanned = (await readLines(files, file)).slice(start, start + maxScanned).map(parseChangeLine);
  const visible = await new VisibleRange(database.slowReader, scanned).entriesFor(viewer, filters);
  const entries = visible.slice(0, limit);
  const end = (visible.length > limit ? entries : scanned).at(-1);
  if (!end) throw new Error(`the file ${file.hash} is damaged`);
  return { entries, last: end.sequence, reached: end.sequence, hasMore: true };
}

/** Sentences about files that are missing, damaged, or not in a chain with each other and with what the database has. */
export async function checkArchive({ database, files }: Gallery): Promise<string[]> {
  const problems: string[] = [];
  let previous: ArchiveFile | undefined;
  for await (const batch of readTable(database, changeArchiveTable, changeArchiveTable.columns, sql`1 = 1`))
    for (const file of batch) {
      const { first, last, hash, change_hash } = file;
      const lines = (await isAnyMissing(files, [file])) ? [] : await readLines(files, file);
      const changes = lines.map(parseChangeLine);
      const isChained = addHashes(changes, previous?.change_hash ?? '').at(-1)?.hash === change_hash;
      if (!isChained)
        problems.push(`the file ${hash} with the changes ${first} to ${last} is missing or damaged`);
      const range = sql`from change where sequence between ${first} and ${last}`;
      const rows = new Map((await all(database, hashedColumns)`${range}`).map((row) => [row.sequence, row]));
      const isRight = (change: (typeof changes)[number]) => {
        const row = rows.get(change.sequence);
        return row ? hashChange('', row) === hashChange('', change) : change.record === '';
      };
      if (isChained && !changes.every(isRight))
        problems.push(`the database lacks or altered versions among the changes ${first} to ${last}`);
      previous = file;
    }
  return problems;
}
