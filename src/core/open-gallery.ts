import { statSync } from 'node:fs';
import { OperatorError } from '#common/errors.ts';
import { ownMemory } from '#common/shared-memory.ts';
import type { Database, DatabaseDependencies } from '#sql';
import { isOnServer, openDatabase } from '#sql/open';
import { hashAllChanges } from './changes/change-hash.ts';
import { invalidationOf } from './changes/change-kinds.ts';
import { rebuildNameKeys } from './contributors/search.ts';
import { once } from './feature.ts';
import { createFolderStore } from './files/folder.ts';
import { defaultFolder } from './files/open-store.ts';
import { isFileName } from './files/store.ts';
import { runJob } from './jobs/jobs.ts';
import { schema } from './schema.ts';

export type OpenOptions = Partial<
  Pick<DatabaseDependencies, 'copying' | 'earlierSchema' | 'memory' | 'mustExist' | 'notify' | 'replicas'>
>;

type Rebuilds = DatabaseDependencies['rebuilds'];

declare module './feature.ts' {
  interface Feature {
    /** Make data anew that is derived from other data, after a migration. */
    readonly rebuilds?: Rebuilds;
  }
}

const rebuilds = once(
  (features): Rebuilds =>
    Object.assign(
      { nameKeys: rebuildNameKeys, changeHashes: hashAllChanges },
      ...features.map((one) => one.rebuilds),
    ),
);

/**
 * Opens the gallery's database; migrations use the given functions to rebuild derived data. Only the server and `vitrine migrate`
 * migrate. `reportError` receives errors that fail no read or write.
 */
export async function openGallery(
  address: string,
  reportError: (error: unknown) => void = console.error,
  { memory = ownMemory(), notify = console.error, ...options }: OpenOptions = {},
): Promise<Database> {
  if (!options.earlierSchema && !isOnServer(address)) requireOwner(address);
  return openDatabase(address, {
    schema,
    rebuilds: rebuilds(),
    runAlone,
    invalidationOf,
    reportError,
    notify,
    memory,
    earlierSchema: 'refused',
    ...options,
  });
}

/**
 * Before a new gallery begins: files that have no database are of one whose disk is missing, or whose database was cut. A restore and an
 * import may bring it back.
 */
export async function requireNoLostGallery(database: string): Promise<void> {
  if (isOnServer(database) || statSync(database, { throwIfNoEntry: false })?.size) return;
  const folder = defaultFolder(database);
  for await (const names of createFolderStore(folder).listOld(Number.POSITIVE_INFINITY))
    if (names.some(isFileName))
      throw new OperatorError(
        `${database} is missing or empty, but ${folder} has the files of a gallery: see that its disk is there, restore a backup, or set the folder aside.`,
      );
}

/** The user of the server cannot read files that root writes. A server may run as root, in a container. */
function requireOwner(path: string): void {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner !== 0 && process.getuid?.() === 0)
    throw new OperatorError(
      `The gallery ${path} belongs to the user with the number ${owner}: run the command as that user, with sudo -u '#${owner}', or as vitrine-admin if it is the Debian package's.`,
    );
}

const runAlone: NonNullable<DatabaseDependencies['runAlone']> = async (database, work) => {
  while ((await runJob(database, 'migration', 0, work)) === 'running') await Bun.sleep(250);
};
