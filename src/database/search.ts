// What the two databases keep of a project so that it is found, and what they are asked. Words arrive folded and
// parted, of letters and digits only: both databases take them as they are, so that both find the same.

/** The words of a project in order. No phrase reaches from one member into another, or from tag to tag. */
export interface SearchWords {
  readonly title: readonly string[];
  readonly tags: readonly (readonly string[])[];
  readonly name: readonly string[];
  readonly text: readonly string[];
  /** Words of a very long text that have no place: a phrase of them is found wherever they are. */
  readonly unpositioned: readonly string[];
}

/** All its words stand behind one another; of an open one the last is at least a word's beginning. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * How many words of a project can have a place, less what parts its members: PostgreSQL has no places beyond 16,383.
 */
export const maxPositions = 16_000;

/** Compares what is kept for searching with what it should be; right only while nobody writes. */
export interface SearchAudit {
  /** Those of the projects whose entry is missing, or is not exactly what these words make. */
  findMismatches(rows: readonly [project: number, words: SearchWords][]): Promise<number[]>;
  /** Projects that have an entry, and do not exist any more, or only as an empty place. */
  findOrphans(): Promise<number[]>;
}
