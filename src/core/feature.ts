// A feature says all about a capability of the gallery. Its folder in features/ has all of it, and features/index.ts lists it:
// who deletes both has a gallery without it. A part of the program that asks features for something declares the member here,
// with `declare module`, beside the code that asks.

export interface Feature {
  readonly name: string;
  /** A sentence for `vitrine features`. */
  readonly does: string;
  /** Why no gallery goes without it: `serve --without` refuses. */
  readonly neededBecause?: string;
  /** The features whose folders it may import. */
  readonly uses?: readonly Feature[];
}

let current: readonly Feature[] | undefined;

/** Called once, by features/index.ts, before anything asks. A feature comes after those that it uses. */
export function useFeatures(features: readonly Feature[]): readonly Feature[] {
  for (const [index, { name, uses = [] }] of features.entries())
    for (const used of uses)
      if (!features.slice(0, index).includes(used))
        throw new Error(`the feature ${name} uses ${used.name}, which is not listed before it`);
  current = features;
  return features;
}

/** A value that is made from all features when it is first needed. */
export function once<Value>(make: (features: readonly Feature[]) => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    if (!current) throw new Error('nobody has called useFeatures');
    result ??= { value: make(current) };
    return result.value;
  };
}

/** All features, in their order. */
export const listFeatures = once((features) => features);

/** Where a feature puts something into a list of the gallery: beside the entry of this name. */
export type PlaceOf<Name extends string> =
  | { readonly before: Name; readonly after?: undefined }
  | { readonly before?: undefined; readonly after: Name };
export type Place = PlaceOf<string>;

/** The place of an entry in a list, if it names one. */
export function placeOf({ before, after }: Partial<Place>): Place | undefined {
  if (before !== undefined) return { before };
  return after === undefined ? undefined : { after };
}

/** The list with what features put into it, also beside what others put there. A place that is not there stops the start. */
export function withAdded<Entry>(
  own: readonly Entry[],
  nameOf: (entry: Entry) => string,
  added: readonly (Place & { readonly entries: readonly Entry[] })[],
): Entry[] {
  const entriesAt = (side: 'before' | 'after', entry: Entry) =>
    added.filter((one) => one[side] === nameOf(entry)).flatMap(({ entries }) => entries.flatMap(around));
  const around = (entry: Entry): Entry[] => [
    ...entriesAt('before', entry),
    entry,
    ...entriesAt('after', entry),
  ];
  const all = own.flatMap(around);
  const names = new Set(all.map(nameOf));
  for (const { before, after } of added) {
    const place = before ?? after;
    if (!names.has(place)) throw new Error(`a feature puts something beside ${place}, which is not there`);
  }
  return all;
}
