// Limits guesses of passwords. An attempt is counted in the database before the password is checked, so that parallel
// requests, several processes and restarts do not weaken the limit; a correct password is counted apart.
// docs/decisions/0008-accounts.md gives the reasons for the counts. Names and addresses are stored as keyed
// hashes only.

import { randomBytes } from 'node:crypto';
import { join } from 'sql-template-tag';
import { TooManyRequests } from '#common/errors.ts';
import { Networks } from '#common/networks.ts';
import type { Turn } from '#common/request-queue.ts';
import { isSameSecret, type Secret, sign, signaturesOf } from '#common/signature.ts';
import {
  type Database,
  execute,
  executeAlone,
  executeReturning,
  first,
  pick,
  type RowOf,
  type Transaction,
} from '#sql';
import { usernameKey } from '../contributors/contributor.ts';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';
import { signInAttemptTable } from './tables.ts';

const windowSeconds = 15 * 60;

const widerLimitFactor = 10;

const daySeconds = 24 * 60 * 60;
const maxMailsPerDay = 10;
const maxNoticesPerDay = 20;
/** From one network address for one name, so that nobody alone uses up what its owner may request. */
const maxPasswordLinksPerDay = 3;

/** How long an address counts as known after a sign-in from it. */
const knownAddressSeconds = 30 * 24 * 60 * 60;

interface AttemptLimit {
  readonly subject: string;
  readonly max: number;
}

const countColumns = pick(signInAttemptTable.columns, 'count', 'until');
type AttemptCount = RowOf<typeof countColumns>;

/** Who signs in, by which name and from where. */
export interface Sender {
  readonly name: string;
  /** Undefined if nobody has the name. */
  readonly contributor: number | undefined;
  readonly client: Client;
}

export interface SignInAttempt {
  readonly limits: readonly AttemptLimit[];
  /** The subject that marks the address as known for this name. */
  readonly knownAddress: string;
  /** Counts the right passwords of the account. */
  readonly right: AttemptLimit;
  /** Among those who wait. */
  readonly turn: Turn;
}

interface SignInLimits {
  /** How many wrong passwords one address may send for one name. */
  readonly signInLimit: number;
  /** Networks of the operator: many people share each address. */
  readonly sharedNetworks: readonly string[];
}

export class SignInAttempts {
  readonly #devices: KnownDevices;
  readonly #sharedNetworks: Networks;
  readonly #limit: number;
  /** For one account from all addresses, for one address with all names, and for right passwords of an account. */
  readonly #widerLimit: number;

  constructor(
    private readonly database: Database,
    private readonly secret: Secret,
    { signInLimit, sharedNetworks }: SignInLimits,
  ) {
    this.#sharedNetworks = new Networks(sharedNetworks);
    this.#devices = new KnownDevices(secret);
    this.#limit = signInLimit;
    this.#widerLimit = signInLimit * widerLimitFactor;
  }

  /** Throws TooManyRequests if an attempt would be refused now. A refused attempt costs no write and no hashing. */
  async requireRoom(sender: Sender): Promise<Turn> {
    const { limits, right, turn } = await this.#findLimits(sender);
    await this.#requireRoom([right, ...limits]);
    return turn;
  }

  /** Counts an attempt, or throws TooManyRequests. */
  async begin(sender: Sender): Promise<SignInAttempt> {
    const attempt = await this.#findLimits(sender);
    await this.#requireRoom([attempt.right]);
    await this.#increment(attempt.limits);
    return attempt;
  }

