// What has changed lately, as the change log tells: so that what was read before can be known to be still true.

export interface ChangeLogEntry {
  readonly sequence: number;
  readonly kind: string;
  readonly action: string;
  readonly subject: number;
}

/** More than this at once, and we do not look at each. */
export const maxEntries = 1000;
const maxProjects = 50_000;

export class ChangeTracker {
  /** The number of the last change, once it is known. */
  generation: number | undefined;
  /** Before this, everything may have changed since. */
  #trackedSince = 0;
  #lastChanges = new Map<number, number>();

  /** Hears of all changes behind `generation` up to `last`, or of so many that the rest does not matter. */
  advance(last: number, changes: readonly ChangeLogEntry[]): void {
    if (this.generation === undefined || changes.length > maxEntries) this.#reset(last);
    else for (const change of changes) this.#track(change);
    if (this.#lastChanges.size > maxProjects) this.#reset(last);
    this.generation = last;
  }

  /** Whether the project may have changed after a generation. */
  hasChanged(project: number, generation: number): boolean {
    return generation < this.#trackedSince || (this.#lastChanges.get(project) ?? 0) > generation;
  }

  #track({ sequence, kind, action, subject }: ChangeLogEntry): void {
    if (['account', 'key', 'invitation'].includes(kind)) return;
    if ((kind === 'project' || kind === 'rating') && action !== 'imported')
      this.#lastChanges.set(subject, sequence);
    else this.#reset(sequence);
  }

  #reset(sequence: number): void {
    this.#trackedSince = sequence;
    this.#lastChanges.clear();
  }
}
