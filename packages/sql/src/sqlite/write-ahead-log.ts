// The write-ahead log of a file. What a transaction wrote and did not commit stays at its end, and keeps a full disk full: SQLite
// itself cuts it off only after a checkpoint, for which the file must grow.

import type { Database as Connection } from 'bun:sqlite';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { isBusy, pragmas } from './connection.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;

/** Without waiting for readers of older pages: then it returns false, and those pages are overwritten later. */
export function emptyWriteAheadLog(connection: Connection): boolean {
  connection.run('pragma busy_timeout = 0');
  try {
    const result = connection.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').get();
    return result?.busy === 0;
  } finally {
    connection.run(pragmas());
  }
}

/** Cuts off what is after the last commit, unless somebody writes. Needs no room on the disk, and disturbs nobody who reads. */
export function cutWriteAheadLog(path: string, connection: Connection): void {
  connection.run('pragma busy_timeout = 0');
  try {
    connection.run('begin immediate');
    const file = openSync(`${path}-wal`, 'r+');
    try {
      const end = findEndOfCommits(file);
      if (end < fstatSync(file).size) ftruncateSync(file, end);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    if (connection.inTransaction) connection.run('rollback');
    connection.run(pragmas());
  }
}

/** A frame has the header of the log's generation (its salts), and the size of the database if it ends a commit. */
function findEndOfCommits(file: number): number {
  const { size } = fstatSync(file);
  if (size < headerBytes) return size;
  const header = Buffer.alloc(headerBytes);
  readSync(file, header, 0, headerBytes, 0);
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
  const salts = header.subarray(16, 24);
  const frame = Buffer.alloc(frameHeaderBytes);
  let end = headerBytes;
  for (let start = headerBytes; start + frameBytes <= size; start += frameBytes) {
    readSync(file, frame, 0, frameHeaderBytes, start);
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (frame.readUInt32BE(4) !== 0) end = start + frameBytes;
  }
  return end;
}
