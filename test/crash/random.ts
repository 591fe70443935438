// Random values for writes.

export const words = 'lamp kite drum oven boat moss gear wool clay vase loom bell'.split(' ');
export const pick = <Value>(from: readonly Value[]): Value =>
  from[Math.floor(Math.random() * from.length)] as Value;
export const chance = (probability: number) => Math.random() < probability;

let uniqueWords = 0;
/** A word that is in no other text. */
export const uniqueWord = () => `zq${String(++uniqueWords).padStart(7, '0')}`;

export const randomTags = () =>
  [...new Set(Array.from({ length: Math.floor(Math.random() * 4) }, () => pick(words)))].join(', ');
export const randomText = () => `${pick(words)} `.repeat(1 + Math.floor(Math.random() ** 3 * 600)).trim();
