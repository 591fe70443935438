// Stores files in a folder, in subfolders named by the first two letters of the file names. A file gets its name when it
// is complete and on disk; until then it is in `unfinished`.

import fs, { constants, existsSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, OperatorError, systemReason, toStorageFailure, withPath } from '#common/errors.ts';
import { privateFileMode, privateFolderMode } from '#common/private-files.ts';
import { type FileStore, isFileName } from './store.ts';

const unfinishedFolder = 'unfinished';
const batchSize = 500;
const writableMs = 1000;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the folder, so that a place where that fails is reported at once. */
export async function openFolderStore(folder: string): Promise<FileStore> {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new OperatorError(`The place for files ${folder} is not a folder.`);
  if (!stats && !existsSync(dirname(folder)))
    throw new OperatorError(`The folder above the place for files ${folder} does not exist.`);
  try {
    await createFolder(join(folder, unfinishedFolder));
    fs.accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorCode(error) === 'EROFS' ? systemReason(error) : 'check who may write there';
    throw new OperatorError(`The place for files ${folder} cannot be written: ${reason}.`);
  }
  return createFolderStore(folder);
}

/** Does not check the folder: a command that only reads needs no write permission. */
export const createFolderStore = (folder: string): FileStore => new FolderStore(folder);

class FolderStore implements FileStore {
  /** When the folders could be written, as far as that is known. */
  #writableAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly folder: string) {}

  async put(name: string, content: Uint8Array | Blob): Promise<void> {
    const target = this.#pathOf(name);
    const unfinishedPath = join(this.folder, unfinishedFolder, crypto.randomUUID());
    try {
      for (const path of [unfinishedPath, target]) await createFolder(dirname(path));
      const handle = await open(unfinishedPath, 'wx', privateFileMode);
      try {
        await withPath(
          target,
          handle.writeFile(content instanceof Blob ? content.stream() : content).then(() => handle.sync()),
        );
      } finally {
        await handle.close();
      }
      await rename(unfinishedPath, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await rm(unfinishedPath, { force: true }).catch(() => {});
      throw toStorageFailure(error);
    }
  }

  /**
   * Also of the folders below, which a command of another user may have made. Looking at all of them takes a millisecond, and anybody
   * may ask: once a second is enough.
   */
  requireWritable(): void {
    const now = performance.now();
    // It is made with the first file.
    if (now - this.#writableAt < writableMs || !existsSync(this.folder)) return;
    const below = readdirSync(this.folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const folder of [this.folder, ...below.map(({ name }) => join(this.folder, name))])
      fs.accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    this.#writableAt = now;
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(name))).size;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw toStorageFailure(error);
    }
  }

  stream(name: string, start: number, end: number): Blob {
    return Bun.file(this.#pathOf(name)).slice(start, end);
  }

  async read(name: string, start: number, end: number): Promise<Uint8Array> {
    try {
      return await this.stream(name, start, end).bytes();
    } catch (error) {
      throw toStorageFailure(error);
    }
  }

  async *listOld(before: number): AsyncGenerator<string[]> {
    if (!existsSync(this.folder)) return;
    for (const subfolder of await readdir(this.folder)) {
      const names = await readdir(join(this.folder, subfolder)).catch(() => []);
      const isOld = (name: string) =>
        isOwnFile(subfolder, name) && isOlderThan(join(this.folder, subfolder, name), before) === true;
      const old = names.filter(isOld);
      for (let start = 0; start < old.length; start += batchSize) yield old.slice(start, start + batchSize);
    }
  }

  /** The time is checked together with the removal: the file may be put again at any moment. */
  async removeOld(name: string, before: number): Promise<boolean> {
    const path = this.#pathOf(name);
    try {
      const isOld = isOlderThan(path, before);
      if (isOld) unlinkSync(path);
      return isOld ?? true;
    } catch (error) {
      throw toStorageFailure(error);
    }
  }

  #pathOf(name: string): string {
    return join(this.folder, uuidPattern.test(name) ? unfinishedFolder : name.slice(0, 2), name);
  }
}

/** The operator may have chosen a folder that holds other files too. */
function isOwnFile(subfolder: string, name: string): boolean {
  if (subfolder === unfinishedFolder) return uuidPattern.test(name);
  return isFileName(name) && name.slice(0, 2) === subfolder;
}

/** Undefined if there is no such file. */
function isOlderThan(path: string, timeMs: number): boolean | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.mtimeMs < timeMs : undefined;
}

async function createFolder(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode: privateFolderMode });
  if (created) await syncFolder(dirname(created));
}

/** A file's name is on disk only after its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
