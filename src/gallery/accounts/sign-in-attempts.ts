// Slows the guessing of passwords. A try is counted before the password is looked at, in the database, so that many
// at once, other processes and a restart change nothing; a right one is taken off again. The reasons for the three
// counts are in docs/decisions/0008-accounts.md. Of names and addresses only a keyed hash is kept.

import { createHmac } from 'node:crypto';
import sql, { join } from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { TooManyRequests } from '../../errors.ts';
import { usernameKey } from '../contributors/contributor.ts';
import { type Instant, now } from '../instant.ts';

const windowSeconds = 15 * 60;
const microsecondsPerSecond = 1_000_000;

/** An account from anywhere, and an address for any name, may be guessed so many times as often as the one from the other. */
const widerLimitFactor = 10;

/** For how long an address from which somebody signed in is known to be theirs. */
const knownAddressSeconds = 30 * 24 * 60 * 60;

interface AttemptLimit {
  readonly subject: string;
  readonly max: number;
}

interface AttemptCount {
  count: number;
  until: Instant;
}

export interface SignInAttempt {
  readonly limits: readonly AttemptLimit[];
  /** What makes the address known. */
  readonly knownAddress?: string;
}

export class SignInAttempts {
  constructor(
    private readonly database: Database,
    private readonly secret: string,
    /** How many wrong ones an address may have for a name. */
    private readonly limit: number,
  ) {}

  /** Counts a try before it is made, or refuses it. */
  async begin(username: string, address: string): Promise<SignInAttempt> {
    const name = usernameKey(username);
    const knownAddress = this.#hashSubject('known', name, address);
    const fromAddress = { subject: this.#hashSubject('here', name, address), max: this.limit };
    const elsewhere = [
      { subject: this.#hashSubject('name', name), max: this.limit * widerLimitFactor },
      { subject: this.#hashSubject('address', address), max: this.limit * widerLimitFactor },
    ];
    // Strangers cannot lock somebody out of where they are known.
    const limits = (await this.#findCount(knownAddress)) ? [fromAddress] : [fromAddress, ...elsewhere];
    await this.#increment(limits);
    return { limits, knownAddress };
  }

  /** The same for what has no password to be right or wrong, such as making accounts. */
  async countSignUp(address: string): Promise<void> {
    await this.#increment([
      { subject: this.#hashSubject('sign-up', address), max: this.limit * widerLimitFactor },
    ]);
  }

  /** It was no wrong guess. */
  async cancel({ limits }: SignInAttempt): Promise<void> {
    const subjects = join(limits.map(({ subject }) => subject));
    await this.database.transaction((transaction) =>
      transaction.run(sql`update guess set count = count - 1 where count > 0 and subject in (${subjects})`),
    );
  }

  /** The password was right: the address is known from now on, and begins anew. */
  async succeed({ limits: [fromAddress, ...elsewhere], knownAddress }: SignInAttempt): Promise<void> {
    if (elsewhere.length) await this.cancel({ limits: elsewhere });
    await this.database.transaction(async (transaction) => {
      await transaction.run(sql`delete from guess where subject = ${fromAddress?.subject ?? ''}`);
      if (knownAddress === undefined) return;
      const until = now() + knownAddressSeconds * microsecondsPerSecond;
      await transaction.run(
        sql`insert into guess (subject, count, until) values (${knownAddress}, 0, ${until})
            on conflict (subject) do update set until = excluded.until`,
      );
    });
  }

  /** All are counted or none is. They come in one order always: else two at once could wait for each other. */
  async #increment(limits: readonly AttemptLimit[]): Promise<void> {
    // What is refused anyway is not worth a write.
    for (const { subject, max } of limits) {
      const current = await this.#findCount(subject);
      if (current && current.count >= max) this.#refuse(current.until, max);
    }
    const at = now();
    const until = at + windowSeconds * microsecondsPerSecond;
    await this.database.transaction(async (transaction) => {
      for (const { subject, max } of limits) {
        const current = await transaction.first<AttemptCount>(
          sql`insert into guess (subject, count, until) values (${subject}, 1, ${until})
              on conflict (subject) do update set
                count = case when guess.until > ${at} then guess.count + 1 else 1 end,
                until = case when guess.until > ${at} then guess.until else excluded.until end
              returning count, until`,
        );
        if (current && current.count > max) this.#refuse(current.until, max);
      }
    });
  }

  #findCount(subject: string): Promise<AttemptCount | undefined> {
    return this.database.first<AttemptCount>(
      sql`select count, until from guess where subject = ${subject} and until > ${now()}`,
    );
  }

  #refuse(until: Instant, max: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((until - now()) / microsecondsPerSecond));
    throw new TooManyRequests('sign-in', max, retryAfterSeconds, windowSeconds);
  }

  #hashSubject(...parts: string[]): string {
    return createHmac('sha256', this.secret).update(parts.join('\n')).digest('base64url');
  }
}
