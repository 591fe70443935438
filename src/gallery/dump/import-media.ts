// Imports the files of a dump. Bytes are written to the file store at once: if the import fails, the sweep deletes
// them. One file at a time is held in memory until its hash is verified.

import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { FileStore } from '../../files/open.ts';
import type { Media } from '../media/media.ts';
import { deleteMedia, insertMedia } from '../media/store.ts';
import type { BytesLine, MediaLine } from './line.ts';

interface IncompleteFile {
  readonly hash: string;
  readonly size: number;
  readonly chunks: Buffer[];
  length: number;
}

type Refuse = (line: number, reason: string) => never;

export class MediaImport {
  #incomplete: IncompleteFile | undefined;
  /** Hashes that a media line named and that have not come yet, with the number of that line. */
  readonly #expected = new Map<string, { line: number; bytes: number }>();
  /** Projects whose files are replaced as a whole. */
  readonly #replaced = new Set<number>();

  constructor(
    private readonly transaction: Transaction,
    private readonly files: FileStore,
    private readonly refuse: Refuse,
  ) {}

  async addMedia(batch: readonly { line: number; entry: MediaLine }[]): Promise<void> {
    const projects = [...new Set(batch.map(({ entry }) => entry.project))];
    const rows = await this.transaction.all<{ id: number; content_type: string }>(
      sql`select id, content_type from project where id in (${join(projects)})`,
    );
    const types = new Map(rows.map(({ id, content_type }) => [id, content_type]));
    const newlyReplaced = projects.filter((id) => !this.#replaced.has(id));
    if (newlyReplaced.length) await deleteMedia(this.transaction, newlyReplaced);
    for (const id of newlyReplaced) this.#replaced.add(id);
    const usedPlaces = await this.#loadUsedPlaces(projects);
    for (const { line, entry } of batch) {
      const { project, number, position, sizes } = entry;
      if (!types.has(project)) this.refuse(line, `project: there is no project ${project}.`);
      if (types.get(project) === 'comment') this.refuse(line, 'project: a comment has no files.');
      for (const place of [`number ${project} ${number}`, `position ${project} ${position}`]) {
        if (usedPlaces.has(place))
          this.refuse(line, `${place.split(' ')[0]}: another file of the project has it.`);
        usedPlaces.add(place);
      }
      if (new Set(sizes.map(({ hash }) => hash)).size < sizes.length)
        this.refuse(line, 'sizes: must not hold one hash twice.');
      for (const { hash, bytes } of sizes) this.#expected.set(hash, { line, bytes });
    }
    await insertMedia(
      this.transaction,
      batch.map(
        ({ entry: { type: _, media_type, ...addMedia } }): Media => ({ ...addMedia, type: media_type }),
      ),
    );
  }

  async addBytes(line: number, { hash, of, at, base64 }: BytesLine): Promise<void> {
    if (at === 0 && !this.#incomplete) this.#incomplete = { hash, size: of, chunks: [], length: 0 };
    const incomplete = this.#incomplete;
    if (!incomplete || incomplete.hash !== hash || incomplete.size !== of || incomplete.length !== at)
      this.refuse(line, 'at: is not where the line before it ended.');
    const chunk = Buffer.from(base64, 'base64');
    incomplete.chunks.push(chunk);
    incomplete.length += chunk.length;
    if (incomplete.length > of) this.refuse(line, `of: there are more than ${of} bytes.`);
    if (incomplete.length < of) return;
    this.#incomplete = undefined;
    const whole = Buffer.concat(incomplete.chunks);
    if (new Bun.CryptoHasher('sha256').update(whole).digest('hex') !== hash)
      this.refuse(line, `hash: the bytes are not those of ${hash}.`);
    const expected = this.#expected.get(hash);
    if (expected && expected.bytes !== of) this.refuse(expected.line, `sizes: ${hash} has ${of} bytes.`);
    this.#expected.delete(hash);
    await this.files.put(hash, whole);
  }

  /** Call it before any line that is not a `bytes` line. */
  requireCompleteFile(line: number): void {
    if (this.#incomplete) this.refuse(line, `the bytes of ${this.#incomplete.hash} have not ended.`);
  }

  /** Hashes that have not come must be in the file store already. */
  async finish(line: number): Promise<void> {
    this.requireCompleteFile(line);
    for (const [hash, expected] of this.#expected) {
      if ((await this.files.size(hash)) !== expected.bytes)
        this.refuse(expected.line, `sizes: the bytes of ${hash} have not come.`);
    }
    this.#expected.clear();
  }

  async #loadUsedPlaces(projects: readonly number[]): Promise<Set<string>> {
    const rows = await this.transaction.all<{ project: number; number: number; position: number }>(
      sql`select project, number, position from media where project in (${join([...projects])})`,
    );
    return new Set(
      rows.flatMap(({ project, number, position }) => [
        `number ${project} ${number}`,
        `position ${project} ${position}`,
      ]),
    );
  }
}
