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
const second = 1_000_000;

/** An account from anywhere, and an address for any name, may be guessed so many times as often as the one from the other. */
const looser = 10;

/** For how long an address from which somebody signed in is known to be theirs. */
const knownSeconds = 30 * 24 * 60 * 60;

interface Count {
  readonly subject: string;
  readonly most: number;
}

interface Counted {
  count: number;
  until: Instant;
}

export interface Guess {
  readonly counts: readonly Count[];
  /** What makes the address known. */
  readonly known?: string;
}

export class Guesses {
  constructor(
    private readonly database: Database,
    private readonly secret: string,
    /** How many wrong ones an address may have for a name. */
    private readonly limit: number,
  ) {}

  /** Counts a try before it is made, or refuses it. */
  async begin(username: string, address: string): Promise<Guess> {
    const name = usernameKey(username);
    const known = this.#subject('known', name, address);
    const here = { subject: this.#subject('here', name, address), most: this.limit };
    const elsewhere = [
      { subject: this.#subject('name', name), most: this.limit * looser },
      { subject: this.#subject('address', address), most: this.limit * looser },
    ];
    // Strangers cannot lock somebody out of where they are known.
    const counts = (await this.#standing(known)) ? [here] : [here, ...elsewhere];
    await this.#count(counts);
    return { counts, known };
  }

  /** The same for what has no password to be right or wrong, such as making accounts. */
  async beginSignUp(address: string): Promise<void> {
    await this.#count([{ subject: this.#subject('sign-up', address), most: this.limit * looser }]);
  }

  /** It was no wrong guess. */
  async takeBack({ counts }: Guess): Promise<void> {
    const subjects = join(counts.map(({ subject }) => subject));
    await this.database.change((transaction) =>
      transaction.run(sql`update guess set count = count - 1 where count > 0 and subject in (${subjects})`),
    );
  }

  /** The password was right: the address is known from now on, and begins anew. */
  async right({ counts: [here, ...elsewhere], known }: Guess): Promise<void> {
    if (elsewhere.length) await this.takeBack({ counts: elsewhere });
    await this.database.change(async (transaction) => {
      await transaction.run(sql`delete from guess where subject = ${here?.subject ?? ''}`);
      if (known === undefined) return;
      const until = now() + knownSeconds * second;
      await transaction.run(
        sql`insert into guess (subject, count, until) values (${known}, 0, ${until})
            on conflict (subject) do update set until = excluded.until`,
      );
    });
  }

  /** All are counted or none is. They come in one order always: else two at once could wait for each other. */
  async #count(counts: readonly Count[]): Promise<void> {
    // What is refused anyway is not worth a write.
    for (const { subject, most } of counts) {
      const counted = await this.#standing(subject);
      if (counted && counted.count >= most) this.#refuse(counted.until, most);
    }
    const at = now();
    const until = at + windowSeconds * second;
    await this.database.change(async (transaction) => {
      for (const { subject, most } of counts) {
        const counted = await transaction.first<Counted>(
          sql`insert into guess (subject, count, until) values (${subject}, 1, ${until})
              on conflict (subject) do update set
                count = case when guess.until > ${at} then guess.count + 1 else 1 end,
                until = case when guess.until > ${at} then guess.until else excluded.until end
              returning count, until`,
        );
        if (counted && counted.count > most) this.#refuse(counted.until, most);
      }
    });
  }

  #standing(subject: string): Promise<Counted | undefined> {
    return this.database.first<Counted>(
      sql`select count, until from guess where subject = ${subject} and until > ${now()}`,
    );
  }

  #refuse(until: Instant, most: number): never {
    const wait = Math.max(1, Math.ceil((until - now()) / second));
    throw new TooManyRequests('sign-in', most, wait, windowSeconds);
  }

  #subject(...parts: string[]): string {
    return createHmac('sha256', this.secret).update(parts.join('\n')).digest('base64url');
  }
}
