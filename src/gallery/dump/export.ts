// Writes the whole gallery as a dump, as it was at one moment: contributors before what is theirs, all by id.

import sql from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import type { Contributor } from '../contributors/contributor.ts';
import type { Project } from '../projects/project.ts';
import { type AccountLine, formatLine, type KeyLine } from './line.ts';

const batchSize = 1000;

/** Hands over text of whole lines; the writer's promise holds the reading back. */
export function exportDump(
  database: Database,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  return database.snapshot(async (reads) => {
    const contributors = await inBatches<Contributor>(
      (last) =>
        reads.all(
          sql`select id, username, first_name, last_name, created from contributor where id > ${last} order by id limit ${batchSize}`,
        ),
      (row) => formatLine({ type: 'contributor', ...row }),
      write,
    );
    const accounts = await inBatches<AccountRow>(
      (last) =>
        reads.all(
          sql`select contributor as id, role, password, disabled from account where contributor > ${last} order by contributor limit ${batchSize}`,
        ),
      ({ id, ...row }) => formatLine({ type: 'account', contributor: id, ...row }),
      write,
    );
    const keys = await inBatches<KeyRow>(
      (last) =>
        reads.all(
          sql`select id, contributor, name, hash, writes, created, expires, used from api_key where id > ${last} order by id limit ${batchSize}`,
        ),
      ({ writes, ...row }) => formatLine({ type: 'key', ...row, access: writes ? 'write' : 'read' }),
      write,
    );
    const projects = await inBatches<Project>((last) => projectsBehind(reads, last), projectLine, write);
    return contributors + accounts + keys + projects;
  });
}

type AccountRow = Pick<AccountLine, 'role' | 'password' | 'disabled'> & { id: number };
type KeyRow = Omit<KeyLine, 'type' | 'access'> & { writes: number };

/** How many lines there will be, as far as can be told before. */
export async function countLines(database: Database): Promise<number> {
  const row = await database.first<{ count: number }>(
    sql`select (select count(*) from contributor) + (select count(*) from account)
          + (select count(*) from api_key) + (select coalesce(sum(count), 0) from tally) as count`,
  );
  return row?.count ?? 0;
}

async function inBatches<Row extends { id: number }>(
  read: (last: number) => Promise<Row[]>,
  format: (row: Row) => string,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  let written = 0;
  let last = 0;
  while (true) {
    const rows = await read(last);
    const end = rows.at(-1);
    if (!end) return written;
    let lines = '';
    for (const row of rows) lines += `${format(row)}\n`;
    await write(lines, rows.length);
    written += rows.length;
    last = end.id;
  }
}

function projectsBehind(reads: Reads, last: number): Promise<Project[]> {
  return reads.all<Project>(
    sql`select id, uuid, slug, title, content_type, contributor, copied_from, parent, link, visibility, status, tags, text,
          rating_count, rating_sum, karma, created, modified
        from project where id > ${last} order by id limit ${batchSize}`,
  );
}

function projectLine({ tags, parent, link, ...project }: Project): string {
  return formatLine({
    ...project,
    type: 'project',
    tags: tags === '' ? [] : tags.split(', '),
    parent: parent ?? undefined,
    link: link ?? undefined,
  });
}
