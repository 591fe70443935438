// Fills a search engine from the change log. The index itself says how far it is filled: nothing is stored here, and it goes on
// there after a kill.

import sql, { join, type Sql } from 'sql-template-tag';
import { OperatorError, reasonOf } from '#common/errors.ts';
import { all, type Database, first, pick } from '#sql';
import { findChangeHead } from '../../core/changes/head.ts';
import { changeTable } from '../../core/changes/tables.ts';
import type { Confirm } from '../../core/jobs/jobs.ts';
import { published } from '../../core/project-status.ts';
import { loadSearchable } from '../../projects/searching/search-words.ts';
import { type IndexProgress, OpenSearchIndex } from './opensearch.ts';

const batchSize = 500;
/** Changes become searchable together, after so long at least. */
const pauseMs = 250;

const columns = pick(changeTable.columns, 'sequence', 'hash', 'kind', 'subject');

export class EngineFiller {
  readonly #index: OpenSearchIndex;
  #progress: IndexProgress | undefined;
  /** How many projects were written. */
  count = 0;

  constructor(
    private readonly database: Database,
    address: string,
    private readonly gallery: string,
    private readonly stopped: AbortSignal,
    private readonly confirm: Confirm,
  ) {
    this.#index = new OpenSearchIndex(address);
  }

  /** A failure at the beginning is a mistake of the operator. Returns the address of the index. */
  async begin(): Promise<string> {
    try {
      this.#progress = await this.#findProgress();
      return this.#index.url;
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      throw new OperatorError(`The index ${this.#index.url} cannot be used: ${reasonOf(error)}.`);
    }
  }

  async fill(): Promise<void> {
    try {
      this.#progress ??= await this.#findProgress();
      while (this.#progress.project !== null && !this.stopped.aborted)
        await this.#fillWithAll(this.#progress);
      while ((await this.#fillWithChanged(this.#progress)) && !this.stopped.aborted) await Bun.sleep(pauseMs);
    } catch (error) {
      this.#progress = undefined;
      throw error;
    }
  }

  /** Where to go on. An index of this gallery that does not continue its log is filled anew. */
  async #findProgress(): Promise<IndexProgress> {
    const progress = await this.#index.readProgress();
    if (progress && progress.gallery !== this.gallery)
      throw new OperatorError(
        `The index ${this.#index.url} is filled by another gallery: choose another name, or delete the index.`,
      );
    const known =
      progress && (await first(this.database, columns)`from change where sequence = ${progress.number}`);
    if (progress && known?.hash === progress.hash) return progress;
    await this.confirm();
    if (progress) await this.#index.delete();
    await this.#index.create();
    const { last, hash } = await findChangeHead(this.database);
    return this.#save({ gallery: this.gallery, number: last, hash, project: 0 });
  }

  async #fillWithAll(progress: IndexProgress): Promise<void> {
    const loaded = await this.#write(sql`project.id > ${progress.project}`, []);
    await this.#save({ ...progress, project: loaded.at(-1) ?? null });
  }

  /** Returns whether something was new. */
  async #fillWithChanged(progress: IndexProgress): Promise<boolean> {
    const changes = await all(this.database, columns)`from change
      where sequence > ${progress.number} order by sequence limit ${batchSize}`;
    const last = changes.at(-1);
    if (!last) return false;
    const ofKind = (kind: string) => [
      ...new Set(changes.filter((change) => change.kind === kind).map(({ subject }) => subject)),
    ];
    const projects = ofKind('project');
    if (projects.length > 0) await this.#write(sql`project.id in (${join(projects)})`, projects);
    // They may have other names now.
    for (const contributor of ofKind('contributor')) {
      const isTheirs = sql`project.contributor = ${contributor}`;
      for (let after: number | undefined = 0; after !== undefined; )
        after = (await this.#write(sql`${isTheirs} and project.id > ${after}`, [])).at(-1);
    }
    await this.#save({ ...progress, number: last.sequence, hash: last.hash });
    return true;
  }

  /** Writes the projects, and deletes those that are gone. Returns the ids of those that are there. */
  async #write(condition: Sql, changed: readonly number[]): Promise<number[]> {
    await this.confirm();
    const { last } = await findChangeHead(this.database);
    const found = await loadSearchable(this.database.slowReader, condition);
    const documents = found.map(({ project, words }) => ({
      id: project.id,
      type: project.content_type,
      isListed: project.visibility === 'public' && project.status === published,
      words,
    }));
    const ids = documents.map(({ id }) => id);
    const present = new Set(ids);
    await this.#index.write(
      documents,
      changed.filter((id) => !present.has(id)),
      last,
    );
    this.count += documents.length;
    return ids;
  }

  async #save(progress: IndexProgress): Promise<IndexProgress> {
    await this.#index.saveProgress(progress);
    this.#progress = progress;
    return progress;
  }
}
