// Imports a dump in one transaction, so that a wrong line, Ctrl-C or a kill leaves nothing behind. Holds a batch of
// lines in memory, never the whole file.

import sql, { join, raw } from 'sql-template-tag';
import type { Database, Reader, RestoreIndexes, Transaction } from '../../database/open.ts';
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
import type { FileStore } from '../../files/open.ts';
import { lockChangeLog, lockLastSequence } from '../changes/next-id.ts';
import {
  type Contributor,
  type ContributorNames,
  displayName,
  usernameKey,
} from '../contributors/contributor.ts';
import { propagateName } from '../contributors/propagate-name.ts';
import { now } from '../instant.ts';
import { recountProjects } from '../projects/project-counts.ts';
import { toSearchWords } from '../projects/search-words.ts';
import { inTrash, published } from '../projects/status.ts';
import { formatTags, tagKey } from '../projects/tags.ts';
import { listedForVisitors } from '../projects/visibility.ts';
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
import { findCopyCycle, recomputeFigures } from './recompute-figures.ts';
import { splitLines } from './split-lines.ts';

const batchSize = 500;
const maxRememberedContributors = 20_000;

interface ImportCounts {
  contributors: number;
  projects: number;
}

/** Calls `progress` with the number of bytes read so far; `name` is the file's name in messages. */
export function importDump(
  database: Database,
  files: FileStore,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  progress: (read: number) => void = () => {},
): Promise<ImportCounts> {
  return database.bulkLoad((transaction) => new Import(transaction, files, name).run(bytes, progress));
}

/** Imports into a gallery without contributors; returns false if there are any. */
export async function importIntoEmptyGallery(
  database: Database,
  files: FileStore,
  name: string,
  text: string,
): Promise<boolean> {
  const hasContributors = async (reader: Reader) =>
    (await reader.first(sql`select id from contributor limit 1`)) !== undefined;
  if (await hasContributors(database)) return false;
  return database.transaction(async (transaction) => {
    await lockChangeLog(transaction);
    if (await hasContributors(transaction)) return false;
    const bytes = new Blob([text]).stream();
    await new Import(transaction, files, name).run(bytes, () => {});
    return true;
  });
}

type StoredNames = Pick<Contributor, 'id'> & ContributorNames;

type Batch<Entry> = { line: number; text: string; entry: Entry }[];

interface KnownContributor {
  name: string;
  last_name_key: string;
}

/** Whether visitors' listings have it; comments are decided later, when their threads are known. */
const isListedProject = (entry: DumpLine) =>
  entry.type === 'project' &&
  entry.content_type !== 'comment' &&
  entry.visibility === 'public' &&
  entry.status === published &&
  entry.trashed === undefined;

/** The change log says that these were imported, but not their content. */
const unrecordedTypes: readonly DumpLine['type'][] = [
  'account',
  'key',
  'media',
  'bytes',
  'decision',
  'report',
];

function subjectOf(entry: DumpLine): number {
  if (entry.type === 'account') return entry.contributor;
  if (entry.type === 'bytes') return 0;
  return entry.type === 'rating' || entry.type === 'media' ? entry.project : entry.id;
}

class Import {
  readonly #at = now();
  readonly #counts: ImportCounts = { contributors: 0, projects: 0 };
  /** A cache: most lines refer to the same few contributors. */
  readonly #contributors = new Map<number, KnownContributor>();
  /** Projects that were imported into a gallery that was not empty. */
  readonly #importedProjects = new Set<number>();
  readonly #referencedProjects = new Set<number>();
  /** Projects that could be indirect copies of themselves: all others are newer than their source. */
  readonly #possibleCycles = new Set<number>();
  /** The gallery was empty: its indexes are created at the end. */
  #wasEmpty = false;
  #highestId = 0;
  #sequence = 0;
  #line = 0;
  readonly #media: MediaImport;

