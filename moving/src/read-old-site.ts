// Reads the old site into the staging file: everything the first time, afterwards what has changed.

import { OperatorError } from '../../packages/common/src/errors.ts';
import { type ContentType, listedTypes } from '../../src/core/content-types.ts';
import { type ListedRecord, Listing } from './listing.ts';
import { type OldSite, Refusal } from './old-site.ts';
import { parseRecord } from './record.ts';
import type { KnownRecord, Run, Staging } from './staging.ts';

interface ReadOptions {
  /** Reads everything, also if the old site could tell what has changed. */
  readonly readsAll: boolean;
  readonly progress: Progress;
}

/** Called with the records read so far, and with the number of all if all are read. */
export type Progress = (
  phase: 'Reading' | 'Reading what has changed' | 'Looking again',
  read: number,
  total: number | undefined,
) => void;

/** Changes of this time before the last run are read again: a transaction may take a while. */
const overlapMs = 5 * 60_000;
/** How often the listings are compared with what was read, and read again where they differ. */
const maxRounds = 3;
/** More records than this do not go at once, if they are most of what the listing had: the listing is wrong. */
const maxGone = 100;

/** What the old site can do. */
export interface Abilities {
  /** How many items it has. */
  readonly total: number;
  /** It can list what has changed since. */
  readonly knowsModified: boolean;
}

/** Throws for an address that is not that of such an API. */
export async function findAbilities(site: OldSite): Promise<Abilities> {
  const total = await new Listing(site, {}).count();
  await requireTypeFilter(site, total);
  return { total, knowsModified: total > 0 && (await hasModifiedFilter(site)) };
}

/** Returns sentences about items that were not found, because the old site changed too fast or has other types. */
export async function readOldSite(
  site: OldSite,
  { total, knowsModified }: Abilities,
  staging: Staging,
  options: ReadOptions,
): Promise<string[]> {
  const interrupted = staging.run;
  const goesOn = interrupted && (interrupted.readsAll || !options.readsAll);
  const run = goesOn
    ? interrupted
    : {
        readsAll: options.readsAll || !knowsModified || staging.completeSince === undefined,
        begun: new Date((site.answeredAt ?? new Date()).getTime() - overlapMs).toISOString(),
        finishedTypes: [],
      };
  return new Reading(site, staging, run, knowsModified, total, options.progress).read();
}

/** A site that ignored the filter would give every record every type. */
async function requireTypeFilter(site: OldSite, total: number): Promise<void> {
  if (total === 0) return;
  const texts = await new Listing(site, { content_type: 'text' }).count();
  const photos = await new Listing(site, { content_type: 'photo' }).count();
  if (texts === total && photos === total)
    throw new OperatorError(`${site.address}projects/ does not filter by content_type.`);
}

