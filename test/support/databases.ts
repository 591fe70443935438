// A fresh database for a test, of either kind. PostgreSQL runs once for the whole test run.

import { describe } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from './postgres-server.ts';

export type Kind = 'SQLite' | 'PostgreSQL';

let running: Promise<PostgresServer> | undefined;
let made = 0;

export function postgres(): Promise<PostgresServer> {
  running ??= PostgresServer.start();
  return running;
}

/** After the last test. */
export async function cleanUp(): Promise<void> {
  await (await running)?.stop();
  rmSync(folder, { recursive: true, force: true });
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'));

/** The address of a database that nobody has opened yet. */
export async function emptyDatabase(kind: Kind): Promise<string> {
  const name = `gallery_${++made}`;
  if (kind === 'SQLite') return join(folder, `${name}.sqlite`);
  const server = await postgres();
  await server.query(`create database ${name}`);
  return server.address(name);
}

/** The address of a copy of a database that nobody has open. */
export async function copyOf(kind: Kind, address: string): Promise<string> {
  const name = `gallery_${++made}`;
  if (kind === 'SQLite') {
    const copy = join(folder, `${name}.sqlite`);
    copyFileSync(address, copy);
    return copy;
  }
  const server = await postgres();
  await server.query(`create database ${name} template ${address.split('/').at(-1)} strategy file_copy`);
  return server.address(name);
}

/** Of a database that nobody has open any more. */
export async function dropDatabase(kind: Kind, address: string): Promise<void> {
  if (kind === 'SQLite') rmSync(address);
  else await (await postgres()).query(`drop database ${address.split('/').at(-1)}`);
}

/** A path that nothing is at, gone with the test run. */
export function temporaryPath(name: string): string {
  return join(folder, `${++made}-${name}`);
}

/** The same tests on both databases. */
export function onBothDatabases(tests: (kind: Kind) => void): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) describe(`on ${kind}`, () => tests(kind));
}
