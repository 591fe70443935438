// Reads a dump into the gallery in one transaction, so that a wrong line, Ctrl-C or a kill leaves nothing behind.
// It keeps a batch of lines in memory, never the file.

import sql, { join, raw } from 'sql-template-tag';
import type { Database, Reads, RestoreIndexes, Transaction } from '../../database/open.ts';
import {
  accountTable,
  apiKeyTable,
  changeTable,
  contributorTable,
  decisionTable,
  projectTable,
  ratingTable,
  reportTable,
  tagTable,
  type Value,
} from '../../database/schema.ts';
import type { SearchWords } from '../../database/search.ts';
import { OperatorError } from '../../errors.ts';
import type { Files } from '../../files/open.ts';
import { type Contributor, displayName, usernameKey } from '../contributors/contributor.ts';
import { renamed } from '../contributors/renamed.ts';
import { now } from '../instant.ts';
import { tagKey } from '../projects/filters.ts';
import { searchWords } from '../projects/search-words.ts';
import { retally } from '../projects/tally.ts';
import { inTrash, visitorsList } from '../projects/visible.ts';
import { sortKey } from '../words.ts';
import { MediaImport } from './import-media.ts';
import {
  type AccountLine,
  type BytesLine,
  type ContributorLine,
  type DecisionLine,
  type DumpLine,
  type KeyLine,
  type MediaLine,
  type ProjectLine,
  parseLine,
  type RatingLine,
  type ReportLine,
} from './line.ts';
import { linesOf } from './lines-of.ts';
import { settleFigures, sourceOfItself } from './settle.ts';

const batchSize = 500;
const contributorsRemembered = 20_000;

interface Imported {
  contributors: number;
  projects: number;
}

/** `progress` is told how many bytes were read; `name` is the file's in messages. */
export function importDump(
  database: Database,
  files: Files,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  progress: (read: number) => void = () => {},
): Promise<Imported> {
  return database.load((transaction) => new Import(transaction, files, name).run(bytes, progress));
}

/** Fills a gallery in which nobody has made anything yet; false when somebody has. */
export async function fillEmpty(
  database: Database,
  files: Files,
  name: string,
  text: string,
): Promise<boolean> {
  const inhabited = async (reads: Reads) =>
    (await reads.first(sql`select id from contributor limit 1`)) !== undefined;
  if (await inhabited(database)) return false;
  return database.change(async (transaction) => {
    await takeChangeHead(transaction);
    if (await inhabited(transaction)) return false;
    const bytes = new Blob([text]).stream();
    await new Import(transaction, files, name).run(bytes, () => {});
    return true;
  });
}

/** The number of the last change; the row is ours until the transaction ends, and so is the order of changes. */
async function takeChangeHead(transaction: Transaction): Promise<number> {
  const head = await transaction.first<{ last: number }>(
    sql`update change_head set last = last returning last`,
  );
  if (!head) throw new Error('change_head is empty');
  return head.last;
}

type Named = Pick<Contributor, 'id' | 'username' | 'first_name' | 'last_name'>;

type Batch<Entry> = { line: number; text: string; entry: Entry }[];

interface Person {
  name: string;
  last_name_key: string;
}

/** Whether visitors' listings have it; of a comment that is known when its thread is. */
const isOpen = (entry: DumpLine) =>
  entry.type === 'project' &&
  entry.content_type !== 'comment' &&
  entry.visibility === 'public' &&
  entry.status === 1 &&
  entry.trashed === undefined;

/** Of these the change log says that they came, and nothing of what they hold. */
const untold: readonly DumpLine['type'][] = ['account', 'key', 'media', 'bytes', 'decision', 'report'];

function subjectOf(entry: DumpLine): number {
  if (entry.type === 'account') return entry.contributor;
  if (entry.type === 'bytes') return 0;
  return entry.type === 'rating' || entry.type === 'media' ? entry.project : entry.id;
}

