// Databases for tests, of both kinds.

import { afterAll, beforeAll, describe } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beginScope, endScope } from './closing.ts';
import { memoryFolder, nameInRun } from './memory-folder.ts';
import { closePostgres, onPostgres, postgresAddress, run } from './shared-postgres.ts';

export type Kind = 'SQLite' | 'PostgreSQL';

/** Its name contains the id of the run, so that the keeper of PostgreSQL also removes the files of a killed run. */
const folder = mkdtempSync(join(memoryFolder(), nameInRun(run)));
let count = 0;

/** Runs after the last test. The workers of a parallel run end after each file: their files are removed after the run. */
export async function cleanUp(): Promise<void> {
  if (process.env.BUN_TEST_WORKER_ID) return;
  await closePostgres();
  rmSync(folder, { recursive: true, force: true });
}

/** Unique among all processes of a test run. */
export function newName(): string {
  return `gallery_${process.pid}_${Date.now().toString(36)}_${++count}`;
}

/** Creates a database without tables and returns its address. */
export async function emptyDatabase(kind: Kind): Promise<string> {
  const name = newName();
  if (kind === 'SQLite') return join(folder, `${name}.sqlite`);
  await onPostgres(`create database ${name}`);
  return postgresAddress(name);
}

const databaseName = (address: string) => address.split('/').at(-1) ?? '';

/** Copies a database that is not open and returns the address of the copy. */
export async function copyDatabase(kind: Kind, address: string): Promise<string> {
  const name = newName();
  if (kind === 'SQLite') {
    const copy = join(folder, `${name}.sqlite`);
    copyFileSync(address, copy);
    return copy;
  }
  await onPostgres(`create database ${name} template ${databaseName(address)} strategy file_copy`);
  return postgresAddress(name);
}

/** The folder of the files of a database. */
export function filesFolder(address: string): string {
  return join(folder, `${address.split('/').at(-1)}.files`);
}

/** An unused path, which is removed at the end of the test run. */
export function temporaryPath(name: string): string {
  return join(folder, `${++count}-${name}`);
}

/** Runs tests of what lies above the database: pages, forms, scripts, headers. See CONTRIBUTING.md for what needs both. */
export function onOneDatabase(tests: (kind: Kind) => void): void {
  tests('SQLite');
}

/** Runs the same tests on both databases. Resources that the tests share are closed after the last test. */
export function onBothDatabases(tests: (kind: Kind) => void): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    describe(`on ${kind}`, () => {
      beforeAll(beginScope);
      tests(kind);
      afterAll(endScope);
    });
  }
}
