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

/**
 * A database that can be had again and again as it is now, by one test at a time. SQLite's is copied; PostgreSQL's is
 * put back, as it takes a fifth of a second to copy one.
 */
export class Template {
  #putBack: string | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly address: string,
  ) {}

  async fresh(): Promise<string> {
    if (this.kind === 'SQLite') return copyOf(this.kind, this.address);
    const client = new Bun.SQL({ url: this.address, max: 1 });
    try {
      this.#putBack ??= await saved(client);
      await client.unsafe(this.#putBack);
    } finally {
      await client.close({ timeout: 0 });
    }
    return this.address;
  }
}

/** Keeps all rows in tables beside, and says how they come back. */
async function saved(client: Bun.SQL): Promise<string> {
  const tables = await client.unsafe("select tablename as name from pg_tables where schemaname = 'public'");
  const names = tables.map(({ name }: { name: string }) => name);
  await client.unsafe(
    [
      'create schema saved',
      ...names.map((name: string) => `create table saved.${name} as table ${name}`),
    ].join(';'),
  );
  const counters: string[] = [];
  for (const { name } of await client.unsafe(
    "select sequencename as name from pg_sequences where schemaname = 'public'",
  )) {
    const [{ last_value: last, is_called: called }] = await client.unsafe(
      `select last_value, is_called from ${name}`,
    );
    counters.push(`select setval('${name}', ${last}, ${called})`);
  }
  return [
    // Whatever refers to what: it is all there again in the end.
    'set session_replication_role = replica',
    ...names.map((name: string) => `delete from ${name}; insert into ${name} table saved.${name}`),
    ...counters,
  ].join(';');
}

/** Where the files of a database are. */
export function filesFolder(address: string): string {
  return join(folder, `${address.split('/').at(-1)}.files`);
}

/** A path that nothing is at, gone with the test run. */
export function temporaryPath(name: string): string {
  return join(folder, `${++made}-${name}`);
}

/** The same tests on both databases. */
export function onBothDatabases(tests: (kind: Kind) => void): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) describe(`on ${kind}`, () => tests(kind));
}
