// Whoever asks for something may give it up, as a request does that has waited too long and is answered 503. They
// are told that nothing was changed: so what they asked for is not written any more.

import { AsyncLocalStorage } from 'node:async_hooks';

const wishes = new AsyncLocalStorage<Wish>();

export class Wish {
  givenUp = false;

  /** What `work` asks for, it asks for as long as the wish holds. */
  during<Result>(work: () => Promise<Result>): Promise<Result> {
    return wishes.run(this, work);
  }
}

/** The wish that this is done for. A queue must ask when it takes something in: later it does so for many. */
export function currentWish(): Wish | undefined {
  return wishes.getStore();
}
