import { NotSignedIn } from '../errors.ts';
import { type Reader, visitor } from '../gallery/readers.ts';
import type { Caller } from '../rest/view.ts';

/** Everybody is a visitor: no key has been given out that could be shown. */
export const readers: Caller<Reader> = {
  async authenticate(request) {
    if (/^(token|bearer)\s/i.test(request.headers.get('Authorization') ?? ''))
      throw new NotSignedIn('Invalid token.');
    return visitor;
  },
};

export const anyone = () => {};

export const signedIn = (reader: Reader) => {
  if (reader.contributor === null) throw new NotSignedIn();
};
