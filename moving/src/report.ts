// A file with a line of JSON for each finding. It exists only if there is one.

import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { privateFileMode } from '../../packages/common/src/private-files.ts';

/** Numbers that JavaScript would round are texts. */
export function toReportedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
}

export class Report implements Disposable {
  #file: number | undefined;
  #bytes = 0;

  /** Lines are added to those that the file has. */
  constructor(
    readonly path: string,
    private readonly maxBytes = Number.POSITIVE_INFINITY,
  ) {}

  get hasLines(): boolean {
    return this.#file !== undefined;
  }

  /** A finding is left out if the file has no room for it. */
  add(finding: object): void {
    if (this.#file === undefined) {
      this.#file = openSync(this.path, 'a', privateFileMode);
      this.#bytes = fstatSync(this.#file).size;
    }
    const line = `${toReportedJson(finding)}\n`;
    if (this.#bytes + line.length > this.maxBytes) return;
    this.#bytes += writeSync(this.#file, line);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
