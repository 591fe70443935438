// How people's words are compared: folded for sorting, split into words for searching. Both databases keep what
// is made here, so that neither's own idea of an alphabet can tell.

/** Without case and accents: compatibility decomposition, marks dropped, lower case. */
export function fold(text: string): string {
  return isPlain(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Long enough for every title as people write them; PostgreSQL's indexes take no more than 2,700 bytes. */
const sortKeyLength = 600;

export function sortKey(text: string): string {
  const folded = fold(text);
  return folded.length <= sortKeyLength ? folded : [...folded].slice(0, sortKeyLength).join('');
}

const word = /[\p{L}\p{N}]+/gu;
const wordLength = 60;
/** Scripts that put no spaces between words: every character and every pair of neighbours counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** The words of a text, as they are kept for searching. */
export function wordsOf(text: string): string[] {
  return split(text, (run) => [...singles(run), ...pairs(run)]);
}

/** The words to look for; of a run without spaces its pairs suffice. */
export function wordsSought(text: string): string[] {
  return split(text, (run) => (singles(run).length === 1 ? [run] : pairs(run)));
}

function split(text: string, splitRun: (run: string) => string[]): string[] {
  if (isPlain(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(shortened);
  return (fold(text).match(word) ?? []).flatMap((found) => splitUnspaced(found, splitRun));
}

function splitUnspaced(found: string, splitRun: (run: string) => string[]): string[] {
  const runs = found.match(unspaced);
  if (!runs) return [shortened(found)];
  const others = found.replace(unspaced, ' ').split(' ').filter(Boolean);
  return [...others.map(shortened), ...runs.flatMap(splitRun)];
}

function shortened(found: string): string {
  return found.length <= wordLength ? found : [...found].slice(0, wordLength).join('');
}

const singles = (run: string) => [...run];

function pairs(run: string): string[] {
  const characters = singles(run);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}
