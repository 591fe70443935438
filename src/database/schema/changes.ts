// The change log, and who is told of changes.

import { integer, nullable, reference, table, text } from '../columns.ts';
import { accountTable } from './accounts.ts';

export const changeTable = table('change', ['sequence'], {
  sequence: integer(),
  at: integer(),
  actor: nullable(integer()),
  action: text(),
  kind: text(),
  subject: integer(),
  record: text(),
  owner: nullable(integer()),
  listed: integer(),
  hash: text(),
});

/** One row: the last sequence number of the change log, and its hash. */
export const changeHeadTable = table('change_head', [], { last: integer(), hash: text() });

/** One row: the last change after which deleted data was overwritten. */
export const overwrittenTable = table('overwritten', [], { sequence: integer() });

/** `number` is that of the change that it tells of, `subject` that of the change's row. `actor` is null for decisions. */
export const notificationTable = table(
  'notification',
  ['contributor', 'number'],
  {
    contributor: integer(),
    number: integer(),
    kind: text(),
    subject: integer(),
    actor: nullable(integer()),
    created: integer(),
    is_read: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/**
 * `muted` has the kinds that they do not want. `feed_hash` is of the secret in the feed's address; null without one.
 * `mail` is how often they get mails, null until they choose. `mailed` is the number up to which they were mailed, and
 * `next_mail` when the next mail may come.
 */
export const notificationSettingTable = table(
  'notification_setting',
  ['contributor'],
  {
    contributor: integer(),
    muted: text(),
    feed_hash: nullable(text()),
    mail: nullable(text()),
    mailed: integer(),
    next_mail: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/** The columns after `disabled_reason` are written by the process that delivers. */
export const webhookTable = table(
  'webhook',
  ['id'],
  {
    id: integer(),
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
  },
  { whenOwnerLeaves: 'own rules', loggedAs: 'webhook' },
);

export const webhookAttemptTable = table('webhook_attempt', ['id'], {
  id: integer(),
  webhook: reference(webhookTable),
  sequence: integer(),
  at: integer(),
  status: nullable(integer()),
  error: text(),
  milliseconds: integer(),
  request: text(),
  response: text(),
});

export const webhookDeadLetterTable = table('webhook_dead_letter', ['webhook', 'sequence'], {
  webhook: reference(webhookTable),
  sequence: integer(),
  at: integer(),
});

export const webhookRedeliveryTable = table('webhook_redelivery', ['id'], {
  id: integer(),
  webhook: reference(webhookTable),
  after: integer(),
  last: integer(),
});
