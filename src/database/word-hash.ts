// While SQLite's full-text index collects the words of a transaction, it finds each in a hash table. The hash function
// is simple, so that a text can be made whose words all get into one slot: each word would be compared with all others.

const slotCount = 4096;
/** A long text of any language has fewer than 50. */
const maxWordsInSlot = 200;
const mainIndex = '0'.charCodeAt(0);

/** The words before the one with which too many different words would share a slot; nearly always all. */
export function withoutCollisions(words: readonly string[]): readonly string[] {
  if (words.length <= maxWordsInSlot) return words;
  const known = new Set<string>();
  const counts = new Uint8Array(slotCount);
  const end = words.findIndex((word) => {
    if (known.has(word)) return false;
    known.add(word);
    const slot = slotOf(word);
    const count = (counts[slot] ?? 0) + 1;
    counts[slot] = count;
    return count > maxWordsInSlot;
  });
  return end < 0 ? words : words.slice(0, end);
}

const encoder = new TextEncoder();
const bytes = new Uint8Array(1024);

/** The lowest bits of SQLite's hash: words that differ in them are in different slots of larger tables too. */
function slotOf(word: string): number {
  const { written } = encoder.encodeInto(word, bytes);
  let hash = 13;
  for (let at = written - 1; at >= 0; at--) hash = (hash << 3) ^ hash ^ (bytes[at] ?? 0);
  return ((hash << 3) ^ hash ^ mainIndex) & (slotCount - 1);
}
