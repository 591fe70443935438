// Files in a folder, spread over folders by the first two letters of their names. A file appears under its name when
// it is whole and on disk; until then it is in `unfinished`.

import { accessSync, constants, existsSync, statSync, unlinkSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError, StorageFull, Unavailable } from '../errors.ts';
import type { Files } from './open.ts';

const unfinished = 'unfinished';
const atOnce = 500;

/** The folder is made when there is something to put into it. */
export function openFolder(folder: string): Files {
  const present = statSync(folder, { throwIfNoEntry: false });
  if (present && !present.isDirectory())
    throw new OperatorError(`The place for files ${folder} is not a folder.`);
  if (!present && !existsSync(dirname(folder)))
    throw new OperatorError(`The folder above the place for files ${folder} does not exist.`);
  try {
    accessSync(present ? folder : dirname(folder), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new OperatorError(`The place for files ${folder} cannot be written: check who may write there.`);
  }
  return folderAt(folder);
}

/** The same without a look at it: whoever only reads need not be able to write there. */
export function folderAt(folder: string): Files {
  return new Folder(folder);
}

class Folder implements Files {
  constructor(private readonly folder: string) {}

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const target = this.#pathOf(name);
    const draft = join(this.folder, unfinished, crypto.randomUUID());
    try {
      for (const path of [draft, target]) {
        const made = await mkdir(dirname(path), { recursive: true });
        if (made) await syncFolder(dirname(made));
      }
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw translated(error);
    }
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(name))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw translated(error);
    }
  }

  stream(name: string, from: number, upTo: number): Blob {
    return Bun.file(this.#pathOf(name)).slice(from, upTo);
  }

  bytes(name: string, from: number, upTo: number): Promise<Uint8Array> {
    return this.stream(name, from, upTo).bytes();
  }

  async sweep(before: number, used: (names: string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    if (!existsSync(this.folder)) return;
    for (const shelf of await readdir(this.folder)) {
      const names = await readdir(join(this.folder, shelf)).catch(() => []);
      const pathOf = (name: string) => join(this.folder, shelf, name);
      const old = names.filter((name) => isOlder(pathOf(name), before));
      for (let start = 0; start < old.length; start += atOnce) {
        const some = old.slice(start, start + atOnce);
        const kept = shelf === unfinished ? new Set() : await used(some);
        // In one breath with the removal: it may have been put again while we asked.
        for (const name of some)
          if (!kept.has(name) && isOlder(pathOf(name), before)) unlinkSync(pathOf(name));
      }
    }
  }

  #pathOf(name: string): string {
    return join(this.folder, name.slice(0, 2), name);
  }
}

function isOlder(path: string, moment: number): boolean {
  const present = statSync(path, { throwIfNoEntry: false });
  return present?.isFile() === true && present.mtimeMs < moment;
}

/** A name is on disk when the folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function translated(error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A full disk, a quota that is used up, a limit of the process: there is no room.
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return new StorageFull({ cause: error });
  return syscall ? new Unavailable({ cause: error }) : error;
}
