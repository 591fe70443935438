// Exports the whole gallery as a dump from one snapshot.

import sql, { empty, join } from 'sql-template-tag';
import { type Database, integer, type Reader, select } from '#sql';
import { generateBytesLines } from '../../core/dump/file-content.ts';
import { FrameWriter } from '../../core/dump/frame.ts';
import type { FileStore } from '../../core/files/store.ts';
import type { ExportFile } from '../../projects/dump/kind.ts';
import { loadLineKinds } from '../../projects/dump/line-kinds.ts';

const loadExporters = async () =>
  (await loadLineKinds())
    .flatMap(({ exporter }) => exporter ?? [])
    .toSorted((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false));

type WriteLines = (lines: string, count: number) => Promise<void>;

/** Passes whole lines to `write` and waits for it, so that reading is not faster than writing. */
export function exportDump(database: Database, files: FileStore, write: WriteLines): Promise<number> {
  return database.snapshot(async (reader) => {
    const counts = await writeDump(reader, (file) => generateBytesLines(files, file), write);
    return Object.values(counts).reduce((sum, count) => sum + count, 2);
  });
}

/** `reader` is a snapshot. Returns how many lines there are of each type. */
export async function writeDump(
  reader: Reader,
  exportFile: ExportFile,
  write: WriteLines,
): Promise<Readonly<Record<string, number>>> {
  const frame = new FrameWriter();
  await write(frame.begin(), 1);
  for (const exporter of await loadExporters())
    for await (const lines of exporter.exportLines(reader, exportFile))
      await write(frame.join(lines), lines.length);
  await write(frame.end(), 1);
  return frame.counts;
}

/** An estimate of the number of lines, for the progress display. */
export async function estimateLineCount(database: Database): Promise<number> {
  const counts = (await loadExporters()).map(({ count }) => sql`(${count})`);
  const columns = { count: integer(join(counts, ' + ')) };
  return (await database.first(select(columns, empty)))?.count ?? 0;
}
