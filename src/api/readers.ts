import { NotSignedIn } from '../errors.ts';
import { type Act, demandEver } from '../gallery/permissions.ts';
import { type Reader, visitor } from '../gallery/readers.ts';
import type { Caller } from '../rest/view.ts';

/** Everybody is a visitor: no key has been given out that could be shown. */
export const readers: Caller<Reader> = {
  async authenticate({ headers }) {
    if (/^(token|bearer)\s/i.test(headers.get('Authorization') ?? ''))
      throw new NotSignedIn('Invalid token.');
    return visitor;
  },
};

/** The permission of an operation, from the table of who may do what. */
export const needs = (act: Act) => (reader: Reader) => demandEver(reader, act);
