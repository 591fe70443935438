// Writes the whole gallery as a dump, as it was at one moment: contributors before what is theirs, all by id.

import sql from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import type { Files } from '../../files/open.ts';
import type { Contributor } from '../contributors/contributor.ts';
import type { Decision } from '../moderation/decision.ts';
import type { Report } from '../moderation/report.ts';
import { lineOf, type Stored } from '../projects/stored.ts';
import { isErased } from '../projects/visible.ts';
import type { Rating } from '../ratings/rating.ts';
import { type AccountLine, formatLine, type KeyLine } from './line.ts';
import { mediaLines } from './media-lines.ts';

const batchSize = 1000;

/** Hands over text of whole lines; the writer's promise holds the reading back. */
export function exportDump(
  database: Database,
  files: Files,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  return database.snapshot(async (reads) => {
    let written = 0;
    for (const { behind, line } of parts(reads)) written += await inBatches(behind, line, write);
    // By themselves, as each may be long.
    for await (const line of mediaLines(reads, files)) {
      await write(`${line}\n`, 1);
      written++;
    }
    return written;
  });
}

interface Part<Row> {
  /** The next rows behind one, in an order of their own. */
  behind(last: Row | undefined): Promise<Row[]>;
  line(row: Row): string;
}

const part = <Row>(definition: Part<Row>) => definition as Part<unknown>;

/** In the order in which they are read back: what others speak of comes before them. */
function parts(reads: Reads): Part<unknown>[] {
  return [
    part<Contributor>({
      behind: (last) =>
        reads.all(
          sql`select id, username, first_name, last_name, created from contributor
              where id > ${last?.id ?? 0} order by id limit ${batchSize}`,
        ),
      line: (row) => formatLine({ type: 'contributor', ...row }),
    }),
    part<Omit<AccountLine, 'type'>>({
      behind: (last) =>
        reads.all(
          sql`select contributor, role, password, disabled from account
              where contributor > ${last?.contributor ?? 0} order by contributor limit ${batchSize}`,
        ),
      line: (row) => formatLine({ type: 'account', ...row }),
    }),
    part<Omit<KeyLine, 'type' | 'access'> & { writes: number }>({
      behind: (last) =>
        reads.all(
          sql`select id, contributor, name, hash, writes, created, expires, used from api_key
              where id > ${last?.id ?? 0} order by id limit ${batchSize}`,
        ),
      line: ({ writes, ...row }) => formatLine({ type: 'key', ...row, access: writes ? 'write' : 'read' }),
    }),
    part<Stored>({
      // What was purged from the trash leaves an empty row, which nobody misses.
      behind: (last) =>
        reads.all(
          sql`select * from project where id > ${last?.id ?? 0} and not ${isErased}
              order by id limit ${batchSize}`,
        ),
      line: lineOf,
    }),
    part<Rating>({
      behind: (last) =>
        reads.all(
          sql`select project, contributor, value, created, modified from rating
              where (project, contributor) > (${last?.project ?? 0}, ${last?.contributor ?? 0})
              order by project, contributor limit ${batchSize}`,
        ),
      line: (row) => formatLine({ type: 'rating', ...row }),
    }),
    part<Decision>({
      behind: (last) =>
        reads.all(sql`select * from decision where id > ${last?.id ?? 0} order by id limit ${batchSize}`),
      line: (row) => formatLine({ type: 'decision', ...row }),
    }),
    part<Report>({
      behind: (last) =>
        reads.all(sql`select * from report where id > ${last?.id ?? 0} order by id limit ${batchSize}`),
      line: (row) => formatLine({ type: 'report', ...row }),
    }),
  ];
}

/** How many lines there will be, as far as can be told before. */
export async function countLines(database: Database): Promise<number> {
  const row = await database.first<{ count: number }>(
    sql`select (select count(*) from contributor) + (select count(*) from account)
          + (select count(*) from api_key) + (select coalesce(sum(count), 0) from tally)
          + (select count(*) from rating) + (select count(*) from media)
          + (select count(*) from decision) + (select count(*) from report) as count`,
  );
  return row?.count ?? 0;
}

async function inBatches<Row>(
  behind: (last: Row | undefined) => Promise<Row[]>,
  format: (row: Row) => string,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  let written = 0;
  let last: Row | undefined;
  while (true) {
    const rows = await behind(last);
    last = rows.at(-1);
    if (last === undefined) return written;
    let lines = '';
    for (const row of rows) lines += `${format(row)}\n`;
    await write(lines, rows.length);
    written += rows.length;
  }
}
