// What has changed lately, as the change log tells: so that what was read before can be known to be still true.

export interface Logged {
  readonly sequence: number;
  readonly kind: string;
  readonly action: string;
  readonly subject: number;
}

/** More than this at once, and we do not look at each. */
export const mostAtOnce = 1000;
const projectsKept = 50_000;

export class Freshness {
  /** The number of the last change, once it is known. */
  generation: number | undefined;
  /** Before this, everything may have changed since. */
  #floor = 0;
  #changed = new Map<number, number>();

  /** Hears of all changes behind `generation` up to `last`, or of so many that the rest does not matter. */
  advance(last: number, changes: readonly Logged[]): void {
    if (this.generation === undefined || changes.length > mostAtOnce) this.#forget(last);
    else for (const change of changes) this.#hear(change);
    if (this.#changed.size > projectsKept) this.#forget(last);
    this.generation = last;
  }

  /** Whether the project may have changed after a generation. */
  changed(project: number, generation: number): boolean {
    return generation < this.#floor || (this.#changed.get(project) ?? 0) > generation;
  }

  #hear({ sequence, kind, action, subject }: Logged): void {
    if (['account', 'key', 'invitation'].includes(kind)) return;
    if ((kind === 'project' || kind === 'rating') && action !== 'imported')
      this.#changed.set(subject, sequence);
    else this.#forget(sequence);
  }

  #forget(sequence: number): void {
    this.#floor = sequence;
    this.#changed.clear();
  }
}
