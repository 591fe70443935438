// The mails that are to be sent. A mail is queued in the transaction of the act that causes it, also by a command that
// cannot send any: a server with --smtp sends it (mail/mailer.ts). The texts are written when it is sent, and so are the
// secrets of links: none of them is in the database.

import sql from 'sql-template-tag';
import { integer, type Row } from '../../database/columns.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { countUpTo, executeAlone, executeReturning, exists, first } from '../../database/query.ts';
import { mailTable } from '../../database/schema.ts';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';

/** mail/kinds.ts has the text of each. */
export type MailKind =
  | 'confirm_email'
  | 'email_changed'
  | 'forgotten_password'
  | 'password_link'
  | 'webhook_off'
  | 'notice'
  | 'notifications';

interface NewMail {
  readonly kind: MailKind;
  /** Values for the text; no secrets. */
  readonly content?: Readonly<Record<string, string>>;
  /** Without one, it goes to the address that the account has confirmed, when it is sent. */
  readonly address?: string;
  /** Sent after all mails that are not. */
  readonly isBulk?: boolean;
}

export type QueuedMail = Row<typeof mailTable>;

/** Further mails are dropped: people who wait for one can ask again. */
const maxMails = 20_000;
/** Of those that an account can cause without a limit, so that nobody fills the queue. */
const maxNotices = 30;
const minute = 60 * microsecondsPerSecond;
const firstRetry = 2 * minute;
const lastRetry = 60 * minute;
/** A mail that could not be sent for this long is given up. */
const maxAge = 3 * 24 * 60 * minute;

/**
 * Queues a mail for an account, which is `null` for one that the sender has yet to find. Without a confirmed address, an
 * account gets none.
 */
export async function queueMail(
  transaction: Transaction,
  contributor: number | null,
  { kind, content = {}, address = '', isBulk = false }: NewMail,
): Promise<void> {
  const isKnown = sql`from email where contributor = ${contributor} and address is not null`;
  if (address === '' && contributor !== null) {
    if (!(await exists(transaction, isKnown))) return;
    const waiting = sql`from mail where contributor = ${contributor}`;
    if ((await countUpTo(maxNotices, transaction, waiting)) >= maxNotices) return;
  }
  if ((await countUpTo(maxMails, transaction, sql`from mail`)) >= maxMails) return;
  const created = now();
  const row = {
    uuid: Bun.randomUUIDv7(),
    kind,
    contributor,
    address,
    content: JSON.stringify(content),
    created,
  };
  await transaction.insert(mailTable, [{ ...row, is_bulk: isBulk ? 1 : 0, attempts: 0, due: created }]);
}

/** Events of an account that its owner gets a mail about. */
export const notices = [
  'password_changed',
  'role_changed',
  'passkey_created',
  'passkey_removed',
  'second_factor_created',
  'second_factor_removed',
  'key_created',
  'webhook_created',
] as const;
type Notice = (typeof notices)[number];

/** Tells the owner of an account what happened to it, so that they notice what they have not done. */
export const queueNotice = (transaction: Transaction, contributor: number, notice: Notice): Promise<void> =>
  queueMail(transaction, contributor, { kind: 'notice', content: { notice } });

/** The time of the next attempt. `attempts` is the number of those before it. */
const retryAt = (at: Instant, attempts: number) => at + Math.min(lastRetry, firstRetry * 2 ** attempts);

/**
 * Takes a mail that is due. From now until its next try no other process takes it, so a try must end before. A process
 * that is killed loses nothing: the mail is tried again.
 */
export async function claimMail(database: Database): Promise<QueuedMail | undefined> {
  const at = now();
  const isDue = sql`due <= ${at}`;
  const next = await first(database, mailTable.columns)`from mail
    where ${isDue} order by is_bulk, due limit 1`;
  if (!next) return undefined;
  return database.transaction(
    (transaction) =>
      executeReturning(transaction, mailTable.columns)`update mail
        set attempts = attempts + 1, due = ${retryAt(at, next.attempts)}
      where uuid = ${next.uuid} and ${isDue}`,
  );
}

export const minRetrySeconds = firstRetry / microsecondsPerSecond;

export const isTooOld = ({ created }: QueuedMail): boolean => created <= now() - maxAge;

export const deleteMail = (database: Database, { uuid }: QueuedMail): Promise<void> =>
  executeAlone(database)`delete from mail where uuid = ${uuid}`;

/** For a gallery without a server that sends mails. */
export const sweepMails = (database: Database): Promise<void> =>
  executeAlone(database)`delete from mail where created <= ${now() - maxAge}`;

const waiting = { count: integer(sql`count(*)`), oldest: integer(sql`coalesce(min(created), 0)`) };

export const loadQueueState = (reader: Reader) => first(reader, waiting)`from mail`;
