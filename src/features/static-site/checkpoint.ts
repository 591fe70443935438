// The addresses that are known, and the files that are written, in a small database beside the folder: a run that was
// stopped goes on from there.

import { Database, SQLiteError } from 'bun:sqlite';
import { OperatorError } from '#common/errors.ts';
import type { KnownProject, StaticAddress } from './addresses.ts';

export interface WrittenFile {
  readonly address: string;
  readonly type: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface MovedProject {
  readonly uuid: string;
  readonly folder: string;
}

export interface ListedProject extends Omit<KnownProject, 'folder'> {
  readonly uuid: string;
}

/** An address waits, is written, is missing because of a problem, or is absent: links to it are left out. */
const schema = `
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists setting (name text primary key, value text not null) without rowid;
  create table if not exists project (
    uuid text primary key, slug text not null, id integer not null, folder text not null unique collate nocase
  ) without rowid;
  create table if not exists address (
    number integer primary key, address text not null unique, url text not null,
    state text not null default 'waiting', type text, sha256 text, bytes integer, problem text);
  create table if not exists file (file text primary key) without rowid;
  create index if not exists address_waiting on address (number) where state = 'waiting';
`;

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');

export class Checkpoint {
  readonly #database: Database;
  /** How many addresses are known, and how many files are written. */
  #known: number;
  #written: number;
  readonly #findProject;
  readonly #findState;
  readonly #add;

  constructor(path: string) {
    this.#database = new Database(path, { create: true, strict: true });
    try {
      this.#database.run(schema);
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new OperatorError('Another vitrine static makes this folder.');
    }
    this.#findProject = this.#database.query<KnownProject, [string]>(
      'select id, slug, folder from project where uuid = ?',
    );
    this.#findState = this.#database.query<{ state: string }, [string]>(
      'select state from address where address = ?',
    );
    this.#add = this.#database.query(
      'insert into address (address, url, state) values (?, ?, ?) on conflict do nothing',
    );
    this.#known = this.#count("address where state <> 'absent'");
    this.#written = this.#count("address where state = 'written'");
  }

  /** The value of a setting of this run, which is set if it has none yet. */
  setting(name: string, value: string): string {
    this.#database.run('insert into setting values (?, ?) on conflict do nothing', [name, value]);
    const query = this.#database.query<{ value: string }, [string]>(
      'select value from setting where name = ?',
    );
    return query.get(name)?.value ?? value;
  }

  has(setting: string): boolean {
    return this.#database.query('select 1 from setting where name = ?').get(setting) !== null;
  }

  transact<Result>(work: () => Result): Result {
    return this.#database.transaction(work)();
  }

  addProjects(projects: readonly ListedProject[]): void {
    const insert = this.#database.query('insert into project values (?, ?, ?, ?) on conflict do nothing');
    this.transact(() => {
      for (const { uuid, slug, id } of projects) {
        insert.run(uuid, slug, id, uuid);
        // Only if another uuid differs from it by case.
        if (!this.findProject(uuid)) insert.run(uuid, slug, id, `${uuid}~${id}`);
      }
    });
  }

  findProject = (uuid: string): KnownProject | undefined => this.#findProject.get(uuid) ?? undefined;

  get projectCount(): number {
    return this.#count('project');
  }

  *projects(): Generator<ListedProject> {
    yield* this.#database.query<ListedProject, []>('select uuid, slug, id from project').iterate();
  }

  /** Undefined if nobody has asked for the address yet. */
  stateOf = (address: string): string | undefined => this.#findState.get(address)?.state;

  add({ address, url }: StaticAddress, state = 'waiting'): void {
    if (this.#add.run(address, url, state).changes && state === 'waiting') this.#known++;
  }

  next(count: number): StaticAddress[] {
    const query = `select address, url from address where state = 'waiting' order by number limit ${count}`;
    return this.#database.query<StaticAddress, []>(query).all();
  }

  setWritten({ address, type, sha256, bytes }: WrittenFile): void {
    this.#written++;
    this.#database.run(
      `insert into address (address, url, state, type, sha256, bytes) values (?1, ?1, 'written', ?2, ?3, ?4)
         on conflict (address) do update set state = 'written', type = ?2, sha256 = ?3, bytes = ?4`,
      [address, type, sha256, bytes],
    );
  }

  setMissing({ address }: StaticAddress, problem: string): void {
    this.#database.run("update address set state = 'missing', problem = ? where address = ?", [
      problem,
      address,
    ]);
  }

  /** Asked for again when the same command runs again. */
  retryMissing(): void {
    this.#database.run("update address set state = 'waiting', problem = null where state = 'missing'");
  }

  missing(): { readonly url: string; readonly problem: string }[] {
    const query = "select url, problem from address where state = 'missing' order by number";
    return this.#database.query<{ url: string; problem: string }, []>(query).all();
  }

  /** Projects whose address is another one than in the gallery. */
  movedProjects(): MovedProject[] {
    const query = 'select uuid, folder from project where folder <> uuid collate binary';
    return this.#database.query<MovedProject, []>(query).all();
  }

  *written(): Generator<WrittenFile> {
    const query = "select address, type, sha256, bytes from address where state = 'written' order by address";
    yield* this.#database.query<WrittenFile, []>(query).iterate();
  }

  /** The number of addresses that are dealt with, and of those that are known. Some files are written twice. */
  get state(): readonly [done: number, total: number] {
    return [Math.min(this.#written, this.#known), this.#known];
  }

  countWritten(): number {
    return this.#count("address where state = 'written'");
  }

  addFile(file: string): void {
    this.#database.query('insert into file values (?) on conflict do nothing').run(file);
  }

  hasFile(file: string): boolean {
    return this.#database.query('select 1 from file where file = ?').get(file) !== null;
  }

  #count(from: string): number {
    return (
      this.#database.query<{ count: number }, []>(`select count(*) as count from ${from}`).get()?.count ?? 0
    );
  }

  close(): void {
    this.#database.close();
  }
}