class Import {
  readonly #at = now();
  readonly #done: Imported = { contributors: 0, projects: 0 };
  /** People who were met lately: most lines speak of the same few. */
  readonly #people = new Map<number, Person>();
  /** Projects that came, in a gallery that was not empty. */
  readonly #imported = new Set<number>();
  readonly #spokenOf = new Set<number>();
  /** Projects that could be their own source's source: all others are younger than what they copy. */
  readonly #suspects = new Set<number>();
  /** The gallery is empty: its indexes are made when all is in. */
  #fresh = false;
  #highest = 0;
  #sequence = 0;
  #line = 0;
  readonly #media: MediaImport;

  constructor(
    private readonly transaction: Transaction,
    files: Files,
    private readonly name: string,
  ) {
    this.#media = new MediaImport(transaction, files, (line, reason) => this.#refuse(line, reason));
  }

  async run(bytes: AsyncIterable<Uint8Array>, progress: (read: number) => void): Promise<Imported> {
    const { transaction } = this;
    this.#sequence = await takeChangeHead(transaction);
    this.#fresh = (await transaction.first(sql`select id from project limit 1`)) === undefined;
    const restore: RestoreIndexes[] = [];
    if (this.#fresh) {
      for (const table of [projectTable, tagTable, changeTable])
        restore.push(await transaction.dropIndexes(table));
    }

    let batch: Batch<DumpLine> = [];
    for await (const { lines, read } of linesOf(bytes, (line, reason) => this.#refuse(line, reason))) {
      for (const text of lines) {
        this.#line++;
        const entry = parseLine(text);
        if (typeof entry === 'string') this.#refuse(this.#line, entry);
        // A batch is of one type, so that the order of the lines is kept.
        const full = batch.length === (entry.type === 'bytes' ? 1 : batchSize);
        if (full || (batch[0] && batch[0].entry.type !== entry.type)) {
          await this.#write(batch);
          batch = [];
        }
        batch.push({ line: this.#line, text, entry });
      }
      progress(read);
    }
    await this.#write(batch);
    await this.#media.settle(this.#line);
    if (this.#fresh) await this.#refuseSharedUuid();
    for (const work of restore) await work();
    const circular = await sourceOfItself(transaction, this.#suspects);
    if (circular !== undefined) {
      throw new OperatorError(
        `${this.name}: the project ${circular} would be a copy of its own copy. Nothing of this file was imported.`,
      );
    }
    const imported = this.#fresh ? 'all' : this.#imported;
    await settleFigures(transaction, { imported, spokenOf: this.#spokenOf });
    await transaction.run(
      sql`update change set listed = 1 where sequence > ${this.#sequence - this.#line} and kind = 'project' and subject in (
            select id from project where content_type = 'comment' and ${visitorsList})`,
    );
    await retally(transaction);
    await transaction.idsTaken(contributorTable);
    for (const table of [projectTable, decisionTable, reportTable]) await transaction.idsTaken(table);
    await transaction.run(sql`update change_head set last = ${this.#sequence}`);
    return this.#done;
  }

  #refuse(line: number, reason: string): never {
    throw new OperatorError(`${this.name}:${line}: ${reason} Nothing of this file was imported.`);
  }

  async #write(batch: Batch<DumpLine>): Promise<void> {
    const [{ line = 0, entry } = {}] = batch;
    const type = entry?.type;
    if (type && type !== 'bytes') this.#media.betweenFiles(line);
    if (type === 'contributor') await this.#writeContributors(batch as Batch<ContributorLine>);
    if (type === 'account') await this.#writeAccounts(batch as Batch<AccountLine>);
    if (type === 'key') await this.#writeKeys(batch as Batch<KeyLine>);
    if (type === 'project') await this.#writeProjects(batch as Batch<ProjectLine>);
    if (type === 'media') await this.#media.media(batch as Batch<MediaLine>);
    if (type === 'bytes')
      for (const { line, entry } of batch as Batch<BytesLine>) await this.#media.bytes(line, entry);
    if (type === 'rating') await this.#writeRatings(batch as Batch<RatingLine>);
    if (type === 'decision') await this.#writeDecisions(batch as Batch<DecisionLine>);
    if (type === 'report') await this.#writeReports(batch as Batch<ReportLine>);
    await this.transaction.put(
      changeTable,
      batch.map(({ text, entry }) => {
        const owner = entry.type === 'project' ? entry.contributor : null;
        const record = untold.includes(entry.type) ? '' : text;
        const row = [
          ++this.#sequence,
          this.#at,
          null,
          'imported',
          entry.type,
          subjectOf(entry),
          record,
          owner,
        ];
        return [...row, isOpen(entry) ? 1 : 0];
      }),
    );
  }

  async #writeContributors(batch: Batch<ContributorLine>): Promise<void> {
    const names = batch.map(({ entry }) => entry.username);
    const ids = batch.map(({ entry }) => entry.id);
    const known = await this.transaction.all<Named>(
      sql`select id, username, first_name, last_name from contributor where username in (${join(names)})
          union select id, username, first_name, last_name from contributor where id in (${join(ids)})`,
    );
    this.#refuseTaken(batch, 'username', known);

    const given = new Map(batch.map(({ entry }) => [entry.id, entry]));
    const rows: Value[][] = [];
    for (const entry of given.values()) {
      const person = { name: displayName(entry), last_name_key: sortKey(entry.last_name) };
      rows.push([
        entry.id,
        entry.username,
        entry.first_name,
        entry.last_name,
        person.last_name_key,
        entry.created,
        usernameKey(entry.username),
      ]);
      this.#remember(entry.id, person);
    }
    await this.transaction.put(contributorTable, rows);
    this.#done.contributors += rows.length;
    for (const old of known) {
      const entry = given.get(old.id);
      const same = entry && displayName(old) === displayName(entry) && old.last_name === entry.last_name;
      if (entry && (!same || old.username !== entry.username))
        await renamed(this.transaction, entry, this.#at);
    }
  }

  /** Whoever is signed in by a password of before is not any more. */
  async #writeAccounts(batch: Batch<AccountLine>): Promise<void> {
    await this.#refuseMissing(batch, 'contributor');
    const given = new Map(batch.map(({ entry }) => [entry.contributor, entry]));
    await this.transaction.put(
      accountTable,
      [...given.values()].map((entry) => [entry.contributor, entry.password, entry.role, entry.disabled]),
    );
    await this.transaction.run(sql`delete from session where contributor in (${join([...given.keys()])})`);
  }

  async #writeKeys(batch: Batch<KeyLine>): Promise<void> {
    await this.#refuseMissing(batch, 'account');
    const hashes = batch.map(({ entry }) => entry.hash);
    const known = await this.transaction.all<{ id: number; hash: string }>(
      sql`select id, hash from api_key where hash in (${join(hashes)})`,
    );
    this.#refuseTaken(batch, 'hash', known);
    const given = new Map(batch.map(({ entry }) => [entry.id, entry]));
    await this.transaction.put(
      apiKeyTable,
      [...given.values()].map((entry) => [
        ...[entry.id, entry.contributor, entry.name, entry.hash, entry.access === 'write' ? 1 : 0],
        ...[entry.created, entry.expires, entry.used],
      ]),
    );
  }

  /** An account is a contributor's, and a key is an account's. */
  async #refuseMissing(batch: Batch<AccountLine | KeyLine>, owner: 'contributor' | 'account'): Promise<void> {
    const ids = join(batch.map(({ entry }) => entry.contributor));
    const present = await this.transaction.all<{ id: number }>(
      owner === 'account'
        ? sql`select contributor as id from account where contributor in (${ids})`
        : sql`select id from contributor where id in (${ids})`,
    );
    const there = new Set(present.map(({ id }) => id));
    for (const { line, entry } of batch) {
      if (!there.has(entry.contributor))
        this.#refuse(line, `contributor: there is no ${owner} ${entry.contributor}.`);
    }
  }

  async #writeProjects(batch: Batch<ProjectLine>): Promise<void> {
    const known = await this.#known(batch);
    this.#refuseTaken(batch, 'uuid', known);

    const replaced = new Set(known.map(({ id }) => id));
    const rows = new Map<number, Value[]>();
    const tags = new Map<number, Value[][]>();
    const words = new Map<number, SearchWords>();
    for (const { line, entry } of batch) {
      const person = await this.#person(entry.contributor);
      if (!person) this.#refuse(line, `contributor: there is no contributor ${entry.contributor}.`);
      rows.set(
        entry.id,
        projectRow(
          entry,
          person,
          replaced.has(entry.id) ? Math.max(entry.modified, this.#at) : entry.modified,
        ),
      );
      tags.set(
        entry.id,
        entry.tags.map((tag, position) => [entry.id, position, tag, tagKey(tag)]),
      );
      words.set(entry.id, searchWords({ ...entry, name: person.name }));
      const { copied_from, parent } = entry;
      if (copied_from !== null && (copied_from >= entry.id || replaced.has(entry.id)))
        this.#suspects.add(entry.id);
      if (!this.#fresh) {
        this.#imported.add(entry.id);
        for (const id of [copied_from, parent]) if (id) this.#spokenOf.add(id);
      }
    }
    for (const { copied_from, parent } of known) {
      for (const id of [copied_from, parent]) if (id) this.#spokenOf.add(id);
    }
    await this.transaction.put(projectTable, [...rows.values()]);
    if (replaced.size)
      await this.transaction.run(sql`delete from tag where project in (${join([...replaced])})`);
    await this.transaction.put(tagTable, [...tags.values()].flat());
    await this.transaction.putSearchWords([...words]);
    this.#done.projects += rows.size;
  }

  async #writeRatings(batch: Batch<RatingLine>): Promise<void> {
    await this.#refuseAbsent(batch, 'project');
    const rows = new Map<string, Value[]>();
    for (const { line, entry } of batch) {
      const { project, contributor, value, created, modified } = entry;
      await this.#refuseNobody(line, contributor);
      rows.set(`${project} ${contributor}`, [project, contributor, value, created, modified]);
      this.#spokenOf.add(project);
    }
    await this.transaction.put(ratingTable, [...rows.values()]);
  }

  /** What was decided on may be gone, or never have come. */
  async #writeDecisions(batch: Batch<DecisionLine>): Promise<void> {
    const rows = new Map<number, Value[]>();
    for (const { line, entry } of batch) {
      const { id, created, moderator, action, project, contributor, reason, status, undoes } = entry;
      await this.#refuseNobody(line, contributor);
      if (moderator !== null) await this.#refuseNobody(line, moderator, 'moderator');
      rows.set(id, [id, created, moderator, action, project, contributor, reason, status, undoes]);
    }
    await this.transaction.put(decisionTable, [...rows.values()]);
  }

