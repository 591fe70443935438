import { constrain, identity, integer, nullable, reference, text } from '#sql';
import { accountTable } from '../../core/accounts/tables.ts';
import { table } from '../../core/declare-table.ts';

/**
 * See docs/decisions/0063-webhooks.md. The columns after `disabled_reason` are written by the process that delivers:
 * everything up to the change `position` was dealt with, `failures` and `failing_since` are about the request that fails.
 * `concurrency` is how many requests may be under way, `batch_size` how many events one has.
 */
export const webhookTable = table(
  'webhook',
  ['id'],
  {
    id: identity(),
    contributor: reference(accountTable),
    url: text(),
    origin: text(),
    events: text(),
    filter: text(),
    secret: text(),
    previous_secret: nullable(text()),
    previous_secret_until: nullable(integer()),
    created: integer(),
    disabled: nullable(integer()),
    disabled_reason: nullable(text()),
    position: integer(),
    failures: integer(),
    failing_since: nullable(integer()),
    next_attempt: integer(),
    last_success: nullable(integer()),
    concurrency: constrain(integer(), { default: 1 }),
    batch_size: constrain(integer(), { default: 1 }),
  },
  { whenOwnerLeaves: 'own rules', loggedAs: 'webhook', indexes: ['webhook_by_contributor (contributor)'] },
);

/** The newest for each webhook. `status` is null without a response. `sequence` is 0 for a test. */
export const webhookAttemptTable = table(
  'webhook_attempt',
  ['id'],
  {
    id: identity(),
    webhook: reference(webhookTable),
    sequence: integer(),
    at: integer(),
    status: nullable(integer()),
    error: text(),
    milliseconds: integer(),
    request: text(),
    response: text(),
  },
  { indexes: ['webhook_attempt_by_webhook (webhook, id)'] },
);

/** Changes that were not delivered in time. */
export const webhookDeadLetterTable = table('webhook_dead_letter', ['webhook', 'sequence'], {
  webhook: reference(webhookTable),
  sequence: integer(),
  at: integer(),
});

/** Requests to send the changes after one number up to another again; -1 and 0 for a test. */
export const webhookRedeliveryTable = table(
  'webhook_redelivery',
  ['id'],
  {
    id: integer(),
    webhook: reference(webhookTable),
    after: integer(),
    last: integer(),
  },
  { indexes: ['webhook_redelivery_by_webhook (webhook)'] },
);
