// A language that nobody speaks, to try pages from right to left: the English texts between marks that turn them.

import { en, type Messages } from './en.ts';

/** Letters keep their shape, and words run from right to left, as in Arabic (RLO … PDF). */
const mirror = (text: string) =>
  text.replace(/(^|[}>])([^{}<>]+)/g, (_, before: string, words: string) => `${before}\u202e${words}\u202c`);

export const mirrored = Object.fromEntries(
  Object.entries(en).map(([name, text]) => [name, text.includes(' plural,') ? text : mirror(text)]),
) as Messages;
