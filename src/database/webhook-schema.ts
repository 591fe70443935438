// The tables of webhooks: a part of schema.ts.

import { integer, nullable, table, text } from './columns.ts';

/** The columns after `disabled_reason` are written by the process that delivers. */
export const webhookTable = table('webhook', ['id'], {
  id: integer(),
  contributor: integer(),
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
});

export const webhookAttemptTable = table('webhook_attempt', ['id'], {
  id: integer(),
  webhook: integer(),
  sequence: integer(),
  at: integer(),
  status: nullable(integer()),
  error: text(),
  milliseconds: integer(),
  request: text(),
  response: text(),
});

export const webhookDeadLetterTable = table('webhook_dead_letter', ['webhook', 'sequence'], {
  webhook: integer(),
  sequence: integer(),
  at: integer(),
});

export const webhookRedeliveryTable = table('webhook_redelivery', ['id'], {
  id: integer(),
  webhook: integer(),
  after: integer(),
  last: integer(),
});