  async #findLimits({ name: typed, contributor, client }: Sender): Promise<SignInAttempt> {
    const { address } = client;
    const name = usernameKey(typed);
    const device = contributor === undefined ? undefined : this.#devices.find(client.device, contributor);
    const place = device === undefined ? address : `device ${device}`;
    const here = this.#atMost(this.#limit, 'here', name, place);
    const knownAddress = this.#hashSubject('known', name, address);
    const right = this.#atMost(this.#widerLimit, 'right', name);
    const isKnown = device !== undefined || (await this.#findCount(knownAddress)) !== undefined;
    // Strangers cannot lock people out where these are known.
    const limits = isKnown ? [here] : [here, ...(await this.#findWiderLimits(name, address, here))];
    return { limits, knownAddress, right, turn: { isKnown, name, address: place } };
  }

  async #findWiderLimits(name: string, address: string, here: AttemptLimit): Promise<AttemptLimit[]> {
    const byName = this.#atMost(this.#widerLimit, 'name', name);
    if (this.#sharedNetworks.has(address)) return [byName];
    // Whoever has not failed lately still has a place after others at the address have used up theirs.
    const hasFailed = Boolean((await this.#findCount(here.subject))?.count);
    const max = hasFailed ? this.#widerLimit : this.#widerLimit * widerLimitFactor;
    return [byName, this.#atMost(max, 'address', address)];
  }

  /** Counts a new account against its address. */
  async countSignUp(address: string): Promise<void> {
    await this.#increment([this.#atMost(this.#widerLimit, 'sign-up', address)]);
  }

  /** Counts a code of an invitation as wrong, before it is looked up: `cancel` undoes that. */
  async beginCode(address: string): Promise<Pick<SignInAttempt, 'limits'>> {
    const all = this.#atMost(this.#widerLimit * widerLimitFactor, 'codes');
    const here = this.#atMost(this.#widerLimit, 'codes from', address);
    const limits = this.#sharedNetworks.has(address) ? [all] : [here, all];
    await this.#increment(limits);
    return { limits };
  }

  /**
   * Counts a mail that somebody asks for: against the address that gets it or the name that was typed, the account and
   * the network address. Nobody can flood others with mails of the server.
   */
  async countMail(recipient: string, contributor: number | undefined, address: string): Promise<void> {
    const limits = [
      this.#atMost(maxMailsPerDay, 'mail to', recipient.toLowerCase()),
      ...(contributor === undefined ? [] : [this.#atMost(maxMailsPerDay, 'mail of', String(contributor))]),
      this.#atMost(this.#widerLimit, 'mail from', address),
    ];
    await this.#increment(limits, daySeconds);
  }

  /** Counts a request for a mail with a link for a new password. */
  async countPasswordLink(name: string, address: string): Promise<void> {
    const subject = this.#hashSubject('link from', name.toLowerCase(), address);
    await this.#increment([{ subject, max: maxPasswordLinksPerDay }], daySeconds);
    await this.countMail(name, undefined, address);
  }

  /** Counts a mail to an address that was found by a request; false if it has had too many. */
  allowsMailTo(recipient: string): Promise<boolean> {
    return this.#allowsMail('mail found', recipient.toLowerCase(), maxMailsPerDay);
  }

  /** Counts a mail about what happened to the account, which its owner can repeat without end; false after too many. */
  allowsNotice(contributor: number | null): Promise<boolean> {
    return this.#allowsMail('notice', String(contributor), maxNoticesPerDay);
  }

  async #allowsMail(reason: string, recipient: string, max: number): Promise<boolean> {
    try {
      await this.#increment([this.#atMost(max, reason, recipient)], daySeconds);
      return true;
    } catch (error) {
      if (error instanceof TooManyRequests) return false;
      throw error;
    }
  }

  /** Undoes the count: the password was not wrong. */
  async cancel({ limits }: Pick<SignInAttempt, 'limits'>): Promise<void> {
    const subjects = join(limits.map(({ subject }) => subject));
    await executeAlone(this.database)`update sign_in_attempt set count = count - 1
      where count > 0 and subject in (${subjects})`;
  }

  /** The password was correct: marks the address as known and resets its count. */
  async succeed({ limits: [here, ...elsewhere], knownAddress, right }: SignInAttempt): Promise<void> {
    if (elsewhere.length) await this.cancel({ limits: elsewhere });
    await this.database.transaction(async (transaction) => {
      await execute(transaction)`delete from sign_in_attempt where subject = ${here?.subject ?? ''}`;
      const until = now() + knownAddressSeconds * microsecondsPerSecond;
      await execute(transaction)`insert into sign_in_attempt (subject, count, until)
        values (${knownAddress}, 0, ${until})
        on conflict (subject) do update set until = excluded.until`;
      await this.#count(transaction, right, now(), windowSeconds);
    });
  }

  /** Counts all or none. The subjects always come in the same order; otherwise two transactions could deadlock. */
  async #increment(limits: readonly AttemptLimit[], seconds = windowSeconds): Promise<void> {
    await this.#requireRoom(limits, seconds);
    const at = now();
    await this.database.transaction(async (transaction) => {
      for (const limit of limits) {
        const current = await this.#count(transaction, limit, at, seconds);
        if (current && current.count > limit.max) this.#refuse(current.until, limit.max, seconds);
      }
    });
  }

  #count(transaction: Transaction, { subject }: AttemptLimit, at: Instant, seconds: number) {
    const until = at + seconds * microsecondsPerSecond;
    return executeReturning(transaction, countColumns)`insert into sign_in_attempt (subject, count, until)
      values (${subject}, 1, ${until})
      on conflict (subject) do update set
        count = case when sign_in_attempt.until > ${at} then sign_in_attempt.count + 1 else 1 end,
        until = case when sign_in_attempt.until > ${at} then sign_in_attempt.until else excluded.until end`;
  }

  async #requireRoom(limits: readonly AttemptLimit[], seconds = windowSeconds): Promise<void> {
    for (const { subject, max } of limits) {
      const current = await this.#findCount(subject);
      if (current && current.count >= max) this.#refuse(current.until, max, seconds);
    }
  }

  #findCount(subject: string): Promise<AttemptCount | undefined> {
    return first(this.database, countColumns)`from sign_in_attempt
      where subject = ${subject} and until > ${now()}`;
  }

  #refuse(until: Instant, max: number, seconds: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((until - now()) / microsecondsPerSecond));
    throw new TooManyRequests('sign-in', max, retryAfterSeconds, seconds);
  }

  #atMost(max: number, ...parts: string[]): AttemptLimit {
    return { subject: this.#hashSubject(...parts), max };
  }

  #hashSubject(...parts: string[]): string {
    return sign(this.secret, ...parts);
  }
}