  constructor(
    private readonly transaction: Transaction,
    files: FileStore,
    private readonly name: string,
  ) {
    this.#media = new MediaImport(transaction, files, (line, reason) => this.#refuse(line, reason));
  }

  async run(bytes: AsyncIterable<Uint8Array>, progress: (read: number) => void): Promise<ImportCounts> {
    const { transaction } = this;
    this.#sequence = await lockLastSequence(transaction);
    this.#wasEmpty = (await transaction.first(sql`select id from project limit 1`)) === undefined;
    const restoreIndexes: RestoreIndexes[] = [];
    if (this.#wasEmpty) {
      for (const table of [projectTable, tagTable, changeTable])
        restoreIndexes.push(await transaction.dropIndexes(table));
    }

    let batch: Batch<DumpLine> = [];
    for await (const { lines, read } of splitLines(bytes, (line, reason) => this.#refuse(line, reason))) {
      for (const text of lines) {
        this.#line++;
        const entry = parseLine(text);
        if (typeof entry === 'string') this.#refuse(this.#line, entry);
        // All lines of a batch have the same type, so that their order is kept.
        const isFull = batch.length === (entry.type === 'bytes' ? 1 : batchSize);
        if (isFull || (batch[0] && batch[0].entry.type !== entry.type)) {
          await this.#write(batch);
          batch = [];
        }
        batch.push({ line: this.#line, text, entry });
      }
      progress(read);
    }
    await this.#write(batch);
    await this.#media.finish(this.#line);
    if (this.#wasEmpty) await this.#requireUniqueUuids();
    for (const work of restoreIndexes) await work();
    const cycle = await findCopyCycle(transaction, this.#possibleCycles);
    if (cycle !== undefined) {
      throw new OperatorError(
        `${this.name}: the project ${cycle} would be a copy of its own copy. Nothing of this file was imported.`,
      );
    }
    const imported = this.#wasEmpty ? 'all' : this.#importedProjects;
    await recomputeFigures(transaction, { imported, referenced: this.#referencedProjects });
    await transaction.run(
      sql`update change set listed = 1 where sequence > ${this.#sequence - this.#line} and kind = 'project' and subject in (
            select id from project where content_type = 'comment' and ${listedForVisitors})`,
    );
    await recountProjects(transaction);
    await transaction.skipUsedIds(contributorTable);
    for (const table of [projectTable, decisionTable, reportTable]) await transaction.skipUsedIds(table);
    await transaction.run(sql`update change_head set last = ${this.#sequence}`);
    return this.#counts;
  }

  #refuse(line: number, reason: string): never {
    throw new OperatorError(`${this.name}:${line}: ${reason} Nothing of this file was imported.`);
  }

  async #write(batch: Batch<DumpLine>): Promise<void> {
    const [{ line = 0, entry } = {}] = batch;
    const type = entry?.type;
    if (type && type !== 'bytes') this.#media.requireCompleteFile(line);
    if (type === 'contributor') await this.#writeContributors(batch as Batch<ContributorLine>);
    if (type === 'account') await this.#writeAccounts(batch as Batch<AccountLine>);
    if (type === 'key') await this.#writeKeys(batch as Batch<KeyLine>);
    if (type === 'project') await this.#writeProjects(batch as Batch<ProjectLine>);
    if (type === 'media') await this.#media.addMedia(batch as Batch<MediaLine>);
    if (type === 'bytes')
      for (const { line, entry } of batch as Batch<BytesLine>) await this.#media.addBytes(line, entry);
    if (type === 'rating') await this.#writeRatings(batch as Batch<RatingLine>);
    if (type === 'decision') await this.#writeDecisions(batch as Batch<DecisionLine>);
    if (type === 'report') await this.#writeReports(batch as Batch<ReportLine>);
    await this.transaction.upsert(
      changeTable,
      batch.map(({ text, entry }) => {
        const owner = entry.type === 'project' ? entry.contributor : null;
        const record = unrecordedTypes.includes(entry.type) ? '' : text;
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
        return [...row, isListedProject(entry) ? 1 : 0];
      }),
    );
  }

  async #writeContributors(batch: Batch<ContributorLine>): Promise<void> {
    const names = batch.map(({ entry }) => entry.username);
    const ids = batch.map(({ entry }) => entry.id);
    const existing = await this.transaction.all<StoredNames>(
      sql`select id, username, first_name, last_name from contributor where username in (${join(names)})
          union select id, username, first_name, last_name from contributor where id in (${join(ids)})`,
    );
    this.#requireUnique(batch, 'username', existing);

    const entries = new Map(batch.map(({ entry }) => [entry.id, entry]));
    const rows: Value[][] = [];
    for (const entry of entries.values()) {
      const contributor = { name: displayName(entry), last_name_key: sortKey(entry.last_name) };
      rows.push([
        entry.id,
        entry.username,
        entry.first_name,
        entry.last_name,
        contributor.last_name_key,
        entry.created,
        usernameKey(entry.username),
      ]);
      this.#remember(entry.id, contributor);
    }
    await this.transaction.upsert(contributorTable, rows);
    this.#counts.contributors += rows.length;
    for (const previous of existing) {
      const entry = entries.get(previous.id);
      const isSameName =
        entry && displayName(previous) === displayName(entry) && previous.last_name === entry.last_name;
      if (entry && (!isSameName || previous.username !== entry.username))
        await propagateName(this.transaction, entry, this.#at);
    }
  }

  /** Ends all sessions of the imported accounts. */
  async #writeAccounts(batch: Batch<AccountLine>): Promise<void> {
    await this.#requireOwners(batch, 'contributor');
    const entries = new Map(batch.map(({ entry }) => [entry.contributor, entry]));
    await this.transaction.upsert(
      accountTable,
      [...entries.values()].map((entry) => [entry.contributor, entry.password, entry.role, entry.disabled]),
    );
    await this.transaction.run(sql`delete from session where contributor in (${join([...entries.keys()])})`);
  }

  async #writeKeys(batch: Batch<KeyLine>): Promise<void> {
    await this.#requireOwners(batch, 'account');
    const hashes = batch.map(({ entry }) => entry.hash);
    const existing = await this.transaction.all<{ id: number; hash: string }>(
      sql`select id, hash from api_key where hash in (${join(hashes)})`,
    );
    this.#requireUnique(batch, 'hash', existing);
    const entries = new Map(batch.map(({ entry }) => [entry.id, entry]));
    await this.transaction.upsert(
      apiKeyTable,
      [...entries.values()].map((entry) => [
        entry.id,
        entry.contributor,
        entry.name,
        entry.hash,
        entry.access === 'write' ? 1 : 0,
        entry.created,
        entry.expires,
        entry.used,
      ]),
    );
  }

  /** An account needs its contributor, and a key needs its account. */
  async #requireOwners(batch: Batch<AccountLine | KeyLine>, owner: 'contributor' | 'account'): Promise<void> {
    const ids = join(batch.map(({ entry }) => entry.contributor));
    const rows = await this.transaction.all<{ id: number }>(
      owner === 'account'
        ? sql`select contributor as id from account where contributor in (${ids})`
        : sql`select id from contributor where id in (${ids})`,
    );
    const presentIds = new Set(rows.map(({ id }) => id));
    for (const { line, entry } of batch) {
      if (!presentIds.has(entry.contributor))
        this.#refuse(line, `contributor: there is no ${owner} ${entry.contributor}.`);
    }
  }

  async #writeProjects(batch: Batch<ProjectLine>): Promise<void> {
    const existing = await this.#findExisting(batch);
    this.#requireUnique(batch, 'uuid', existing);

    const replaced = new Set(existing.map(({ id }) => id));
    const rows = new Map<number, Value[]>();
    const tags = new Map<number, Value[][]>();
    const words = new Map<number, SearchWords>();
    for (const { line, entry } of batch) {
      const contributor = await this.#findContributor(entry.contributor);
      if (!contributor) this.#refuse(line, `contributor: there is no contributor ${entry.contributor}.`);
      rows.set(
        entry.id,
        projectRow(
          entry,
          contributor,
          replaced.has(entry.id) ? Math.max(entry.modified, this.#at) : entry.modified,
        ),
      );
      tags.set(
        entry.id,
        entry.tags.map((tag, position) => [entry.id, position, tag, tagKey(tag)]),
      );
      words.set(entry.id, toSearchWords({ ...entry, name: contributor.name }));
      const { copied_from, parent } = entry;
      if (copied_from !== null && (copied_from >= entry.id || replaced.has(entry.id)))
        this.#possibleCycles.add(entry.id);
      if (!this.#wasEmpty) {
        this.#importedProjects.add(entry.id);
        for (const id of [copied_from, parent]) if (id) this.#referencedProjects.add(id);
      }
    }
    for (const { copied_from, parent } of existing) {
      for (const id of [copied_from, parent]) if (id) this.#referencedProjects.add(id);
    }
    await this.transaction.upsert(projectTable, [...rows.values()]);
    if (replaced.size)
      await this.transaction.run(sql`delete from tag where project in (${join([...replaced])})`);
    await this.transaction.upsert(tagTable, [...tags.values()].flat());
    await this.transaction.upsertSearchWords([...words]);
    this.#counts.projects += rows.size;
  }

  async #writeRatings(batch: Batch<RatingLine>): Promise<void> {
    await this.#requirePresent(batch, 'project');
    const rows = new Map<string, Value[]>();
    for (const { line, entry } of batch) {
      const { project, contributor, value, created, modified } = entry;
      await this.#requireContributor(line, contributor);
      rows.set(`${project} ${contributor}`, [project, contributor, value, created, modified]);
      this.#referencedProjects.add(project);
    }
    await this.transaction.upsert(ratingTable, [...rows.values()]);
  }

  /** The project of a decision may be deleted or not in the dump. */
  async #writeDecisions(batch: Batch<DecisionLine>): Promise<void> {
    const rows = new Map<number, Value[]>();
    for (const { line, entry } of batch) {
      const { id, created, moderator, action, project, contributor, reason, status, undoes } = entry;
      await this.#requireContributor(line, contributor);
      if (moderator !== null) await this.#requireContributor(line, moderator, 'moderator');
      rows.set(id, [id, created, moderator, action, project, contributor, reason, status, undoes]);
    }
    await this.transaction.upsert(decisionTable, [...rows.values()]);
  }

