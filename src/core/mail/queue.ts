// The mails that are to be sent. A mail is queued in the transaction of the act that causes it, also by a command that
// cannot send any: a server with --smtp sends it (mail/mailer.ts). The texts are written when it is sent, and so are the
// secrets of links: none of them is in the database.

import sql from 'sql-template-tag';
import { countUpTo, exists, first, integer, type Reader, type Transaction } from '#sql';
import { once } from '../feature.ts';
import { type Job, setJob } from '../jobs/jobs.ts';

/** features/sign-in/mails.ts has the text of each. Features declare the names of their own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureMails {}

export type MailKind = keyof FeatureMails | 'notice';

interface NewMail {
  readonly kind: MailKind;
  /** Values for the text; no secrets. */
  readonly content?: Readonly<Record<string, string>>;
  /** Without one, it goes to the address that the account has confirmed, when it is sent. */
  readonly address?: string;
  /** Sent after all mails that are not. */
  readonly isBulk?: boolean;
}

export interface QueuedMail extends Required<Pick<NewMail, 'kind' | 'content' | 'address'>> {
  readonly uuid: string;
  readonly contributor: number | null;
  readonly attempts: number;
}

/** Of those that an account can cause without a limit, so that nobody fills the queue. */
const maxNotices = 30;

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
    const waiting = sql`from job where kind = 'mail' and contributor = ${contributor}`;
    if ((await countUpTo(maxNotices, transaction, waiting)) >= maxNotices) return;
  }
  await setJob(transaction, 'mail', {
    name: Bun.randomUUIDv7(),
    contributor,
    priority: isBulk ? 1 : 0,
    content: { kind, address, content },
  });
}

const ownNotices = [
  'password_changed',
  'role_changed',
  'passkey_created',
  'passkey_removed',
  'linked_account_created',
  'linked_account_removed',
  'second_factor_created',
  'second_factor_removed',
  'key_created',
] as const;

// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureNotices {}

export type Notice = (typeof ownNotices)[number] | keyof FeatureNotices;

declare module '../feature.ts' {
  interface Feature {
    readonly notices?: readonly Notice[];
  }
}

/** Events of an account that its owner gets a mail about. */
export const notices = once((features): readonly Notice[] => [
  ...ownNotices,
  ...features.flatMap((feature) => feature.notices ?? []),
]);

/** Tells the owner of an account what happened to it, so that they notice what they have not done. */
export const queueNotice = (transaction: Transaction, contributor: number, notice: Notice): Promise<void> =>
  queueMail(transaction, contributor, { kind: 'notice', content: { notice } });

export const readMail = ({ name, contributor, attempts, content }: Job): QueuedMail => ({
  ...(JSON.parse(content) as Pick<QueuedMail, 'kind' | 'content' | 'address'>),
  uuid: name,
  contributor,
  attempts,
});

const waiting = { count: integer(sql`count(*)`), oldest: integer(sql`coalesce(min(created), 0)`) };

export const loadQueueState = (reader: Reader) => first(reader, waiting)`from job where kind = 'mail'`;
