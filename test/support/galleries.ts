// Galleries for tests, empty or with a dump. A dump that a test has used before is not imported again: on SQLite, the next
// test gets a copy of the file; on PostgreSQL, see postgres-gallery.ts.

import { cpSync, existsSync, rmSync } from 'node:fs';
import type { Database } from '#sql';
import { createFolderStore } from '../../src/core/files/folder.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { closeLater } from './closing.ts';
import { copyDatabase, emptyDatabase, filesFolder, type Kind, newName } from './databases.ts';
import { PostgresGallery } from './postgres-gallery.ts';

/** Those that no running test uses, the last used at the end. */
const idle: PostgresGallery[] = [];

/** Creates an empty gallery with the current schema and returns its address. */
export async function emptyGallery(kind: Kind): Promise<string> {
  if (kind === 'SQLite') return copyDatabase(kind, await sqliteTemplate(''));
  const gallery = await takeIdle(undefined);
  await gallery.close();
  return gallery.address;
}

export interface OpenGallery {
  readonly address: string;
  readonly database: Database;
  /** Closes the database before the end of the test. */
  close(): Promise<void>;
}

/** A gallery with this dump and its files, or an empty one, for one test. */
export function galleryWith(
  kind: Kind,
  dump: string,
  reportError: (error: unknown) => void,
): Promise<OpenGallery> {
  return kind === 'SQLite' ? sqliteGalleryWith(dump, reportError) : postgresGalleryWith(dump, reportError);
}

/** The states of the dumps that were used. */
const usedDumps = new Set<string>();
/** Of large dumps, a copy takes as long as an import. */
const maxSavedLength = 1_000_000;
const stateOf = (dump: string) => String(Bun.hash(dump));

/** Whether the state with this dump is worth saving: it is used for the second time. */
function isUsedAgain(dump: string): boolean {
  const state = stateOf(dump);
  if (usedDumps.has(state)) return dump.length <= maxSavedLength;
  usedDumps.add(state);
  return false;
}

const importInto = (database: Database, address: string, dump: string) =>
  importDump(
    database,
    createFolderStore(filesFolder(address)),
    'the dump of the test',
    new Blob([dump]).stream(),
  );

const sqliteTemplates = new Map<string, Promise<string>>();

/** A file with this dump, to be copied. */
function sqliteTemplate(dump: string): Promise<string> {
  const state = stateOf(dump);
  let template = sqliteTemplates.get(state);
  if (!template) {
    template = createSqliteTemplate(dump);
    sqliteTemplates.set(state, template);
  }
  return template;
}

async function createSqliteTemplate(dump: string): Promise<string> {
  const address = dump
    ? await copyDatabase('SQLite', await sqliteTemplate(''))
    : await emptyDatabase('SQLite');
  const database = await openGallery(address);
  if (dump) await importInto(database, address, dump);
  await database.close();
  return address;
}

async function sqliteGalleryWith(dump: string, reportError: (error: unknown) => void): Promise<OpenGallery> {
  const isSaved = dump !== '' && isUsedAgain(dump);
  const template = await sqliteTemplate(isSaved ? dump : '');
  const address = await copyDatabase('SQLite', template);
  if (isSaved) copyFiles(filesFolder(template), filesFolder(address));
  const database = await openGallery(address, reportError);
  const close = () => database.close();
  closeLater(close);
  if (dump && !isSaved) await importInto(database, address, dump);
  return { address, database, close };
}

async function postgresGalleryWith(
  dump: string,
  reportError: (error: unknown) => void,
): Promise<OpenGallery> {
  const state = dump === '' ? undefined : stateOf(dump);
  const gallery = await takeIdle(state);
  const { address } = gallery;
  const savedFiles = `${filesFolder(address)}.saved`;
  if (gallery.savedState !== undefined) copyFiles(savedFiles, filesFolder(address));
  const database = await gallery.open(reportError);
  if (dump && gallery.savedState === undefined) {
    const isSaved = isUsedAgain(dump);
    await importInto(database, address, dump);
    if (isSaved) {
      await gallery.save(stateOf(dump));
      copyFiles(filesFolder(address), savedFiles);
    }
  }
  return { address, database, close: () => gallery.close() };
}

/** A gallery in this state, or else an empty one. When the test ends, the next test may use it. */
async function takeIdle(state: string | undefined): Promise<PostgresGallery> {
  const wanted = [state, undefined].map((saved) => idle.findIndex(({ savedState }) => savedState === saved));
  const index = wanted.find((found) => found >= 0) ?? (idle.length > maxIdle ? 0 : -1);
  const gallery = index < 0 ? await PostgresGallery.create(newName()) : idle.splice(index, 1)[0];
  if (!gallery) throw new Error('there is no idle gallery');
  await gallery.putBack(state);
  closeLater(async () => {
    rmSync(filesFolder(gallery.address), { recursive: true, force: true });
    idle.push(gallery);
  });
  return gallery;
}

/** With more idle galleries, the one that was not used for longest is emptied for another dump. */
const maxIdle = 3;

function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}
