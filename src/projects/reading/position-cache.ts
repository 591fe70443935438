// Makes page 45,000 as fast as page 1. Keeps positions of an ordered listing with the number of rows before them; a page
// seeks from the nearest one. They are found where they are first needed, and adjusted by what has changed: see
// docs/decisions/0057-positions-that-stay.md.

import { currentLifetime, RequestLifetime } from '#common/request-lifetime.ts';
import { RequestQueue } from '#common/request-queue.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { Position } from '../../core/listing/order.ts';
import type { ProjectOrder } from '../project-order.ts';
import { KnownPositions, type PositionChanges, type PositionStep } from './read-positions.ts';

/** A page skips fewer rows than this. */
const maxGap = 1000;
/** A new position is about so many rows before the page, so that pages before and after it find it near. */
const rowsBefore = 500;
/** One statement skips this many rows: others wait behind it. */
const maxRows = 100_000;
const maxListings = 64;
/** Of all listings. */
const maxPositions = 200_000;

export interface PositionSource {
  /** Identifies the listing. */
  readonly key: string;
  readonly order: ProjectOrder;
  /** Otherwise positions are dropped when anything in the gallery changes. */
  readonly isAdjustable: boolean;
  /** The changes since the marker, and where a step ends. */
  read(marker: string | null, step?: PositionStep): Promise<PositionChanges>;
}

interface CachedListing {
  readonly known: KnownPositions;
  /** The state of the database at the last read; null if positions cannot be adjusted from there. */
  marker: string | null;
  /** The generation before the last read. */
  generation: number | undefined;
  /** How many reads have adjusted the positions. */
  version: number;
  /** The search for further positions; concurrent requests wait for the same one. */
  pending: Promise<void>;
}

export class PositionCache {
  /** Pages whose rows are sorted, one at a time: who waits for the thread of slow reads waits for one of them at most. */
  readonly sorts = new RequestQueue({ maxRunning: 1, maxWaiting: 128 });
  #listings = new Map<string, CachedListing>();

  /** The last known position at or before the row, and the number of rows between them. */
  async findNearest(
    source: PositionSource,
    generation: number | undefined,
    row: number,
  ): Promise<{ from?: Position | undefined; offset: number }> {
    if (row < maxGap || (generation === undefined && !source.isAdjustable)) return { offset: row };
    const listing = this.#findListing(source);
    if (generation === undefined || listing.generation !== generation || findGap(listing, row) >= maxGap)
      await this.#prepare(listing, source, generation, row);
    const { position, rank } = listing.known.findNearest(row);
    return { from: position, offset: row - rank };
  }

  async #prepare(
    listing: CachedListing,
    source: PositionSource,
    generation: number | undefined,
    row: number,
  ): Promise<void> {
    const find = async () => {
      await update(listing, source, generation);
      while (findGap(listing, row) >= maxGap) {
        currentLifetime()?.throwIfOver();
        if (!(await stepTowards(listing, source, generation, row))) return;
        this.#forgetOldest(listing);
      }
    };
    // Other requests may wait for the same positions: the search does not end with this request.
    const search = listing.pending.then(() =>
      new RequestLifetime(timeLimits.request, { replicas: 'late' }).withinTimeLimit(find),
    );
    listing.pending = search;
    try {
      await search;
    } catch (error) {
      // The next request continues from the positions that were found.
      if (listing.pending === search) listing.pending = Promise.resolve();
      throw error;
    }
  }

  #findListing({ key, order }: PositionSource): CachedListing {
    const listing = this.#listings.get(key) ?? {
      known: new KnownPositions(order),
      marker: null,
      generation: undefined,
      version: 0,
      pending: Promise.resolve(),
    };
    this.#listings.delete(key);
    this.#listings.set(key, listing);
    this.#forgetOldest(listing);
    return listing;
  }

  #forgetOldest(current: CachedListing): void {
    let count = this.#listings.values().reduce((sum, { known }) => sum + known.count, 0);
    for (const [key, listing] of this.#listings) {
      if ((this.#listings.size <= maxListings && count <= maxPositions) || listing === current) return;
      this.#listings.delete(key);
      count -= listing.known.count;
    }
  }
}

const findGap = ({ known }: CachedListing, row: number) => row - known.findNearest(row).rank;

/** Adjusts the positions by what has changed. */
async function update(listing: CachedListing, source: PositionSource, generation: number | undefined) {
  if (generation !== undefined && listing.generation === generation) return;
  if (listing.marker === null) listing.known.clear();
  if (listing.known.count === 0) listing.generation = generation;
  else await read(listing, source, generation);
}

/** Finds a position nearer to the row, and adjusts all by what has changed meanwhile. False if the listing ends before. */
async function stepTowards(
  listing: CachedListing,
  source: PositionSource,
  generation: number | undefined,
  row: number,
) {
  const { position, rank } = listing.known.findNearest(row);
  const rows = Math.min(row - rank - rowsBefore, maxRows);
  const changes = await read(listing, source, generation, { from: position, rows });
  // After a change, it may be necessary to begin again.
  if (!changes || (position && listing.known.count === 0)) return true;
  if (changes.found) listing.known.insert(position, rows, changes.found);
  return changes.found !== undefined;
}

/**
 * Undefined if another read has adjusted the positions meanwhile: a read continues when the time of its search is over, and
 * the next search uses its result.
 */
async function read(
  listing: CachedListing,
  source: PositionSource,
  generation: number | undefined,
  step?: PositionStep,
): Promise<PositionChanges | undefined> {
  const { version } = listing;
  const changes = await source.read(listing.marker, step);
  if (listing.version !== version) return undefined;
  listing.version++;
  if (changes.isComplete) listing.known.adjust(changes.removed, changes.added);
  else listing.known.clear();
  listing.marker = changes.marker;
  listing.generation = generation;
  return changes;
}
