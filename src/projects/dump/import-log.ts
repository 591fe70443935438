// The change log during an import. Either the dump brings its log to a gallery that has none, or each line is entered
// as imported, in the order of the lines.

import { addHashes, execute, type Row, type Transaction } from '#sql';
import { changeArchiveTable, type changeHeadTable, changeTable } from '../../core/changes/tables.ts';
import type { Instant } from '../../core/instant.ts';
import { expectSurplusVersions } from '../history/thin-history.ts';
import { type ChangeLine, toChangeRow } from './change-line.ts';

/** The kind of lines whose import is logged, if it describes them. */
interface LoggedKind<Line> {
  readonly format: { readonly type: string };
  describeChange?(line: Line, text: string): ImportedChange;
}

/** Lines that follow each other and are entered, with the number of the first. */
interface Run {
  readonly line: number;
  readonly number: number;
  count: number;
}

export class ImportLog {
  /** The number of the gallery's last change before the import. */
  readonly sequenceBefore: number;
  /** Of the last change so far. */
  #hash: string;
  /** The number of the last change that the dump brought, and of the last in its files. */
  #lastInDump = 0;
  #lastArchived = 0;
  /** That of the last line of a change. */
  #lastLine = 0;
  #changes = 0;
  /** The lines that are entered. */
  readonly #runs: Run[] = [];

  constructor(
    private readonly transaction: Transaction,
    head: Row<typeof changeHeadTable>,
    private readonly at: Instant,
    private readonly refuse: (lineNumber: number, reason: string) => never,
  ) {
    this.sequenceBefore = head.last;
    this.#hash = head.hash;
  }

  get isTakenOver(): boolean {
    return this.sequenceBefore === 0 && this.#lastInDump > 0;
  }

  hasTakenOver(number: number): boolean {
    return this.isTakenOver && number <= this.#lastInDump;
  }

  /** The number of changes in the dump that a gallery with a log of its own does not take over. */
  get leftOut(): number {
    return this.isTakenOver ? 0 : this.#changes;
  }

  /** A file with the oldest changes that the dump brings, before all other lines. */
  async addArchive(lineNumber: number, file: Row<typeof changeArchiveTable>): Promise<void> {
    if (this.#lastLine + this.#runs.length > 0 || file.first > file.last || file.first <= this.#lastArchived)
      this.refuse(lineNumber, 'first: must follow the changes of the file before.');
    this.#lastArchived = this.#lastInDump = file.last;
    this.#changes += file.last - file.first + 1;
    if (!this.isTakenOver) return;
    this.#hash = file.change_hash;
    await this.transaction.insert(changeArchiveTable, [file]);
  }

  /** For changes that the dump brings. Those that are in its files too are in the chain of hashes there. */
  async addChanges(batch: Batch<ChangeLine>): Promise<void> {
    let last = this.#lastLine;
    for (const { lineNumber, entry } of batch) {
      if (this.#runs.length > 0) this.refuse(lineNumber, 'changes must come before all other lines.');
      if (entry.number <= last) this.refuse(lineNumber, `number: must be higher than ${last}.`);
      last = entry.number;
    }
    this.#lastLine = last;
    this.#lastInDump = Math.max(last, this.#lastArchived);
    const rows = batch.map(({ entry }) => ({ ...toChangeRow(entry), hash: '' }));
    const archived = rows.filter(({ sequence }) => sequence <= this.#lastArchived);
    this.#changes += rows.length - archived.length;
    if (!this.isTakenOver) return;
    await this.transaction.insert(changeTable, archived);
    await this.#insert(rows.slice(archived.length));
  }

  async enter<Line>({ format, describeChange }: LoggedKind<Line>, batch: Batch<Line>): Promise<void> {
    if (!describeChange) return;
    const numbers = batch.map(({ lineNumber }) => this.#nextNumber(lineNumber));
    if (this.isTakenOver) return;
    const rows = batch.map(({ text, entry }, index) => {
      const { subject, record = '', owner = null, isListed = false } = describeChange(entry, text);
      return {
        sequence: numbers[index] as number,
        at: this.at,
        actor: null,
        action: 'imported',
        kind: format.type,
        subject,
        record,
        owner,
        listed: isListed ? 1 : 0,
      };
    });
    await this.#insert(rows);
  }

  #nextNumber(line: number): number {
    const number = this.#lastNumber + 1;
    const run = this.#runs.at(-1);
    if (run && line === run.line + run.count) run.count++;
    else this.#runs.push({ line, number, count: 1 });
    return number;
  }

  get #lastNumber(): number {
    const run = this.#runs.at(-1);
    return run ? run.number + run.count - 1 : this.sequenceBefore;
  }

  async #insert(changes: readonly Omit<Row<typeof changeTable>, 'hash'>[]): Promise<void> {
    const rows = addHashes(changes, this.#hash);
    this.#hash = rows.at(-1)?.hash ?? this.#hash;
    await this.transaction.insert(changeTable, rows);
  }

  /** The line that was entered with this number. */
  lineOf(sequence: number): number {
    const run = this.#runs.findLast(({ number }) => number <= sequence);
    if (!run) throw new Error(`no line was entered with the number ${sequence}`);
    return run.line + sequence - run.number;
  }

  /** Nothing was deleted here yet, whatever was deleted where the log comes from. */
  async finish(): Promise<void> {
    const last = this.isTakenOver ? this.#lastInDump : this.#lastNumber;
    await execute(this.transaction)`update change_head set last = ${last}, hash = ${this.#hash}`;
    if (this.isTakenOver) await execute(this.transaction)`update overwritten set sequence = ${last}`;
    else if (this.sequenceBefore === 0) return;
    await expectSurplusVersions(this.transaction, this.isTakenOver ? 0 : this.sequenceBefore);
  }
}

// Lines of one kind that are imported together.

export interface ImportedLine<Line> {
  readonly lineNumber: number;
  readonly text: string;
  readonly entry: Line;
}

export type Batch<Line> = readonly ImportedLine<Line>[];

/** The entry for an imported line in the change log. */
export interface ImportedChange {
  readonly subject: number;
  /** The line's text. Without it, the change log says only that the line was imported. */
  readonly record?: string;
  readonly owner?: number;
  /** Whether visitors' listings have it. */
  readonly isListed?: boolean;
}

/** The entries of a batch, each key once, with the last entry that has the key. */
export const keepLast = <Line>(batch: Batch<Line>, keyOf: (entry: Line) => number | string): Line[] => [
  ...new Map(batch.map(({ entry }) => [keyOf(entry), entry])).values(),
];
