// Which part of a name is the last name: the API of the old site says only the whole name, but sorts by the last name. Each
// contributor gets a last name with which the gallery's order agrees with that of the old site, where there is one.

import { sortKey } from '../../src/gallery/words.ts';
import { Listing } from './listing.ts';
import type { OldSite } from './old-site.ts';
import { guessLastName, type OldContributor, parseContributor } from './record.ts';
import type { Staging } from './staging.ts';

/** A line of the report: the order does not tell the last name. */
export interface Guess {
  readonly contributor?: number;
  readonly problem: string;
}

interface Choice {
  readonly lastName: string;
  readonly key: string;
}

/** Reads the order again only if somebody is new or has another name. */
export async function decideLastNames(site: OldSite, staging: Staging): Promise<readonly Guess[]> {
  const contributors = staging.listContributors();
  const known = staging.lastNames;
  const isDecided = contributors.every(({ id, lastName }) => known.has(id) && lastName !== undefined);
  if (isDecided) return [];
  const order = await readOrder(
    site,
    new Map(contributors.map((contributor) => [contributor.id, contributor])),
  );
  const { lastNames, guesses } = chooseLastNames(order);
  for (const contributor of contributors.filter(({ id }) => !lastNames.has(id)))
    lastNames.set(contributor.id, guessLastName(contributor));
  staging.saveLastNames(lastNames);
  return guesses;
}

/** Contributors by the first of their records in a list by last names. */
async function readOrder(
  site: OldSite,
  contributors: ReadonlyMap<number, OldContributor>,
): Promise<readonly OldContributor[]> {
  const order = new Map<number, OldContributor>();
  for await (const records of new Listing(site, {}, 'contributor__last_name').pages())
    for (const record of records) {
      if ('tooLarge' in record) continue;
      const contributor = contributors.get(parseContributor(record).id);
      if (contributor) order.set(contributor.id, contributor);
    }
  return [...order.values()];
}

/** For contributors in the order of their last names. Exported for the test. */
export function chooseLastNames(contributors: readonly OldContributor[]): {
  lastNames: Map<number, string>;
  guesses: Guess[];
} {
  const likely = contributors.map((contributor) => toChoice(guessLastName(contributor)));
  const anchors = findLongestOrder(likely.map(({ key }) => key));
  const lastNames = new Map<number, string>();
  // A list that is not sorted by last names tells nothing.
  if (anchors.size < contributors.length / 2) {
    const problem = 'The old site does not sort by contributor__last_name: all last names are guesses.';
    return { lastNames, guesses: [{ problem }] };
  }
  const guesses: Guess[] = [];
  const upperKeys = findNextKeys(likely, anchors);
  let lower = '';
  for (const [index, contributor] of contributors.entries()) {
    const fitting = listChoices(contributor).filter(
      ({ key }) => key >= lower && (upperKeys[index] === undefined || key <= upperKeys[index]),
    );
    const usual = likely[index] ?? toChoice('');
    const choice = anchors.has(index) ? usual : (fitting[0] ?? usual);
    lastNames.set(contributor.id, choice.lastName);
    if (fitting.length > 0) lower = choice.key;
    // Of two words, hardly anybody has the first as a part of the last name.
    if (fitting.length === 1 || (fitting.length > 1 && contributor.name.split(' ').length < 3)) continue;
    const reason = fitting.length === 0 ? 'none fits the order' : 'the order allows several';
    guesses.push({
      contributor: contributor.id,
      problem: `The last name of ${JSON.stringify(contributor.name)} is a guess, ${JSON.stringify(choice.lastName)}: ${reason}.`,
    });
  }
  return { lastNames, guesses };
}

const toChoice = (lastName: string): Choice => ({ lastName, key: sortKey(lastName) });

/** The last word, the last two, …, the whole name, and no last name. */
function listChoices({ name, username }: OldContributor): Choice[] {
  if (name === username) return [toChoice('')];
  const words = name.split(' ');
  const lastNames = words.map((_, index) => words.slice(words.length - 1 - index).join(' '));
  return [...lastNames, ''].map(toChoice);
}

/** For each place, the key of the next anchor. */
function findNextKeys(choices: readonly Choice[], anchors: ReadonlySet<number>): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  let next: string | undefined;
  for (let index = choices.length - 1; index >= 0; index--) {
    keys[index] = next;
    if (anchors.has(index)) next = choices[index]?.key;
  }
  return keys;
}

/** The places of the longest part of these keys that is in order. */
function findLongestOrder(keys: readonly string[]): ReadonlySet<number> {
  /** For each length, the place of the lowest key that ends a part of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, key] of keys.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[ends[middle] ?? 0] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const places = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = previous[place]) places.add(place);
  return places;
}