  async #writeReports(batch: Batch<ReportLine>): Promise<void> {
    await this.#requirePresent(batch, 'project');
    await this.#requirePresent(batch, 'decision');
    const rows = new Map<number, Value[]>();
    for (const { line, entry } of batch) {
      const { id, project, contributor, reason, words, created, modified, decision } = entry;
      await this.#requireContributor(line, contributor);
      rows.set(id, [id, project, contributor, reason, words, created, modified, decision]);
    }
    await this.transaction.upsert(reportTable, [...rows.values()]);
  }

  /** Rejects lines that refer to a missing row. */
  async #requirePresent<Name extends 'project' | 'decision'>(
    batch: { line: number; entry: Readonly<Partial<Record<Name, number | null>>> }[],
    name: Name,
  ): Promise<void> {
    const ids = new Set(batch.flatMap(({ entry }) => entry[name] ?? []));
    if (ids.size === 0) return;
    const rows = await this.transaction.all<{ id: number }>(
      sql`select id from ${raw(name)} where id in (${join([...ids])})`,
    );
    const presentIds = new Set(rows.map(({ id }) => id));
    for (const { line, entry } of batch) {
      const id = entry[name];
      if (id && !presentIds.has(id)) this.#refuse(line, `${name}: there is no ${name} ${id}.`);
    }
  }

  async #requireContributor(line: number, id: number, member = 'contributor'): Promise<void> {
    if (!(await this.#findContributor(id))) this.#refuse(line, `${member}: there is no contributor ${id}.`);
  }

  /**
   * Existing projects with an id or a uuid of the batch. Without the index of uuids, during a load, only ids are
   * looked up.
   */
  async #findExisting(
    batch: Batch<ProjectLine>,
  ): Promise<Pick<ProjectLine, 'id' | 'uuid' | 'copied_from' | 'parent'>[]> {
    const ids = batch.map(({ entry }) => entry.id);
    // Ids usually rise: no query is needed for ids above all earlier ones.
    const highest = this.#highestId;
    this.#highestId = Math.max(highest, ...ids);
    if (this.#wasEmpty && Math.min(...ids) > highest) return [];
    const byId = sql`select id, uuid, copied_from, parent from project where id in (${join(ids)})`;
    const byUuid = sql`select id, uuid, copied_from, parent from project where uuid in (${join(batch.map(({ entry }) => entry.uuid))})`;
    return this.transaction.all(this.#wasEmpty ? byId : sql`${byId} union ${byUuid}`);
  }

  /** A unique member belongs to one id, both in the gallery and within the batch. */
  #requireUnique<Name extends 'username' | 'uuid' | 'hash'>(
    batch: { line: number; entry: { id: number } & Record<Name, string> }[],
    member: Name,
    existing: ({ id: number } & Record<Name, string>)[],
  ): void {
    const owners = new Map(existing.map((row) => [row[member], row.id]));
    for (const { line, entry } of batch) {
      const owner = owners.get(entry[member]);
      if (owner !== undefined && owner !== entry.id)
        this.#refuse(line, `${member}: ${entry[member]} is that of id ${owner} already.`);
      owners.set(entry[member], entry.id);
    }
  }

  /**
   * Finds duplicates that were missed without the index of uuids. Every line took one sequence number of the change
   * log, which gives the line number.
   */
  async #requireUniqueUuids(): Promise<void> {
    const shared = await this.transaction.first<{ uuid: string; first: number; second: number }>(
      sql`select uuid, min(id) as first, max(id) as second from project group by uuid having count(*) > 1 limit 1`,
    );
    if (!shared) return;
    const lines = await this.transaction.all<{ subject: number; sequence: number }>(
      sql`select subject, max(sequence) as sequence from change
          where kind = 'project' and subject in (${shared.first}, ${shared.second}) group by subject order by 2`,
    );
    const [owner, duplicate] = lines;
    if (!owner || !duplicate) throw new Error('an imported project is not in the change log');
    const line = duplicate.sequence - (this.#sequence - this.#line);
    this.#refuse(line, `uuid: ${shared.uuid} is that of id ${owner.subject} already.`);
  }

  async #findContributor(id: number): Promise<KnownContributor | undefined> {
    const remembered = this.#contributors.get(id);
    if (remembered) return remembered;
    const row = await this.transaction.first<StoredNames & { last_name_key: string }>(
      sql`select username, first_name, last_name, last_name_key from contributor where id = ${id}`,
    );
    if (!row) return undefined;
    const contributor = { name: displayName(row), last_name_key: row.last_name_key };
    this.#remember(id, contributor);
    return contributor;
  }

  #remember(id: number, contributor: KnownContributor): void {
    if (this.#contributors.size >= maxRememberedContributors) this.#contributors.clear();
    this.#contributors.set(id, contributor);
  }
}

function projectRow(entry: ProjectLine, contributor: KnownContributor, touched: number): Value[] {
  const { rating_count, rating_sum, karma } = entry;
  const tags = formatTags(entry.tags);
  return [
    entry.id,
    entry.uuid,
    entry.slug,
    entry.title,
    sortKey(entry.title),
    entry.content_type,
    entry.contributor,
    contributor.last_name_key,
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
