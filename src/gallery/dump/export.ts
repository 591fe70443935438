// Exports the whole gallery as a dump from one snapshot: contributors before their projects, all ordered by id.

import sql from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import type { FileStore } from '../../files/open.ts';
import type { Contributor } from '../contributors/contributor.ts';
import type { Decision } from '../moderation/decision.ts';
import type { Report } from '../moderation/report.ts';
import { formatProjectLine, type ProjectRow } from '../projects/project-row.ts';
import { isErased } from '../projects/visibility.ts';
import type { Rating } from '../ratings/rating.ts';
import { type AccountLine, formatLine, type KeyLine } from './line.ts';
import { generateMediaLines } from './media-lines.ts';

const batchSize = 1000;

/** Passes whole lines to `write` and waits for it, so that reading is not faster than writing. */
export function exportDump(
  database: Database,
  files: FileStore,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  return database.snapshot(async (reader) => {
    let written = 0;
    for (const { loadAfter, format } of sections(reader))
      written += await writeInBatches(loadAfter, format, write);
    // One at a time, because each line may be long.
    for await (const line of generateMediaLines(reader, files)) {
      await write(`${line}\n`, 1);
      written++;
    }
    return written;
  });
}

interface DumpSection<Row> {
  /** The next rows after the last one, in the section's own order. */
  loadAfter(last: Row | undefined): Promise<Row[]>;
  format(row: Row): string;
}

const section = <Row>(definition: DumpSection<Row>) => definition as DumpSection<unknown>;

/** In the order in which they are imported: a row comes after the rows that it refers to. */
function sections(reader: Reader): DumpSection<unknown>[] {
  return [
    section<Contributor>({
      loadAfter: (last) =>
        reader.all(
          sql`select id, username, first_name, last_name, created from contributor
              where id > ${last?.id ?? 0} order by id limit ${batchSize}`,
        ),
      format: (row) => formatLine({ type: 'contributor', ...row }),
    }),
    section<Omit<AccountLine, 'type'>>({
      loadAfter: (last) =>
        reader.all(
          sql`select contributor, role, password, disabled from account
              where contributor > ${last?.contributor ?? 0} order by contributor limit ${batchSize}`,
        ),
      format: (row) => formatLine({ type: 'account', ...row }),
    }),
    section<Omit<KeyLine, 'type' | 'access'> & { writes: number }>({
      loadAfter: (last) =>
        reader.all(
          sql`select id, contributor, name, hash, writes, created, expires, used from api_key
              where id > ${last?.id ?? 0} order by id limit ${batchSize}`,
        ),
      format: ({ writes, ...row }) => formatLine({ type: 'key', ...row, access: writes ? 'write' : 'read' }),
    }),
    section<ProjectRow>({
      // Erased projects leave an empty row, which is not exported.
      loadAfter: (last) =>
        reader.all(
          sql`select * from project where id > ${last?.id ?? 0} and not ${isErased}
              order by id limit ${batchSize}`,
        ),
      format: formatProjectLine,
    }),
    section<Rating>({
      loadAfter: (last) =>
        reader.all(
          sql`select project, contributor, value, created, modified from rating
              where (project, contributor) > (${last?.project ?? 0}, ${last?.contributor ?? 0})
              order by project, contributor limit ${batchSize}`,
        ),
      format: (row) => formatLine({ type: 'rating', ...row }),
    }),
    section<Decision>({
      loadAfter: (last) =>
        reader.all(sql`select * from decision where id > ${last?.id ?? 0} order by id limit ${batchSize}`),
      format: (row) => formatLine({ type: 'decision', ...row }),
    }),
    section<Report>({
      loadAfter: (last) =>
        reader.all(sql`select * from report where id > ${last?.id ?? 0} order by id limit ${batchSize}`),
      format: (row) => formatLine({ type: 'report', ...row }),
    }),
  ];
}

/** An estimate of the number of lines, for the progress display. */
export async function estimateLineCount(database: Database): Promise<number> {
  const row = await database.first<{ count: number }>(
    sql`select (select count(*) from contributor) + (select count(*) from account)
          + (select count(*) from api_key) + (select coalesce(sum(count), 0) from tally)
          + (select count(*) from rating) + (select count(*) from media)
          + (select count(*) from decision) + (select count(*) from report) as count`,
  );
  return row?.count ?? 0;
}

async function writeInBatches<Row>(
  loadAfter: (last: Row | undefined) => Promise<Row[]>,
  format: (row: Row) => string,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  let written = 0;
  let last: Row | undefined;
  while (true) {
    const rows = await loadAfter(last);
    last = rows.at(-1);
    if (last === undefined) return written;
    let lines = '';
    for (const row of rows) lines += `${format(row)}\n`;
    await write(lines, rows.length);
    written += rows.length;
  }
}
