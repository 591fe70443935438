// Lets page 45,000 cost what page 1 costs. For an order of a listing the position of every 500th row is
// remembered, so that a page far behind is sought from the nearest of them. They are found when they are first
// needed, by walking on from the last known one, and forgotten when anything in the gallery changes.

import type { Position } from './order.ts';

const stride = 500;
const listingsKept = 64;

interface Walk {
  readonly generation: number;
  /** positions[n] is that of row (n + 1) * stride. */
  readonly positions: Position[];
  /** The walk on, if one is under way: those who need it wait for the same one. */
  walking: Promise<void>;
}

/** The position of the row that stands `distance` rows behind the given one, or the first. */
type Step = (from: Position | undefined, distance: number) => Promise<Position | undefined>;

export class Milestones {
  #walks = new Map<string, Walk>();

  /** The last milestone at or before the row, and how many rows lie between. */
  async nearest(
    listing: string,
    generation: number | undefined,
    row: number,
    step: Step,
  ): Promise<{ from?: Position; rest: number }> {
    const wanted = Math.floor(row / stride);
    if (wanted === 0 || generation === undefined) return { rest: row };
    const walk = this.#walkOf(listing, generation);
    walk.walking = walk.walking.then(async () => {
      while (walk.positions.length < wanted) {
        const next = await step(walk.positions.at(-1), stride);
        if (!next) return;
        walk.positions.push(next);
      }
    });
    try {
      await walk.walking;
    } catch (error) {
      this.#walks.delete(listing);
      throw error;
    }
    const known = Math.min(wanted, walk.positions.length);
    return { from: walk.positions[known - 1], rest: row - known * stride };
  }

  #walkOf(listing: string, generation: number): Walk {
    let walk = this.#walks.get(listing);
    this.#walks.delete(listing);
    if (walk?.generation !== generation) walk = { generation, positions: [], walking: Promise.resolve() };
    this.#walks.set(listing, walk);
    if (this.#walks.size > listingsKept) this.#walks.delete(this.#walks.keys().next().value as string);
    return walk;
  }
}
