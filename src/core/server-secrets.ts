// The secrets of a gallery, created on first use and shared by all processes on the database.

import { z } from 'zod';
import { type Database, first, type Reader } from '#sql';
import { addDays, type Instant, microsecondsPerSecond, now } from './instant.ts';
import { secretTable } from './server-tables.ts';

export const getOrCreateSecret = async (database: Database, name: string): Promise<string> =>
  (await findSecret(database, name)) ?? createSecret(database, name);

/** No other gallery has it; it is no secret. */
export const readIdentity = async (database: Database): Promise<string> =>
  (await getOrCreateSecret(database, 'identity')).slice(0, 16);

export const findSecret = async (reader: Reader, name: string): Promise<string | undefined> =>
  (await first(reader, secretTable.columns)`from secret where name = ${name}`)?.value;

const newSecret = () => crypto.getRandomValues(new Uint8Array(32)).toHex();

function createSecret(database: Database, name: string): Promise<string> {
  return database.transaction(async (transaction) => {
    const secret = newSecret();
    await transaction.insertMissing(secretTable, [{ name, value: secret }]);
    return (await findSecret(transaction, name)) ?? secret;
  });
}

// Two of them only sign what clients send back, and are replaced now and then. By the others something is recognized that is
// stored: backups, the rows of an earlier import, links in mails.

const rotatedNames = ['cursors', 'sessions'] as const;
type RotatedName = (typeof rotatedNames)[number];

/** Signs from a time on, and is accepted until another one. The row of one that was never replaced has its value only. */
const periods = z.array(z.object({ value: z.string(), from: z.number(), until: z.number().nullable() }));
type Period = z.infer<typeof periods>[number];

const parsePeriods = (stored: string): Period[] =>
  stored.startsWith('[') ? periods.parse(JSON.parse(stored)) : [{ value: stored, from: 0, until: null }];

const readMs = 10_000;
/** All servers have read of the new one by then. */
const signsAfter = 60 * microsecondsPerSecond;
const acceptedDays = 7;

/** Replaces them. Returns when the earlier ones end: now, or after some days. */
export const rotateSecrets = (database: Database, isAtOnce: boolean): Promise<Instant> =>
  database.transaction(async (transaction) => {
    const at = now();
    const from = isAtOnce ? at : at + signsAfter;
    const end = isAtOnce ? at : addDays(at, acceptedDays);
    for (const name of rotatedNames) {
      const stored = await first(transaction, secretTable.columns)`from secret
        where name = ${name} ${transaction.forUpdate}`;
      const earlier = stored ? parsePeriods(stored.value) : [];
      const kept = earlier
        .map((one) => ({ ...one, until: Math.min(one.until ?? end, end) }))
        .filter(({ until }) => until > at);
      const value = JSON.stringify([{ value: newSecret(), from, until: null }, ...kept]);
      await transaction.upsert(secretTable, [{ name, value }]);
    }
    return end;
  });

/** The secrets of a server: those that are replaced now and then as they are at each moment. */
export class ServerSecrets {
  readonly cursors = () => this.#listAccepted('cursors');
  readonly sessions = () => this.#listAccepted('sessions');

  private constructor(
    private readonly database: Database,
    readonly imports: string,
    private periods: Readonly<Record<RotatedName, Period[]>>,
  ) {}

  static async open(database: Database): Promise<ServerSecrets> {
    const imports = await getOrCreateSecret(database, 'imports');
    return new ServerSecrets(database, imports, await loadPeriods(database));
  }

  /** Reads of new ones. Returns what ends it. */
  startInEachProcess(): () => Promise<void> {
    const read = async () => {
      this.periods = await loadPeriods(this.database);
    };
    // If the database fails, requests say so; it is read again.
    const timer = setInterval(() => void read().catch(() => {}), readMs);
    return async () => clearInterval(timer);
  }

  #listAccepted(name: RotatedName): [string, ...string[]] {
    const at = now();
    const accepted = this.periods[name].filter(({ until }) => until === null || until > at);
    const current = accepted.find(({ from }) => from <= at) ?? accepted[0];
    if (!current) throw new Error(`No secret for ${name}.`);
    return [current.value, ...accepted.filter((one) => one !== current).map(({ value }) => value)];
  }
}

async function loadPeriods(database: Database): Promise<Record<RotatedName, Period[]>> {
  const load = async (name: RotatedName) => parsePeriods(await getOrCreateSecret(database, name));
  return { cursors: await load('cursors'), sessions: await load('sessions') };
}
