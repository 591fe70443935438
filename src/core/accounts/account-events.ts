// Events of accounts, for the operator's log: who signed in, and who changed which account. Ids only: a name that was
// typed may be a password.

import { TooManyRequests } from '#common/errors.ts';
import type { Database } from '#sql';

export interface AccountEvent {
  /** For example `signed in` or `key created`. */
  readonly event: string;
  /** The contributor who did it; null for a visitor and for the operator. */
  readonly actor: number | null;
  /** Whose account it is; null for a name that nobody has. */
  readonly contributor: number | null;
  readonly key?: number;
}

type Listener = (event: AccountEvent) => void;

const listeners = new WeakMap<Database, Listener>();

/** One listener for each open database: commands have none. */
export function listenToAccountEvents(database: Database, listener: Listener): void {
  listeners.set(database, listener);
}

export function reportAccountEvent(database: Database, event: AccountEvent): void {
  listeners.get(database)?.(event);
}

/** Reports a wrong password, passkey or code, for which `check` has no result, and one that came after too many. */
export async function reportFailures<Result>(
  database: Database,
  contributor: number | null,
  secret: 'password' | 'passkey' | 'recovery code',
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const report = (event: string) => reportAccountEvent(database, { event, actor: null, contributor });
  try {
    const result = await check();
    if (result === undefined) report(`${secret} wrong`);
    return result;
  } catch (error) {
    if (error instanceof TooManyRequests) report(`${secret} refused`);
    throw error;
  }
}
