// Checks during an import that the dump is whole: what its last line says of the lines before it.

import { InvalidValue } from '#common/inputs.ts';
import { isJsonObject } from '#common/json.ts';
import {
  count,
  defineLine,
  type LineFormat,
  type LineOf,
  type Member,
  sha256,
  wholeNumber,
} from './line-format.ts';

/** The last line is shorter. */
const maxLastLineLength = 64 * 1024;

const advice = 'If you have changed the file on purpose, delete its first and its last line.';

export class DumpFrame {
  readonly #hasher = new Bun.CryptoHasher('sha256');
  /** The last bytes are hashed when it is known where the last line begins. */
  #held: Uint8Array[] = [];
  #heldLength = 0;
  #begins = false;
  #end: LastLine | undefined;

  constructor(
    private readonly refuse: (lineNumber: number, reason: string) => never,
    private readonly refuseFile: (reason: string) => never,
  ) {}

  begin(lineNumber: number): void {
    if (lineNumber > 1) this.refuse(lineNumber, 'must be the first line: a file is one dump.');
    this.#begins = true;
  }

  end(lineNumber: number, line: LastLine): void {
    if (!this.#begins) this.refuse(lineNumber, `the first line of this dump is missing. ${advice}`);
    this.#end = line;
  }

  /** Call it before any line. */
  requireOpen(lineNumber: number): void {
    if (this.#end) this.refuse(lineNumber, 'comes after the last line of the dump.');
  }

  /** Call it after the lines of these bytes are imported. */
  addBytes(bytes: Uint8Array): void {
    if (!this.#begins) return;
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
    for (;;) {
      const [first] = this.#held;
      if (!first || this.#heldLength - first.length < maxLastLineLength) return;
      this.#hasher.update(first);
      this.#held.shift();
      this.#heldLength -= first.length;
    }
  }

  /** Call it after the last line. */
  finish(): void {
    if (!this.#begins) return;
    if (!this.#end) this.refuseFile(`is cut off: its last line is missing. ${advice}`);
    const held = Buffer.concat(this.#held);
    this.#hasher.update(held.subarray(0, held.lastIndexOf('\n', -2) + 1));
    if (this.#hasher.digest('hex') !== this.#end.sha256)
      this.refuseFile(`is damaged: its last line does not match the lines before it. ${advice}`);
  }
}

/** Writes the first and the last line around those of an export. */
export class FrameWriter {
  readonly #hasher = new Bun.CryptoHasher('sha256');
  readonly counts: Record<string, number> = {};

  begin(): string {
    return this.#add(`${firstLine.stringify({ version: dumpVersion })}\n`);
  }

  /** The text of the lines. */
  join(lines: readonly string[]): string {
    const start = '{"type":"'.length;
    for (const line of lines) {
      const type = line.slice(start, line.indexOf('"', start));
      this.counts[type] = (this.counts[type] ?? 0) + 1;
    }
    return this.#add(`${lines.join('\n')}\n`);
  }

  end(): string {
    return `${lastLine.stringify({ lines: this.counts, sha256: this.#hasher.digest('hex') })}\n`;
  }

  #add(text: string): string {
    this.#hasher.update(text);
    return text;
  }
}

// The first and the last line of a dump. Dumps without them are of version 1, or made by hand.

const dumpVersion = 2;

const format = defineLine('vitrine-dump', { version: wholeNumber(dumpVersion) });

/** The first line of a later version may have other members too. */
export const firstLine: LineFormat<LineOf<typeof format>> = {
  ...format,
  parse: (values) =>
    Number(values.version) > dumpVersion
      ? `is of version ${Number(values.version)} of the dump, and this program reads versions up to ${dumpVersion}: use a newer version of Vitrine.`
      : format.parse(values),
};

export const lineCounts: Member<Readonly<Record<string, number>>> = {
  read(value) {
    if (!isJsonObject(value)) throw new InvalidValue('must be an object');
    return Object.fromEntries(Object.entries(value).map(([type, number]) => [type, count.read(number)]));
  },
  schema: { type: 'object', additionalProperties: count.schema },
};

/** `lines`: how many lines there are of each type. `sha256`: of all bytes before this line. */
export const lastLine = defineLine('end', { lines: lineCounts, sha256: sha256('a SHA-256') });

export type LastLine = LineOf<typeof lastLine>;