/** Nothing was changed in the future, unless the filter is ignored. */
async function hasModifiedFilter(site: OldSite): Promise<boolean> {
  try {
    return (await new Listing(site, { modified__gte: '2199-01-01T00:00:00Z' }).count()) === 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

class Reading {
  #phase: Parameters<Progress>[0];
  #read = 0;

  constructor(
    private readonly site: OldSite,
    private readonly staging: Staging,
    private run: Run,
    private readonly knowsModified: boolean,
    private readonly total: number,
    private readonly progress: Progress,
  ) {
    this.#phase = run.readsAll ? 'Reading' : 'Reading what has changed';
    const goesOnWithFirst = staging.run !== undefined && staging.completeSince === undefined;
    if (goesOnWithFirst) this.#read = staging.count();
  }

  async read(): Promise<string[]> {
    const { readsAll, begun, finishedTypes } = this.run;
    for (const type of listedTypes.filter((type) => !finishedTypes.includes(type))) {
      if (readsAll) await this.#readAll(type);
      else await this.#readChanged(type, this.staging.completeSince ?? begun);
      this.run = { ...this.run, finishedTypes: [...this.run.finishedTypes, type] };
      this.staging.saveRun(this.run);
    }
    if (readsAll) await this.#lookAgain();
    const problems = await this.#compareWithListings();
    for (const known of this.staging.findWithFormerNames()) await this.#readAgain(known, known.walk);
    this.staging.completeRun(this.run);
    return problems;
  }

  /** Reads records that have changed since the start. A site that cannot list them is read twice. */
  async #lookAgain(): Promise<void> {
    this.#phase = 'Looking again';
    this.#read = 0;
    for (const type of listedTypes) {
      if (this.knowsModified) await this.#readChanged(type, this.run.begun);
      else await this.#readAll(type);
    }
  }

  #listing(type: ContentType): Listing {
    return new Listing(this.site, { content_type: type });
  }

  #count(records: readonly ListedRecord[]): void {
    this.#read += records.length;
    const readsAll = this.run.readsAll && !(this.#phase === 'Looking again' && this.knowsModified);
    this.progress(this.#phase, this.#read, readsAll ? this.total : undefined);
  }

  async #readAll(type: ContentType): Promise<void> {
    const interrupted = this.run.walk?.type === type ? this.run.walk : undefined;
    const number = interrupted?.number ?? this.staging.nextWalk();
    await this.#listing(type).walk({
      after: interrupted,
      store: (records, position) => {
        this.run = { ...this.run, walk: { type, number, ...position } };
        this.staging.store(records, type, number, this.run);
        this.#count(records);
      },
    });
    this.run = { ...this.run, walk: undefined };
    this.staging.forgetTooLarge(type, number);
    const unseen = this.staging.findUnseen(type, number);
    const seen = this.staging.countListed(type) - unseen.length;
    if (unseen.length > Math.max(maxGone, seen))
      throw new OperatorError(
        `The listing of the type ${type} lacks ${unseen.length} records that it had before. Give the same credentials as before; if they have really gone, delete the file that ends in .adopt to start again.`,
      );
    for (const known of unseen) await this.#readAgain(known);
  }

  async #readChanged(type: ContentType, since: string): Promise<void> {
    const walk = this.staging.nextWalk();
    await new Listing(this.site, { content_type: type, modified__gte: since }).walk({
      store: (records) => {
        this.staging.store(records, type, walk);
        this.#count(records);
      },
    });
    // A record that the listing lacks is not in a filtered part of it either.
    for (const known of this.staging.findUnseen(type, 1)) await this.#readAgain(known);
  }

  /** One record by its own address: it may have gone. Without a walk, the listing does not have it. */
  async #readAgain({ id, type }: KnownRecord, walk = 0): Promise<void> {
    const data = await this.site.read(`projects/${id}/`);
    if (data === undefined) {
      this.staging.markGone(id);
      return;
    }
    const record = parseRecord(data);
    if (record.id !== id)
      throw new OperatorError(`${this.site.address}projects/${id}/ sends the record ${record.id}.`);
    this.staging.store([record], type, walk);
  }

  /** Looks at the end of each listing for what is newer, and reads a listing again if more or less was read than it has. */
  async #compareWithListings(): Promise<string[]> {
    for (let round = 1; ; round++) {
      const total = await new Listing(this.site, {}).count();
      const walk = this.staging.nextWalk();
      let sum = 0;
      const differing: { type: ContentType; count: number; held: number }[] = [];
      for (const type of listedTypes) {
        const count = await this.#listing(type).readEnd((records) => this.staging.store(records, type, walk));
        const held = this.staging.countListed(type);
        if (held !== count) differing.push({ type, count, held });
        sum += count;
      }
      if (differing.length === 0 && total <= sum) return [];
      if (round < maxRounds) {
        for (const { type } of differing) await this.#readAll(type);
        continue;
      }
      // More than the listing has: these have gone since they were read, and the next run finds out which.
      const problems = differing
        .filter(({ count, held }) => held < count)
        .map(
          ({ type, count, held }) => `The old site lists ${count} of the type ${type}; ${held} were read.`,
        );
      if (total > sum)
        problems.push(
          `The old site lists ${total} items; ${sum} have one of the types ${listedTypes.join(', ')}.`,
        );
      return problems;
    }
  }
}
