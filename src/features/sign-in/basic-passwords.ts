// HTTP Basic with the password of an account, for clients that move here from a site that takes it. Off unless the operator
// turns it on. A password that was right is remembered in memory for a few minutes: such clients send it with each request.

import { Invalid, NotSignedIn } from '#common/errors.ts';
import { sign } from '#common/signature.ts';
import { findAccountByUsername } from '../../core/accounts/account.ts';
import type { SignInDependencies } from '../../core/accounts/dependencies.ts';
import type { Client } from '../../core/accounts/sign-in-attempts.ts';
import { findSecondFactor } from './second-factor/second-factor.ts';
import { signIn } from './sign-in.ts';

const rememberedMs = 5 * 60_000;
const maxRemembered = 1000;

export class BasicPasswords {
  readonly #secret = crypto.randomUUID();
  /** By a hash of the name and the password. */
  readonly #remembered = new Map<string, { readonly passwordHash: string; readonly until: number }>();

  constructor(private readonly deps: SignInDependencies) {}

  async verify(username: string, password: string, client: Client): Promise<string> {
    const key = sign(this.#secret, username, password);
    const known = this.#remembered.get(key);
    if (known && known.until > Date.now() && (await this.#isStillRight(username, known.passwordHash)))
      return known.passwordHash;
    this.#remembered.delete(key);
    const passwordHash = await this.#signIn(username, password, client);
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(key, { passwordHash, until: Date.now() + rememberedMs });
    return passwordHash;
  }

  async #isStillRight(username: string, passwordHash: string): Promise<boolean> {
    const account = await findAccountByUsername(this.deps.database, username);
    if (account?.password !== passwordHash || account.disabled !== null) return false;
    return (await findSecondFactor(this.deps.database, account.id)) === undefined;
  }

  async #signIn(username: string, password: string, client: Client): Promise<string> {
    try {
      const { passwordHash } = await signIn(this.deps, username, password, client);
      if (passwordHash !== undefined) return passwordHash;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
    }
    throw new NotSignedIn('Invalid username/password.');
  }
}
