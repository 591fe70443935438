// Creates, changes and deletes webhooks, and requests redeliveries. The process that delivers reads of them in the change
// log.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Invalid } from '#common/errors.ts';
import { all, count, type Database, execute, first, pick, type Transaction } from '#sql';
import { findLastArchive } from '../../core/changes/head.ts';
import { transact } from '../../core/changes/transact.ts';
import { type Instant, now } from '../../core/instant.ts';
import { queueMail, queueNotice } from '../../core/mail/queue.ts';
import { webhookRedeliveryTable, webhookTable } from './tables.ts';
import {
  type DisabledReason,
  findWebhook,
  secretOverlap,
  testRange,
  type Webhook,
  webhookColumns,
  webhookLimits,
} from './webhook.ts';

/** Standard Webhooks: 24 to 64 bytes. */
export const newWebhookSecret = () =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;

export type NewWebhook = Pick<Webhook, 'contributor' | 'url' | 'origin' | 'events' | 'filter'> &
  Partial<Pick<Webhook, 'concurrency' | 'batch_size'>>;

const noFailures = { failures: 0, failing_since: null, next_attempt: 0 } as const;

/** The webhook gets the changes from now on. */
export function createWebhook(
  database: Database,
  actor: number | null,
  webhook: NewWebhook,
): Promise<Webhook> {
  const { contributor } = webhook;
  return transact(database, actor, async ({ transaction, changeSet }) => {
    const { last } = await transaction.lockChangeLog();
    if (
      (await count(transaction, sql`from webhook where contributor = ${contributor}`)) >=
      webhookLimits.webhooks
    )
      throw new Invalid({ non_field_errors: [apiText('webhook.max', { max: webhookLimits.webhooks })] });
    const row: Webhook = {
      concurrency: 1,
      batch_size: 1,
      ...webhook,
      ...noFailures,
      id: await transaction.nextId(webhookTable),
      secret: newWebhookSecret(),
      previous_secret: null,
      previous_secret_until: null,
      created: changeSet.at,
      disabled: null,
      disabled_reason: null,
      position: last,
      last_success: null,
    };
    await transaction.insert(webhookTable, [row]);
    await queueNotice(transaction, contributor, 'webhook_created');
    changeSet.add({ kind: 'webhook', action: 'created', subject: row.id, owner: contributor });
    return row;
  });
}

/** A webhook and the account that changes it: its owner, or null for the operator. */
export interface WebhookTarget extends Pick<Webhook, 'contributor' | 'id'> {
  readonly actor: number | null;
}

interface WebhookChange
  extends Partial<Pick<Webhook, 'url' | 'events' | 'filter' | 'concurrency' | 'batch_size'>> {
  readonly active?: boolean;
}

/** A webhook that is changed or switched on is tried at once. */
export function changeWebhook(
  database: Database,
  target: WebhookTarget,
  { active, ...members }: WebhookChange,
): Promise<Webhook> {
  return changeOwn(database, target, (webhook, at, last) => {
    const state = { disabled: at, disabled_reason: 'owner' as const };
    const wasActive = webhook.disabled === null;
    const isActive = active ?? wasActive;
    const switched =
      isActive === wasActive ? {} : isActive ? { disabled: null, disabled_reason: null } : state;
    // A gallery that was imported has another log.
    const position =
      webhook.disabled_reason === 'imported' && isActive ? last : Math.min(webhook.position, last);
    return { ...webhook, ...members, ...switched, ...noFailures, position };
  });
}

/** The previous secret continues to sign for a day. */
export function rotateSecret(database: Database, target: WebhookTarget): Promise<Webhook> {
  return changeOwn(database, target, (webhook, at) => ({
    ...webhook,
    secret: newWebhookSecret(),
    previous_secret: webhook.secret,
    previous_secret_until: at + secretOverlap,
  }));
}

function changeOwn(
  database: Database,
  target: WebhookTarget,
  /** `last` is the number of the last change in the log. */
  change: (webhook: Webhook, at: Instant, last: number) => Webhook,
): Promise<Webhook> {
  const { actor, contributor: owner, id } = target;
  return transact(database, actor, async ({ transaction, changeSet }) => {
    const { last } = await transaction.lockChangeLog();
    await lockWebhooks(transaction, sql`id = ${id}`);
    const { dead_letters, ...webhook } = await findWebhook(transaction, target);
    const changed = change(webhook, changeSet.at, last);
    await transaction.upsert(webhookTable, [changed]);
    changeSet.add({ kind: 'webhook', action: 'changed', subject: id, owner });
    return changed;
  });
}

