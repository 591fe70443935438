// Copies the files that a backup lacks. One large file or a few small ones are in memory at a time.

import type { FileStore } from '../../core/files/store.ts';

export interface BackedUpFile {
  readonly hash: string;
  readonly bytes: number;
}

const maxSmallBytes = 1024 * 1024;
const maxSmallAtOnce = 8;

interface CopyResult {
  copied: number;
  /** Files that the source has lost, or whose content is damaged there. */
  readonly lost: BackedUpFile[];
}

/** With `always`, files that the target has are written again. */
export async function copyFiles(
  source: FileStore,
  target: FileStore,
  files: readonly BackedUpFile[],
  { always = false }: { readonly always?: boolean } = {},
): Promise<CopyResult> {
  const result: CopyResult = { copied: 0, lost: [] };
  await forEachFile(files, async (file) => {
    const { hash, bytes } = file;
    if (!always && (await target.size(hash)) === bytes) return;
    const content = (await source.size(hash)) === bytes ? await source.read(hash, 0, bytes) : undefined;
    if (!content || new Bun.CryptoHasher('sha256').update(content).digest('hex') !== hash)
      return void result.lost.push(file);
    await target.put(hash, content);
    result.copied++;
  });
  return result;
}

/** Small files together, as a bucket takes long to respond; large ones one after another, because of the memory. */
export async function forEachFile<File extends { readonly bytes: number }>(
  files: readonly File[],
  work: (file: File) => Promise<void>,
): Promise<void> {
  const groups = [
    { files: files.filter(({ bytes }) => bytes <= maxSmallBytes), atOnce: maxSmallAtOnce },
    { files: files.filter(({ bytes }) => bytes > maxSmallBytes), atOnce: 1 },
  ];
  for (const { files: group, atOnce } of groups) {
    const rest = group.values();
    const worker = async () => {
      for (const file of rest) await work(file);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}
