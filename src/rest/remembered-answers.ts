// Answers that visitors got lately, to be given again while nothing has changed. Bounded in bytes; the
// oldest go first. Only what anybody may read comes in here: see `isAnonymous`.

import type { Answer } from './answer.ts';

interface Remembered {
  readonly answer: Answer;
  readonly generation: number;
  readonly bytes: number;
}

/** What an entry costs beside its text: headers, key, bookkeeping. */
const overhead = 1500;

/** A request whose answer may depend on who makes it, or on a preference, is neither answered from here nor kept. */
export function isAnonymous({ headers }: Request): boolean {
  return !headers.has('Authorization') && !headers.has('Cookie') && !headers.has('Prefer');
}

export class RememberedAnswers {
  #answers = new Map<string, Remembered>();
  #bytes = 0;

  constructor(private readonly mostBytes: number) {}

  find(key: string, generation: number | undefined): Answer | undefined {
    const found = this.#answers.get(key);
    if (!found) return undefined;
    if (found.generation === generation) return found.answer;
    this.#forget(key, found);
    return undefined;
  }

  /** `generation` must have been read before the answer's data was. */
  keep(key: string, answer: Answer, generation: number): void {
    const earlier = this.#answers.get(key);
    if (earlier) this.#forget(key, earlier);
    const bytes = overhead + 2 * (answer.body.length + key.length);
    if (bytes > this.mostBytes / 100) return;
    this.#answers.set(key, { answer, generation, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#answers) {
      if (this.#bytes <= this.mostBytes) return;
      this.#forget(oldest, entry);
    }
  }

  #forget(key: string, { bytes }: Remembered): void {
    this.#answers.delete(key);
    this.#bytes -= bytes;
  }
}
