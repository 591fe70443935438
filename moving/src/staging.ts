// Stores the records of the old site in a file of its own beside the database: an interrupted run continues from it, and the
// next one reads only what has changed. Each page is stored in one transaction with the position in the listing.

import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { OperatorError } from '../../packages/common/src/errors.ts';
import { createPrivateFile } from '../../packages/common/src/private-files.ts';
import { chunks } from '../../src/core/chunks.ts';
import type { ContentType } from '../../src/core/content-types.ts';
import { type Instant, parseInstant } from '../../src/core/instant.ts';
import type { ListedRecord } from './listing.ts';
import { type OldContributor, type OldRecord, parseContributor } from './record.ts';

/** How far the present run has come. It is kept so that an interrupted run continues. */
export interface Run {
  /** All records are read, not only those that have changed since. */
  readonly readsAll: boolean;
  /** The old site's time at the begin: the next run reads what has changed since. */
  readonly begun: string;
  readonly finishedTypes: readonly ContentType[];
  readonly walk?: Walk;
}

/** A walk through the listing of one type. */
interface Walk {
  readonly type: ContentType;
  readonly number: number;
  /** The page that was read last. */
  readonly page: number;
  readonly pageSize: number;
}

export interface StagedRecord {
  readonly record: OldRecord;
  readonly contentType: ContentType;
  readonly hasGone: boolean;
}

/** A record without what the old site said of it. */
export interface KnownRecord {
  readonly id: number;
  readonly type: ContentType;
  readonly walk: number;
}

interface Row {
  id: number;
  content_type: ContentType;
  body: string;
  gone: 0 | 1;
}

const schema = `
  create table if not exists state (name text primary key, value text not null) strict;
  create table if not exists record (
    id integer primary key,
    content_type text not null,
    body text not null,
    contributor integer not null,
    -- The name and the address of the contributor's page.
    contributor_names text not null,
    created integer,
    -- The walk that found it last; 0 if the listing does not have it, but its own address does.
    walk integer not null,
    -- Counts up with every record that is read.
    read_number integer not null,
    gone integer not null default 0
  ) strict;
  create table if not exists too_large (
    id text primary key, content_type text not null, member text not null, walk integer not null
  ) strict;
  create table if not exists last_name (contributor integer primary key, last_name text not null) strict;
  create index if not exists record_by_type on record (content_type, gone, walk);
  create index if not exists record_by_contributor on record (contributor);`;

export class Staging {
  readonly #file: Database;
  #reads: number;

  constructor(path: string, address: string) {
    createPrivateFile(path);
    this.#file = new Database(path, { strict: true });
    try {
      this.#file.run('pragma locking_mode = exclusive');
      this.#file.run('pragma synchronous = full');
      // The lock is taken with the first write.
      this.#file.transaction(() => this.#file.run(schema)).immediate();
    } catch (error) {
      if (!(error instanceof Error) || !/locked/.test(error.message)) throw error;
      throw new OperatorError(`Another vitrine adopt uses ${path}.`);
    }
    const known = this.#readState('address');
    if (known !== undefined && known !== address)
      throw new OperatorError(
        `${path} has what was read from ${known}: delete it to start again with ${address}.`,
      );
    this.#writeState('address', address);
    this.#reads =
      this.#first<{ last: number | null }>('select max(read_number) as last from record')?.last ?? 0;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #first<Result>(query: string, ...values: SQLQueryBindings[]): Result | undefined {
    return this.#file.query<Result, SQLQueryBindings[]>(query).get(...values) ?? undefined;
  }

