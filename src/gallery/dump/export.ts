// Exports the whole gallery as a dump from one snapshot.

import sql, { empty, join } from 'sql-template-tag';
import { integer } from '../../database/columns.ts';
import type { Database } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import type { FileStore } from '../../files/open.ts';
import { FrameWriter } from './frame.ts';
import { lineKinds } from './kinds/index.ts';

const exporters = lineKinds
  .flatMap(({ exporter }) => exporter ?? [])
  .toSorted((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false));

/** Passes whole lines to `write` and waits for it, so that reading is not faster than writing. */
export function exportDump(
  database: Database,
  files: FileStore,
  write: (lines: string, count: number) => Promise<void>,
): Promise<number> {
  return database.snapshot(async (reader) => {
    const frame = new FrameWriter();
    let written = 2;
    await write(frame.begin(), 1);
    for (const exporter of exporters) {
      for await (const lines of exporter.exportLines(reader, files)) {
        await write(frame.join(lines), lines.length);
        written += lines.length;
      }
    }
    await write(frame.end(), 1);
    return written;
  });
}

/** An estimate of the number of lines, for the progress display. */
export async function estimateLineCount(database: Database): Promise<number> {
  const counts = exporters.map(({ count }) => sql`(${count})`);
  const columns = { count: integer(join(counts, ' + ')) };
  return (await database.first(select(columns, empty)))?.count ?? 0;
}