  async #writeReports(batch: Batch<ReportLine>): Promise<void> {
    await this.#refuseAbsent(batch, 'project');
    await this.#refuseAbsent(batch, 'decision');
    const rows = new Map<number, Value[]>();
    for (const { line, entry } of batch) {
      const { id, project, contributor, reason, words, created, modified, decision } = entry;
      await this.#refuseNobody(line, contributor);
      rows.set(id, [id, project, contributor, reason, words, created, modified, decision]);
    }
    await this.transaction.put(reportTable, [...rows.values()]);
  }

  /** What a line names must be there already. */
  async #refuseAbsent<Name extends 'project' | 'decision'>(
    batch: { line: number; entry: Readonly<Partial<Record<Name, number | null>>> }[],
    name: Name,
  ): Promise<void> {
    const ids = new Set(batch.flatMap(({ entry }) => entry[name] ?? []));
    if (ids.size === 0) return;
    const rows = await this.transaction.all<{ id: number }>(
      sql`select id from ${raw(name)} where id in (${join([...ids])})`,
    );
    const there = new Set(rows.map(({ id }) => id));
    for (const { line, entry } of batch) {
      const id = entry[name];
      if (id && !there.has(id)) this.#refuse(line, `${name}: there is no ${name} ${id}.`);
    }
  }

  async #refuseNobody(line: number, id: number, member = 'contributor'): Promise<void> {
    if (!(await this.#person(id))) this.#refuse(line, `${member}: there is no contributor ${id}.`);
  }

  /** The projects that have an id or, unless the index of uuids is away for a load, a uuid of the batch. */
  async #known(
    batch: Batch<ProjectLine>,
  ): Promise<Pick<ProjectLine, 'id' | 'uuid' | 'copied_from' | 'parent'>[]> {
    const ids = batch.map(({ entry }) => entry.id);
    // Most dumps rise: ids above all that came before need no look-up.
    const highest = this.#highest;
    this.#highest = Math.max(highest, ...ids);
    if (this.#fresh && Math.min(...ids) > highest) return [];
    const byId = sql`select id, uuid, copied_from, parent from project where id in (${join(ids)})`;
    const byUuid = sql`select id, uuid, copied_from, parent from project where uuid in (${join(batch.map(({ entry }) => entry.uuid))})`;
    return this.transaction.all(this.#fresh ? byId : sql`${byId} union ${byUuid}`);
  }

  /** A name that must be unique belongs to one id, in the gallery and within the batch. */
  #refuseTaken<Name extends 'username' | 'uuid' | 'hash'>(
    batch: { line: number; entry: { id: number } & Record<Name, string> }[],
    member: Name,
    known: ({ id: number } & Record<Name, string>)[],
  ): void {
    const owners = new Map(known.map((row) => [row[member], row.id]));
    for (const { line, entry } of batch) {
      const owner = owners.get(entry[member]);
      if (owner !== undefined && owner !== entry.id)
        this.#refuse(line, `${member}: ${entry[member]} is that of id ${owner} already.`);
      owners.set(entry[member], entry.id);
    }
  }

  /** With the index of uuids away nothing else would have seen it; every line took one number of the change log. */
  async #refuseSharedUuid(): Promise<void> {
    const shared = await this.transaction.first<{ uuid: string; first: number; second: number }>(
      sql`select uuid, min(id) as first, max(id) as second from project group by uuid having count(*) > 1 limit 1`,
    );
    if (!shared) return;
    const lines = await this.transaction.all<{ subject: number; sequence: number }>(
      sql`select subject, max(sequence) as sequence from change
          where kind = 'project' and subject in (${shared.first}, ${shared.second}) group by subject order by 2`,
    );
    const [owner, taker] = lines;
    if (!owner || !taker) throw new Error('an imported project is not in the change log');
    const line = taker.sequence - (this.#sequence - this.#line);
    this.#refuse(line, `uuid: ${shared.uuid} is that of id ${owner.subject} already.`);
  }

  async #person(id: number): Promise<Person | undefined> {
    const known = this.#people.get(id);
    if (known) return known;
    const row = await this.transaction.first<Named & { last_name_key: string }>(
      sql`select username, first_name, last_name, last_name_key from contributor where id = ${id}`,
    );
    if (!row) return undefined;
    const person = { name: displayName(row), last_name_key: row.last_name_key };
    this.#remember(id, person);
    return person;
  }

  #remember(id: number, person: Person): void {
    if (this.#people.size >= contributorsRemembered) this.#people.clear();
    this.#people.set(id, person);
  }
}

function projectRow(entry: ProjectLine, person: Person, touched: number): Value[] {
  const { rating_count, rating_sum, karma } = entry;
  const tags = entry.tags.join(', ');
  return [
    entry.id,
    entry.uuid,
    entry.slug,
    entry.title,
    sortKey(entry.title),
    entry.content_type,
    entry.contributor,
    person.last_name_key,
    entry.copied_from,
    entry.parent ?? null,
    entry.link ?? null,
    entry.visibility,
    entry.trashed === undefined ? entry.status : inTrash,
    tags,
    entry.text,
    rating_count,
    rating_sum,
    karma,
    rating_count,
    rating_sum,
    karma,
    entry.created,
    entry.modified,
    touched,
    null,
    0,
    entry.trashed ?? null,
    null,
    entry.trashed === undefined ? null : entry.status,
    0,
  ];
}
