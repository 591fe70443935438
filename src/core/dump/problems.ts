// The problems that a check of a dump lists. An import ends at the first one.

import { OperatorError } from '#common/errors.ts';

/** Why nothing is imported; without a line if it is the file as a whole. */
export class RefusedLine extends OperatorError {
  constructor(
    name: string,
    readonly lineNumber: number | undefined,
    readonly reason: string,
  ) {
    const place = lineNumber === undefined ? name : `${name}:${lineNumber}`;
    super(`${place}: ${reason} Nothing of this file was imported.`);
  }
}

export interface Problem {
  readonly lineNumber: number | undefined;
  readonly isBroken: boolean;
  readonly reason: string;
}

/** Ends a check: there is enough to repair. */
export class TooManyProblems extends Error {}

export const maxProblems = 100;

export class DumpProblems {
  readonly #broken: Problem[] = [];
  readonly #unusual: Problem[] = [];
  unusualCount = 0;

  get brokenCount(): number {
    return this.#broken.length;
  }

  addBroken({ lineNumber, reason }: Pick<Problem, 'lineNumber' | 'reason'>): void {
    this.#broken.push({ lineNumber, reason, isBroken: true });
    if (this.#broken.length >= maxProblems) throw new TooManyProblems();
  }

  addUnusual(lineNumber: number, reason: string): void {
    this.unusualCount++;
    if (this.#unusual.length < maxProblems) this.#unusual.push({ lineNumber, reason, isBroken: false });
  }

  /** Broken ones are never left out for unusual ones. In the order of the lines; those of the whole file come last. */
  list(): Problem[] {
    const place = ({ lineNumber = Number.MAX_SAFE_INTEGER }: Problem) => lineNumber;
    return [...this.#broken, ...this.#unusual]
      .slice(0, maxProblems)
      .sort((one, other) => place(one) - place(other));
  }
}
