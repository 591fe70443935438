// Lets page 45,000 cost what page 1 costs. For an order of a listing the position of every 500th row is
// remembered, so that a page far behind is sought from the nearest of them. They are found when they are first
// needed, by walking on from the last known one, and forgotten when anything in the gallery changes.

import type { Position } from './order.ts';

const stride = 500;
const maxListings = 64;

interface KnownPositions {
  readonly generation: number;
  /** positions[n] is that of row (n + 1) * stride. */
  readonly positions: Position[];
  /** The walk on, if one is under way: those who need it wait for the same one. */
  pending: Promise<void>;
}

/** The position of the row that stands `distance` rows behind the given one, or the first. */
type FindPosition = (from: Position | undefined, distance: number) => Promise<Position | undefined>;

export class PositionCache {
  #listings = new Map<string, KnownPositions>();

  /** The last milestone at or before the row, and how many rows lie between. */
  async nearest(
    listing: string,
    generation: number | undefined,
    row: number,
    findPosition: FindPosition,
  ): Promise<{ from?: Position; rest: number }> {
    const needed = Math.floor(row / stride);
    if (needed === 0 || generation === undefined) return { rest: row };
    const known = this.#positionsOf(listing, generation);
    known.pending = known.pending.then(async () => {
      while (known.positions.length < needed) {
        const next = await findPosition(known.positions.at(-1), stride);
        if (!next) return;
        known.positions.push(next);
      }
    });
    try {
      await known.pending;
    } catch (error) {
      this.#listings.delete(listing);
      throw error;
    }
    const usable = Math.min(needed, known.positions.length);
    return { from: known.positions[usable - 1], rest: row - usable * stride };
  }

  #positionsOf(listing: string, generation: number): KnownPositions {
    let known = this.#listings.get(listing);
    this.#listings.delete(listing);
    if (known?.generation !== generation) known = { generation, positions: [], pending: Promise.resolve() };
    this.#listings.set(listing, known);
    if (this.#listings.size > maxListings)
      this.#listings.delete(this.#listings.keys().next().value as string);
    return known;
  }
}
