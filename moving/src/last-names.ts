// Which part of a name is the last name: the API of the old site says only the whole name, but sorts by the last name. Each
// contributor gets a last name with which the old site's list is in order, in the order that explains the list best.

import { type Candidate, findHeaviestSequence, type Place, type Sequence } from './heaviest-sequence.ts';
import { orders, rankLastNames } from './last-name-orders.ts';
import { Listing } from './listing.ts';
import type { OldSite } from './old-site.ts';
import { guessLastName, type OldContributor, parseContributor } from './record.ts';
import type { Staging } from './staging.ts';

/** A line of the report: how the old site sorts, or what its list does not tell. */
export type Remark = { readonly note: string } | { readonly contributor?: number; readonly problem: string };

/** A contributor in the list by last names. */
interface Listed {
  readonly contributor: OldContributor;
  /** Those of the records, in the order of the list. */
  readonly ids: number[];
  /** The record before the first one has a higher id: where ids break ties, it has another last name. */
  readonly isAfterHigherId: boolean;
}

/** The last names with which the list is in order. */
interface Explanation extends Sequence {
  /** The names of the orders that explain the list equally well, that of the last names first. */
  readonly orders: readonly string[];
  readonly idsBreakTies: boolean;
  readonly places: readonly Place[];
}

/** The weight of a likely last name; a contributor of whom no last name is in order counts 0. */
const likely = 100;
/** With less for each contributor, a list is not sorted by last names. */
const leastWeight = 50;

/** Reads the list again only if somebody is new or has another name, or if everything is read again. */
export async function decideLastNames(
  site: OldSite,
  staging: Staging,
  readsAll: boolean,
): Promise<readonly Remark[]> {
  const contributors = staging.listContributors();
  const known = staging.lastNames;
  const isDecided = contributors.every(({ id, lastName }) => known.has(id) && lastName !== undefined);
  if (isDecided && !readsAll) return [];
  const list = await readList(
    site,
    new Map(contributors.map((contributor) => [contributor.id, contributor])),
  );
  const best = explain(list);
  const isSorted = best.weight >= leastWeight * list.length;
  const lastNames = new Map(contributors.map((contributor) => [contributor.id, guessLastName(contributor)]));
  if (isSorted)
    for (const [{ contributor }, { lastName }] of best.chosen) lastNames.set(contributor.id, lastName);
  staging.saveLastNames(lastNames);
  if (!isSorted)
    return [{ problem: 'The old site does not sort by contributor__last_name: all last names are guesses.' }];
  return [...describeOrder(best), ...listGuesses(best)];
}

async function readList(
  site: OldSite,
  contributors: ReadonlyMap<number, OldContributor>,
): Promise<readonly Listed[]> {
  const list = new Map<number, Listed>();
  let previous = 0;
  for await (const records of new Listing(site, {}, 'contributor__last_name').pages())
    for (const record of records) {
      if ('tooLarge' in record) continue;
      const { id } = record;
      const contributor = contributors.get(parseContributor(record).id);
      if (!contributor) continue;
      const listed = list.get(contributor.id);
      if (listed) listed.ids.push(id);
      else list.set(contributor.id, { contributor, ids: [id], isAfterHigherId: previous > id });
      previous = id;
    }
  return [...list.values()];
}

/** The best explanation, of each order with and without ids that break ties. */
function explain(list: readonly Listed[]): Explanation {
  const possible = list.map(({ contributor }) => listLastNames(contributor));
  const lastNames = possible.flatMap((candidates) => candidates.map(({ lastName }) => lastName));
  let best: Explanation = { orders: [], idsBreakTies: false, places: [], weight: -1, chosen: new Map() };
  for (const order of orders) {
    const ranks = rankLastNames(lastNames, order);
    const ranked = possible.map((candidates) =>
      candidates.map((candidate) => ({ ...candidate, rank: ranks.get(candidate.lastName) ?? 0 })),
    );
    for (const idsBreakTies of haveIdsInOrder(list) ? [true, false] : [false]) {
      const places = list.map(({ contributor, isAfterHigherId }, index) => ({
        contributor,
        candidates: ranked[index] ?? [],
        isHigher: idsBreakTies && isAfterHigherId,
      }));
      const sequence = findHeaviestSequence(places, ranks.size);
      const explanation = { orders: [order.name], idsBreakTies, places, ...sequence };
      const difference = compareExplanations(explanation, best);
      if (difference < 0) best = explanation;
      if (difference === 0) best = { ...best, orders: [...best.orders, order.name] };
    }
  }
  return best;
}