  #all<Result>(query: string, ...values: SQLQueryBindings[]): Result[] {
    return this.#file.query<Result, SQLQueryBindings[]>(query).all(...values);
  }

  #readState(name: string): string | undefined {
    return this.#first<{ value: string }>('select value from state where name = ?', name)?.value;
  }

  #writeState(name: string, value: string): void {
    this.#file.run('insert or replace into state (name, value) values (?, ?)', [name, value]);
  }

  /** The run that was interrupted. */
  get run(): Run | undefined {
    const text = this.#readState('run');
    return text === undefined ? undefined : JSON.parse(text);
  }

  saveRun(run: Run): void {
    this.#writeState('run', JSON.stringify(run));
  }

  /** When the last complete run began. */
  get completeSince(): string | undefined {
    return this.#readState('complete since');
  }

  completeRun({ begun }: Run): void {
    this.#file.transaction(() => {
      this.#writeState('complete since', begun);
      this.#file.run("delete from state where name = 'run'");
    })();
  }

  /** The number of the next walk. */
  nextWalk(): number {
    return (this.#first<{ last: number | null }>('select max(walk) as last from record')?.last ?? 0) + 1;
  }

  /** Stores what was read, and with it how far the run has come. */
  store(records: readonly ListedRecord[], type: ContentType, walk: number, run?: Run): void {
    this.#file.transaction(() => {
      for (const record of records) {
        this.#file.run('delete from too_large where id = ?', [String(record.id)]);
        if ('tooLarge' in record) {
          if (typeof record.id === 'number') this.#file.run('delete from record where id = ?', [record.id]);
          this.#file.run('insert into too_large (id, content_type, member, walk) values (?, ?, ?, ?)', [
            String(record.id),
            type,
            record.tooLarge,
            walk,
          ]);
          continue;
        }
        const { id } = parseContributor(record);
        this.#file.run(
          `insert or replace into record
             (id, content_type, body, contributor, contributor_names, created, walk, read_number)
           values (?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            record.id,
            type,
            JSON.stringify(record),
            id,
            namesOf(record),
            parseInstant(record.created, 'UTC') ?? null,
            walk,
            ++this.#reads,
          ],
        );
      }
      if (run) this.saveRun(run);
    })();
  }

  markGone(id: number): void {
    this.#file.run('update record set gone = 1 where id = ?', [id]);
  }

  /** The records of the type that the listing has, as far as is known. */
  countListed(type: ContentType): number {
    const query = `select (select count(*) from record where content_type = ?1 and gone = 0 and walk > 0)
      + (select count(*) from too_large where content_type = ?1 and walk > 0) as n`;
    return this.#first<{ n: number }>(query, type)?.n ?? 0;
  }

  /** The records that have not gone. */
  count(): number {
    const query =
      'select (select count(*) from record where gone = 0) + (select count(*) from too_large) as n';
    return this.#first<{ n: number }>(query)?.n ?? 0;
  }

  /** Those that the gallery cannot hold, whatever else they have, with the member that is too large. */
  listTooLarge(): { readonly id: string; readonly member: string }[] {
    return this.#all('select id, member from too_large order by length(id), id');
  }

  /** After a walk through the listing of the type: it no longer has these. */
  forgetTooLarge(type: ContentType, walk: number): void {
    this.#file.run('delete from too_large where content_type = ? and walk < ?', [type, walk]);
  }

  /** With the names that were read last. */
  listContributors(): OldContributor[] {
    return this.#all<{ contributor: number }>(
      'select distinct contributor from record where gone = 0 order by contributor',
    ).map(({ contributor }) => this.findContributor(contributor));
  }

  get lastNames(): ReadonlyMap<number, string> {
    const rows = this.#all<{ contributor: number; last_name: string }>(
      'select contributor, last_name from last_name',
    );
    return new Map(rows.map(({ contributor, last_name }) => [contributor, last_name]));
  }

  saveLastNames(lastNames: ReadonlyMap<number, string>): void {
    this.#file.transaction(() => {
      this.#file.run('delete from last_name');
      for (const [contributor, lastName] of lastNames)
        this.#file.run('insert into last_name (contributor, last_name) values (?, ?)', [
          contributor,
          lastName,
        ]);
    })();
  }

  /** Records of the type that earlier walks found and this one did not. */
  findUnseen(type: ContentType, walk: number): KnownRecord[] {
    return this.#all<KnownRecord>(
      'select id, content_type as type, walk from record where content_type = ? and gone = 0 and walk < ? order by id',
      type,
      walk,
    );
  }

  /** Records of people who were renamed after these were read. */
  findWithFormerNames(): KnownRecord[] {
    return this.#all<KnownRecord>(
      `select r.id, r.content_type as type, r.walk
       from (select contributor, max(read_number) as last from record where gone = 0
             group by contributor having count(distinct contributor_names) > 1) as renamed
       join record as newest on newest.contributor = renamed.contributor and newest.read_number = renamed.last
       join record as r on r.contributor = renamed.contributor
       where r.gone = 0 and r.contributor_names <> newest.contributor_names`,
    );
  }

  /** All records in the order of their ids, a chunk at a time. */
  *chunks(): Generator<StagedRecord[]> {
    for (let last = 0; ; ) {
      const rows = this.#all<Row>(
        `select id, content_type, body, gone from record where id > ? order by id limit 500`,
        last,
      );
      if (rows.length === 0) return;
      yield rows.map(toStaged);
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** These records, a chunk at a time. */
  *chunksOf(ids: readonly number[]): Generator<StagedRecord[]> {
    for (const chunk of chunks(ids))
      yield this.#all<Row>(
        `select id, content_type, body, gone from record where id in (select value from json_each(?)) order by id`,
        JSON.stringify(chunk),
      ).map(toStaged);
  }

  /** With the names that were read last, and the time of the first record. */
  findContributor(id: number): OldContributor & { readonly created: Instant } {
    const row = this.#first<{ body: string; created: number | null; last_name: string | null }>(
      `select body, (select min(created) from record where contributor = ?1) as created,
         (select last_name from last_name where contributor = ?1) as last_name
       from record where contributor = ?1 order by gone, read_number desc limit 1`,
      id,
    );
    if (!row) throw new Error(`the contributor ${id} was not read`);
    const contributor = parseContributor(JSON.parse(row.body));
    // The name has changed since the order was read.
    const fits = row.last_name !== null && contributor.name.endsWith(row.last_name);
    return { ...contributor, created: row.created ?? 0, ...(fits && { lastName: row.last_name ?? '' }) };
  }
}

const namesOf = ({ contributor_name, contributor_html_url }: OldRecord) =>
  `${contributor_name}\n${contributor_html_url}`;

const toStaged = ({ body, content_type, gone }: Row): StagedRecord => ({
  record: JSON.parse(body),
  contentType: content_type,
  hasGone: gone === 1,
});
