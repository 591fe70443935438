import type { Migration } from '../migrate.ts';

/** Addresses to which changes are sent: see docs/decisions/0063-webhooks.md. */
export const webhooks: Migration = {
  name: 'webhooks',
  statements: ({ integer, text, identity }) => [
    // `position`: everything up to this change was dealt with. `failures` and `failing_since` are about the next one.
    `create table webhook (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      url ${text} not null,
      origin ${text} not null,
      events ${text} not null,
      filter ${text} not null,
      secret ${text} not null,
      previous_secret ${text},
      previous_secret_until ${integer},
      created ${integer} not null,
      disabled ${integer},
      disabled_reason ${text},
      position ${integer} not null,
      failures ${integer} not null,
      failing_since ${integer},
      next_attempt ${integer} not null,
      last_success ${integer}
    )`,
    'create index webhook_by_contributor on webhook (contributor)',
    // The newest for each webhook. `status` is null without a response. `sequence` is 0 for a test.
    `create table webhook_attempt (
      id ${identity},
      webhook ${integer} not null references webhook (id),
      sequence ${integer} not null,
      at ${integer} not null,
      status ${integer},
      error ${text} not null,
      milliseconds ${integer} not null,
      request ${text} not null,
      response ${text} not null
    )`,
    'create index webhook_attempt_by_webhook on webhook_attempt (webhook, id)',
    // Changes that were not delivered in time.
    `create table webhook_dead_letter (
      webhook ${integer} not null references webhook (id),
      sequence ${integer} not null,
      at ${integer} not null,
      primary key (webhook, sequence)
    )`,
    // Requests to send the changes after one number up to another again; -1 and 0 for a test.
    `create table webhook_redelivery (
      id ${integer} primary key,
      webhook ${integer} not null references webhook (id),
      after ${integer} not null,
      last ${integer} not null
    )`,
    'create index webhook_redelivery_by_webhook on webhook_redelivery (webhook)',
  ],
};
