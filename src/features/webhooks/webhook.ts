// Webhooks: addresses to which the gallery sends changes as they happen (Standard Webhooks), and queries for them.

import sql, { empty } from 'sql-template-tag';
import { all, exists, integer, one, pick, type Reader, type RowOf } from '#sql';
import { columnOfContributor } from '../../core/contributors/contributor.ts';
import { microsecondsPerSecond } from '../../core/instant.ts';
import { webhookAttemptTable, webhookDeadLetterTable, webhookTable } from './tables.ts';

export const webhookLimits = {
  webhooks: 10,
  url: 2000,
  filter: 500,
  attempts: 100,
  storedBytes: 2048,
  /** Redeliveries of a webhook that wait, and the changes that one of them covers. */
  redeliveries: 5,
  range: 100_000,
  concurrency: 64,
  batchSize: 100,
} as const;

/** The redelivery that sends a test, as if it were change 0. */
export const testRange = { after: -1, last: 0 } as const;

/** How long the previous secret signs after a new one was made, in microseconds. */
export const secretOverlap = 24 * 60 * 60 * microsecondsPerSecond;
/** An event that was not delivered after this time is a dead letter. */
export const retryPeriod = 3 * secretOverlap;

/** `own`: changes of the owner’s projects. `gallery`: everything, for moderators. */
export const webhookEvents = ['own', 'gallery'] as const;
export type WebhookEvents = (typeof webhookEvents)[number];

/** Why a webhook is switched off. */
export const disabledReasons = ['owner', 'gone', 'failing', 'role', 'account', 'filter', 'imported'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Empty after a success. `status`: there was a response, but not 2xx. */
export const attemptErrors = ['', 'address', 'connection', 'certificate', 'timeout', 'status'] as const;
export type AttemptError = (typeof attemptErrors)[number];

export const webhookColumns = {
  ...webhookTable.columns,
  events: webhookTable.columns.events.narrow<WebhookEvents>(),
  disabled_reason: webhookTable.columns.disabled_reason.narrow<DisabledReason | null>(),
};
export type Webhook = RowOf<typeof webhookColumns>;

const countedColumns = {
  ...webhookColumns,
  dead_letters: integer(
    sql`(select count(*) from webhook_dead_letter where webhook_dead_letter.webhook = webhook.id)`,
  ),
};
export type CountedWebhook = RowOf<typeof countedColumns>;

const attemptColumns = {
  ...webhookAttemptTable.columns,
  error: webhookAttemptTable.columns.error.narrow<AttemptError>(),
};
export type Attempt = RowOf<typeof attemptColumns>;

export const listWebhooks = (reader: Reader, contributor: number): Promise<CountedWebhook[]> =>
  all(reader, countedColumns)`from webhook where contributor = ${contributor} order by id`;

/** True if the gallery, not the owner, has switched off a webhook of this account. */
export const hasStoppedWebhook = (reader: Reader, contributor: number): Promise<boolean> =>
  exists(reader, sql`from webhook where contributor = ${contributor} and disabled_reason <> 'owner'`);

export function findWebhook(reader: Reader, { contributor, id }: Pick<Webhook, 'contributor' | 'id'>) {
  const isOwn = sql`id = ${id} and contributor = ${contributor}`;
  return one(reader, countedColumns)`from webhook where ${isOwn}`;
}

/** The newest first. */
export const listAttempts = (reader: Reader, webhook: number): Promise<Attempt[]> =>
  all(reader, attemptColumns)`from webhook_attempt
    where webhook = ${webhook} order by id desc limit ${webhookLimits.attempts}`;

export function findAttempt(reader: Reader, webhook: number, id: number): Promise<Attempt> {
  const isOfWebhook = sql`id = ${id} and webhook = ${webhook}`;
  return one(reader, attemptColumns)`from webhook_attempt where ${isOfWebhook}`;
}

export const listDeadLetters = (reader: Reader, webhook: number) =>
  all(reader, pick(webhookDeadLetterTable.columns, 'sequence', 'at'))`from webhook_dead_letter
    where webhook = ${webhook} order by sequence`;

const listedColumns = { ...countedColumns, username: columnOfContributor('username', 'webhook.contributor') };

/** For the operator: those of one contributor, or all. */
export const listAllWebhooks = (reader: Reader, contributor?: number) =>
  all(reader, listedColumns)`from webhook
    ${contributor === undefined ? empty : sql`where contributor = ${contributor}`} order by id`;
