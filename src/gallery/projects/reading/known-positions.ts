// The known positions of a listing: some places in its order, with the exact number of rows before each of them.

import { comparePositions, type Position } from '../../listing/order.ts';
import type { ProjectOrder } from '../order.ts';

export class KnownPositions {
  #positions: Position[] = [];
  #ranks: number[] = [];

  constructor(private readonly order: ProjectOrder) {}

  get count(): number {
    return this.#positions.length;
  }

  clear(): void {
    this.#positions = [];
    this.#ranks = [];
  }

  /** The last position that has at most this many rows before it; without a position, it is the start of the listing. */
  findNearest(row: number): { readonly position: Position | undefined; readonly rank: number } {
    const index = findFirst(this.#ranks, (rank) => rank > row) - 1;
    return { position: this.#positions[index], rank: this.#ranks[index] ?? 0 };
  }

  /** Adds positions after a known one: row `step`, row `2 * step` and so on, counted from there. */
  insert(after: Position | undefined, found: readonly Position[], step: number): void {
    const index = after ? this.#positions.indexOf(after) : -1;
    const start = this.#ranks[index] ?? 0;
    const end = this.#ranks[index + 1] ?? Number.POSITIVE_INFINITY;
    const ranks = found.map((_, place) => start + (place + 1) * step).filter((rank) => rank < end);
    this.#ranks = this.#ranks.toSpliced(index + 1, 0, ...ranks);
    this.#positions = this.#positions.toSpliced(index + 1, 0, ...found.slice(0, ranks.length));
  }

  /** Rows at these positions have left the listing, others have come. */
  adjust(removed: readonly Position[], added: readonly Position[]): void {
    const differences = new Map<number, number>();
    const count = (row: Position, difference: number) => {
      const next = findFirst(this.#positions, (known) => comparePositions(this.order, known, row) > 0);
      differences.set(next, (differences.get(next) ?? 0) + difference);
    };
    for (const row of removed) count(row, -1);
    for (const row of added) count(row, 1);
    let shift = 0;
    this.#ranks = this.#ranks.map((rank, index) => {
      shift += differences.get(index) ?? 0;
      return rank + shift;
    });
  }
}

/** The index of the first item for which it is true, which it is for all after it as well. */
function findFirst<Item>(items: readonly Item[], isTrue: (item: Item) => boolean): number {
  let start = 0;
  let end = items.length;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (isTrue(items[middle] as Item)) end = middle;
    else start = middle + 1;
  }
  return start;
}