// A browser that has signed in keeps a signed cookie with a mark for each account. There its owner can sign in while others
// who share the network address guess passwords. The cookie opens nothing by itself, and a guess counts on the device too.

/** Where somebody signs in. */
export interface Client {
  /** The network address. */
  readonly address: string;
  /** The cookie of the device, as it was sent. */
  readonly device?: string | undefined;
}

/** A shared screen is known for the last accounts that signed in there. */
const maxMarks = 10;
const markLength = 22;

export class KnownDevices {
  constructor(private readonly secret: Secret) {}

  /** The id of the device if this contributor has signed in there. */
  find(cookie: string | undefined, contributor: number): string | undefined {
    const { id, marks } = parse(cookie);
    const accepted = this.#marksOf(id, contributor);
    return marks.some((one) => accepted.some((mark) => isSameSecret(one, mark))) ? id : undefined;
  }

  /** The cookie after a sign-in there. */
  add(cookie: string | undefined, contributor: number): string {
    const { id, marks } = parse(cookie);
    const own = this.#marksOf(id, contributor);
    const others = marks.filter((mark) => !own.includes(mark));
    return [id, own[0], ...others.slice(0, maxMarks - 1)].join('.');
  }

  #marksOf(id: string, contributor: number): string[] {
    return signaturesOf(this.secret, 'device', id, contributor).map((mark) => mark.slice(0, markLength));
  }
}

function parse(cookie = ''): { id: string; marks: string[] } {
  const [id = '', ...marks] = /^[\w-]{22}(\.[\w-]{22})+$/.test(cookie) ? cookie.split('.') : [];
  return id === '' ? { id: randomBytes(16).toString('base64url'), marks } : { id, marks };
}
