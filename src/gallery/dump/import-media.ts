// Files out of a dump. Their bytes are put where files are as they come: if the import then comes to nothing, they are
// leftovers. One file at a time is held in memory, until its hash is known to be right.

import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { Files } from '../../files/open.ts';
import type { Media } from '../media/media.ts';
import { dropMedia, insertMedia } from '../media/rows.ts';
import type { BytesLine, MediaLine } from './line.ts';

interface Arriving {
  readonly hash: string;
  readonly of: number;
  readonly parts: Buffer[];
  length: number;
}

type Refuse = (line: number, reason: string) => never;

export class MediaImport {
  #arriving: Arriving | undefined;
  /** What was named and has not come yet, with the line that named it. */
  readonly #wanted = new Map<string, { line: number; bytes: number }>();
  /** Projects whose files came: theirs are replaced as a whole. */
  readonly #replaced = new Set<number>();

  constructor(
    private readonly transaction: Transaction,
    private readonly files: Files,
    private readonly refuse: Refuse,
  ) {}

  async media(batch: readonly { line: number; entry: MediaLine }[]): Promise<void> {
    const projects = [...new Set(batch.map(({ entry }) => entry.project))];
    const rows = await this.transaction.all<{ id: number; content_type: string }>(
      sql`select id, content_type from project where id in (${join(projects)})`,
    );
    const types = new Map(rows.map(({ id, content_type }) => [id, content_type]));
    const anew = projects.filter((id) => !this.#replaced.has(id));
    if (anew.length) await dropMedia(this.transaction, anew);
    for (const id of anew) this.#replaced.add(id);
    const taken = await this.#taken(projects);
    for (const { line, entry } of batch) {
      const { project, number, position, sizes } = entry;
      if (!types.has(project)) this.refuse(line, `project: there is no project ${project}.`);
      if (types.get(project) === 'comment') this.refuse(line, 'project: a comment has no files.');
      for (const place of [`number ${project} ${number}`, `position ${project} ${position}`]) {
        if (taken.has(place))
          this.refuse(line, `${place.split(' ')[0]}: another file of the project has it.`);
        taken.add(place);
      }
      if (new Set(sizes.map(({ hash }) => hash)).size < sizes.length)
        this.refuse(line, 'sizes: must not hold one hash twice.');
      for (const { hash, bytes } of sizes) this.#wanted.set(hash, { line, bytes });
    }
    await insertMedia(
      this.transaction,
      batch.map(({ entry: { type: _, media_type, ...media } }): Media => ({ ...media, type: media_type })),
    );
  }

  async bytes(line: number, { hash, of, at, base64 }: BytesLine): Promise<void> {
    if (at === 0 && !this.#arriving) this.#arriving = { hash, of, parts: [], length: 0 };
    const arriving = this.#arriving;
    if (!arriving || arriving.hash !== hash || arriving.of !== of || arriving.length !== at)
      this.refuse(line, 'at: is not where the line before it ended.');
    const part = Buffer.from(base64, 'base64');
    arriving.parts.push(part);
    arriving.length += part.length;
    if (arriving.length > of) this.refuse(line, `of: there are more than ${of} bytes.`);
    if (arriving.length < of) return;
    this.#arriving = undefined;
    const whole = Buffer.concat(arriving.parts);
    if (new Bun.CryptoHasher('sha256').update(whole).digest('hex') !== hash)
      this.refuse(line, `hash: the bytes are not those of ${hash}.`);
    const wanted = this.#wanted.get(hash);
    if (wanted && wanted.bytes !== of) this.refuse(wanted.line, `sizes: ${hash} has ${of} bytes.`);
    this.#wanted.delete(hash);
    await this.files.put(hash, whole);
  }

  /** Before anything else than bytes is read. */
  betweenFiles(line: number): void {
    if (this.#arriving) this.refuse(line, `the bytes of ${this.#arriving.hash} have not ended.`);
  }

  /** What has not come must be there already. */
  async settle(line: number): Promise<void> {
    this.betweenFiles(line);
    for (const [hash, wanted] of this.#wanted) {
      if ((await this.files.size(hash)) !== wanted.bytes)
        this.refuse(wanted.line, `sizes: the bytes of ${hash} have not come.`);
    }
    this.#wanted.clear();
  }

  async #taken(projects: readonly number[]): Promise<Set<string>> {
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