export function deleteWebhook(database: Database, target: WebhookTarget): Promise<void> {
  const { actor, contributor: owner, id } = target;
  return transact(database, actor, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    await findWebhook(transaction, target);
    await deleteWebhooks(transaction, sql`id = ${id}`);
    changeSet.add({ kind: 'webhook', action: 'removed', subject: id, owner });
  });
}

const idColumn = pick(webhookTable.columns, 'id');

/** The results of attempts are saved before or after this transaction. */
const lockWebhooks = (transaction: Transaction, condition: Sql) =>
  all(transaction, idColumn)`from webhook where ${condition} order by id ${transaction.forUpdate}`;

/** `condition` is about rows of `webhook`. */
export async function deleteWebhooks(transaction: Transaction, condition: Sql): Promise<void> {
  const ids = sql`(select id from webhook where ${condition})`;
  await lockWebhooks(transaction, condition);
  await execute(transaction)`delete from webhook_attempt where webhook in ${ids}`;
  await execute(transaction)`delete from webhook_dead_letter where webhook in ${ids}`;
  await execute(transaction)`delete from webhook_redelivery where webhook in ${ids}`;
  await execute(transaction)`delete from webhook where ${condition}`;
}

/** Numbers of changes. Without them, a test is sent. */
interface RedeliveryRange {
  readonly first?: number | undefined;
  /** By default the first. */
  readonly last?: number | undefined;
}

/** Sends the changes of a range again, or a test event. */
export function requestRedelivery(database: Database, target: WebhookTarget, range: RedeliveryRange) {
  const { actor, contributor: owner, id } = target;
  return transact(database, actor, async ({ transaction, changeSet }) => {
    const head = await transaction.lockChangeLog();
    const { disabled } = await findWebhook(transaction, target);
    if (disabled !== null) throw new Conflict('This webhook is switched off.');
    const waiting = await count(transaction, sql`from webhook_redelivery where webhook = ${id}`);
    if (waiting >= webhookLimits.redeliveries)
      throw new Conflict('Other events are still to be sent again: wait until that is done.');
    const archive = await findLastArchive(transaction);
    const requested = { webhook: id, ...checkRange(range, head.last, archive?.last ?? 0) };
    // The number of the change that says so: no id comes a second time.
    await transaction.insert(webhookRedeliveryTable, [{ id: head.last + 1, ...requested }]);
    changeSet.add({ kind: 'webhook', action: 'requested', subject: id, owner });
  });
}

function checkRange({ first, last = first }: RedeliveryRange, head: number, archived: number) {
  if (last === undefined) return testRange;
  if (first === undefined) throw new Invalid({ first: [apiText('required')] });
  if (first > head) throw new Invalid({ first: [apiText('webhook.noChange')] });
  if (first <= archived) throw new Invalid({ first: [apiText('webhook.archived', { last: archived })] });
  if (last < first) throw new Invalid({ last: [apiText('webhook.backwards')] });
  if (last - first >= webhookLimits.range)
    throw new Invalid({ last: [apiText('webhook.range', { max: webhookLimits.range })] });
  return { after: first - 1, last: Math.min(last, head) };
}

/** Nothing happens if the webhook is switched off already, or deleted. */
export function disableWebhook(database: Database, id: number, reason: DisabledReason): Promise<void> {
  return transact(database, null, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    const isActive = sql`id = ${id} and disabled is null`;
    const webhook = await first(transaction, webhookColumns)`from webhook where ${isActive}`;
    if (!webhook) return;
    await execute(transaction)`update webhook set disabled = ${now()}, disabled_reason = ${reason}
      where id = ${id}`;
    await queueMail(transaction, webhook.contributor, { kind: 'webhook_off', isBulk: true });
    changeSet.add({ kind: 'webhook', action: 'disabled', subject: id, owner: webhook.contributor });
  });
}
