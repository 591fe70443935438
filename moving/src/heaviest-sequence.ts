// Of a list of contributors, the largest part whose last names can be in order; of these parts, the likeliest.

import type { OldContributor } from './record.ts';

/** A last name that a contributor can have. */
export interface Candidate {
  readonly lastName: string;
  readonly rank: number;
  /** How likely it is. */
  readonly weight: number;
}

/** A contributor in the list. */
export interface Place {
  readonly contributor: OldContributor;
  readonly candidates: readonly Candidate[];
  /** The rank must be higher than that of the place before, not the same. */
  readonly isHigher: boolean;
}

export interface Sequence {
  readonly weight: number;
  /** Without the places of which no last name is in order. */
  readonly chosen: ReadonlyMap<Place, Candidate>;
}

/** The end of a sequence. */
interface Link {
  readonly place: Place;
  readonly candidate: Candidate;
  /** That of the whole sequence. */
  readonly weight: number;
  readonly previous: Link | undefined;
}

/** Ranks are from 1 to `highestRank`. */
export function findHeaviestSequence(places: readonly Place[], highestRank: number): Sequence {
  const ends = new HeaviestLinks(highestRank);
  for (const place of places) {
    const links = place.candidates.map((candidate): Link => {
      const previous = ends.findUpTo(place.isHigher ? candidate.rank - 1 : candidate.rank);
      return { place, candidate, weight: candidate.weight + (previous?.weight ?? 0), previous };
    });
    for (const link of links) ends.add(link);
  }
  const last = ends.findUpTo(highestRank);
  const chosen = new Map<Place, Candidate>();
  for (let link = last; link; link = link.previous) chosen.set(link.place, link.candidate);
  return { weight: last?.weight ?? 0, chosen };
}

/** A Fenwick tree: it finds the heaviest link up to a rank in logarithmic time. */
class HeaviestLinks {
  readonly #links: (Link | undefined)[] = [];

  constructor(private readonly highestRank: number) {}

  findUpTo(rank: number): Link | undefined {
    let found: Link | undefined;
    for (let at = rank; at > 0; at -= at & -at) found = heavier(found, this.#links[at]);
    return found;
  }

  add(link: Link): void {
    for (let at = link.candidate.rank; at <= this.highestRank; at += at & -at)
      this.#links[at] = heavier(this.#links[at], link);
  }
}

const heavier = (one: Link | undefined, other: Link | undefined): Link | undefined =>
  (other?.weight ?? 0) > (one?.weight ?? 0) ? other : one;