/** Whether the records of each contributor, which are ties, are in the order of their ids. */
function haveIdsInOrder(list: readonly Listed[]): boolean {
  const withTies = list.filter(({ ids }) => ids.length > 1);
  return (
    withTies.length > 0 && withTies.every(({ ids }) => ids.every((id, index) => id >= (ids[index - 1] ?? 0)))
  );
}

/**
 * The likeliest first, then the last word, the last two, …, none, the whole name. The last two weigh little: with no last
 * names at all, every list would be in order.
 */
function listLastNames(contributor: OldContributor): Omit<Candidate, 'rank'>[] {
  const { name } = contributor;
  const likeliest = { lastName: guessLastName(contributor), weight: likely };
  const words = name.split(' ');
  if (words.length === 1) return [likeliest, { lastName: name, weight: likely - 1 }];
  const parts = words
    .slice(1)
    .map((_, index) => words.slice(-1 - index).join(' '))
    .filter((part) => part !== likeliest.lastName)
    .map((lastName, index) => ({ lastName, weight: Math.max(likely - 1 - index, 90) }));
  return [likeliest, ...parts, { lastName: '', weight: 20 }, { lastName: name, weight: 10 }];
}

/** Below 0 if the first one is better. */
const compareExplanations = (one: Explanation, other: Explanation): number =>
  other.chosen.size - one.chosen.size ||
  Number(other.idsBreakTies) - Number(one.idsBreakTies) ||
  other.weight - one.weight;

/** If all orders explain the list equally well, it does not tell which one it has. */
function describeOrder(explanation: Explanation): Remark[] {
  const { places, chosen } = explanation;
  const names = explanation.orders.join('; ');
  if (chosen.size < places.length) {
    const problem = `No common order explains the old site's list by contributor__last_name. Nearest, with ${chosen.size} of ${places.length} contributors: ${names}.`;
    return [{ problem }];
  }
  if (explanation.orders.length === orders.length) return [];
  if (explanation.orders.length === 1) return [{ note: `The old site sorts last names ${names}.` }];
  return [{ note: `The old site sorts last names in one of these orders: ${names}.` }];
}

function listGuesses({ places, chosen }: Explanation): Remark[] {
  const possible = places.map((place) => listPossible(place, chosen.get(place)));
  const lower = findLowerBounds(possible);
  const upper = findLowerBounds(possible.toReversed().map((ranks) => ranks.map((rank) => -rank)));
  return places.flatMap((place, index) => {
    const { id, name } = place.contributor;
    const [lowest = 0, highest = 0] = [lower[index], -(upper.at(-1 - index) ?? 0)];
    const fitting = (possible[index] ?? []).filter((rank) => rank >= lowest && rank <= highest);
    if (fitting.length === 1) return [];
    const lastName = chosen.get(place)?.lastName ?? guessLastName(place.contributor);
    const reason = fitting.length === 0 ? 'none fits the order' : 'the order allows several';
    const problem = `The last name of ${JSON.stringify(name)} is a guess, ${JSON.stringify(lastName)}: ${reason}.`;
    return [{ contributor: id, problem }];
  });
}

/** The ranks that a contributor in order can have. Of two words, hardly anybody has the first as a part of the last name. */
function listPossible({ contributor, candidates }: Place, chosen: Candidate | undefined): number[] {
  if (!chosen) return [];
  const isCertain = chosen === candidates[0] && contributor.name.split(' ').length < 3;
  return (isCertain ? [chosen] : candidates).map(({ rank }) => rank);
}

/** For each place, the lowest rank that is not below those before it. */
function findLowerBounds(possible: readonly (readonly number[])[]): number[] {
  let bound = Number.NEGATIVE_INFINITY;
  return possible.map((ranks) => {
    const before = bound;
    const higher = ranks.filter((rank) => rank >= bound);
    if (higher.length > 0) bound = Math.min(...higher);
    return before;
  });
}
