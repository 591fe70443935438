import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateFileMode } from './private-files.ts';

/** A file without a name: nothing of it is left when it is closed or the process ends. */
export async function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `vitrine-${crypto.randomUUID()}`);
  const file = await open(path, 'wx+', privateFileMode);
  await unlink(path);
  return file;
}
