// Letters of other scripts that look like Latin ones, and digits that look like letters. Full-width and mathematical
// letters are not here: the normal form NFKC makes them plain ones. The column `username_look` is made with it: a change here
// needs a migration that makes the column again.

/** The characters that look like each Latin letter, in lower case; first the Cyrillic ones, then the others. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  b: '\u0432\u044c',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u04bd',
  g: '\u0261\u0581',
  h: '\u043d\u04bb\u0570',
  i: '\u0456\u03b9\u0131',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  l: '\u04cf1',
  m: '\u043c',
  n: '\u0578\u03b7',
  o: '\u043e\u03bf\u05850',
  p: '\u0440\u03c1',
  q: '\u051b',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u03c5\u057d',
  v: '\u0475\u03bd',
  w: '\u051d\u03c9',
  x: '\u0445\u03c7',
  y: '\u0443\u03b3',
};

const pairs = Object.entries(lookAlikes).flatMap(([letter, characters]) =>
  [...characters].map((character): [string, string] => [character, letter]),
);
const letters: ReadonlyMap<string, string> = new Map(pairs);

/** Replaces all characters that look like a Latin letter. `key` is in lower case. */
export const lookOf = (key: string): string =>
  [...key].map((character) => letters.get(character) ?? character).join('');

/** The same in SQL, for migrations. */
export const lookOfUsernameSql = pairs.reduce(
  (expression, [character, letter]) => `replace(${expression}, '${character}', '${letter}')`,
  'username_key',
);
