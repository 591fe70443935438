// The tables of accounts, of moderation, and of what is sent to people and programs.

import type { Dialect } from './migration.ts';

export const accountTables = (dialect: Dialect) => ({
  ...signInTables(dialect),
  ...moderationTables(dialect),
  ...notificationTables(dialect),
  ...webhookTables(dialect),
});

/** Of every secret, only a hash is stored. */
const signInTables = ({ integer, text, identity }: Dialect) => ({
  account: [
    `create table account (
      contributor ${integer} primary key references contributor (id),
      password ${text},
      role ${text} not null,
      disabled ${integer}
    )`,
    // Moderators have a badge.
    "create index account_by_role on account (role) where role <> 'contributor'",
  ],
  session: [
    `create table session (
      hash ${text} primary key,
      contributor ${integer} not null references contributor (id),
      created ${integer} not null,
      expires ${integer} not null,
      last_used ${integer} not null,
      browser ${text} not null
    )`,
    'create index session_by_contributor on session (contributor)',
  ],
  api_key: [
    `create table api_key (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      name ${text} not null,
      hash ${text} not null unique,
      can_write ${integer} not null,
      created ${integer} not null,
      expires ${integer},
      last_used ${integer}
    )`,
    'create index api_key_by_contributor on api_key (contributor)',
  ],
  passkey: [
    `create table passkey (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      credential ${text} not null unique,
      public_key ${text} not null,
      counter ${integer} not null,
      transports ${text} not null,
      host ${text} not null,
      name ${text} not null,
      created ${integer} not null,
      last_used ${integer}
    )`,
    'create index passkey_by_contributor on passkey (contributor)',
  ],
  // Challenges that a browser has answered, until they expire: each counts once.
  used_challenge: [`create table used_challenge (hash ${text} primary key, until ${integer} not null)`],
  // The people who are asked for a passkey after their password.
  second_factor: [
    `create table second_factor (
      contributor ${integer} primary key references contributor (id),
      created ${integer} not null,
      recovery_codes ${text} not null
    )`,
  ],
  invitation: [
    `create table invitation (
      hash ${text} primary key,
      created_by ${integer},
      created ${integer} not null,
      expires ${integer} not null
    )`,
  ],
  // Links that set a password or confirm an address.
  account_link: [
    `create table account_link (
      hash ${text} primary key,
      contributor ${integer} not null references contributor (id),
      created_by ${integer},
      expires ${integer} not null
    )`,
    'create index account_link_by_contributor on account_link (contributor)',
  ],
  // Recent failed sign-ins: see gallery/accounts/sign-in-attempts.ts.
  sign_in_attempt: [
    `create table sign_in_attempt (subject ${text} primary key, count ${integer} not null, until ${integer} not null)`,
  ],
  // Responses to requests that carried an idempotency key.
  idempotency: [
    `create table idempotency (
      contributor ${integer} not null,
      key ${text} not null,
      request ${text} not null,
      response ${text} not null,
      created ${integer} not null,
      bytes ${integer} not null,
      primary key (contributor, key)
    )`,
    'create index idempotency_by_age on idempotency (contributor, created, key, bytes)',
    'create index idempotency_by_created on idempotency (created)',
  ],
});

const moderationTables = ({ integer, text, identity }: Dialect) => ({
  // The moderation log. `project` is null for a decision on an account; `contributor` owns the project or the account;
  // `status` is the project's status before; `undoes` is the decision that this one undoes. An imported decision may
  // refer to a project that does not exist.
  decision: [
    `create table decision (
      id ${identity},
      created ${integer} not null,
      moderator ${integer},
      action ${text} not null,
      project ${integer},
      contributor ${integer} not null references contributor (id),
      reason ${text} not null,
      status ${integer},
      undoes ${integer}
    )`,
    'create index decision_by_project on decision (project, id) where project is not null',
    'create index decision_by_contributor on decision (contributor, id)',
    'create index decision_by_moderator on decision (moderator, id)',
    'create index decision_by_undone on decision (undoes) where undoes is not null',
  ],
  // A report is open until there is a decision.
  report: [
    `create table report (
      id ${identity},
      project ${integer} not null references project (id),
      contributor ${integer} not null references contributor (id),
      reason ${text} not null,
      words ${text} not null,
      created ${integer} not null,
      modified ${integer} not null,
      decision ${integer} references decision (id)
    )`,
    'create index report_open on report (project, id) where decision is null',
    'create index report_by_project on report (project)',
    'create index report_by_contributor on report (contributor)',
    'create index report_by_decision on report (decision) where decision is not null',
  ],
  // The reporter finds a name of the contributor wrong.
  name_report: [
    `create table name_report (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      reporter ${integer} not null references contributor (id),
      words ${text} not null,
      created ${integer} not null,
      modified ${integer} not null,
      decision ${integer} references decision (id)
    )`,
    'create index name_report_open on name_report (contributor, id) where decision is null',
    'create index name_report_by_reporter on name_report (reporter)',
  ],
});

const notificationTables = ({ integer, text }: Dialect) => ({
  // The databases write the rows together with the entries of the change log.
  notification: [
    `create table notification (
      contributor ${integer} not null,
      number ${integer} not null,
      kind ${text} not null,
      subject ${integer} not null,
      actor ${integer},
      created ${integer} not null,
      is_read ${integer} not null,
      primary key (contributor, number)
    )`,
    // Nobody is notified twice of the same: a rating that was withdrawn and given again, a copy that was published again.
    'create unique index notification_once on notification (contributor, kind, subject, actor)',
    'create index notification_unread on notification (contributor, number) where is_read = 0',
  ],
  notification_setting: [
    `create table notification_setting (
      contributor ${integer} primary key,
      muted ${text} not null,
      feed_hash ${text},
      mail ${text},
      mailed ${integer} not null default 0,
      next_mail ${integer} not null default 0
    )`,
    'create unique index notification_feed on notification_setting (feed_hash)',
  ],
  // An address waits in `pending` for its confirmation, but not for ever.
  email: [
    `create table email (
      contributor ${integer} primary key references contributor (id),
      address ${text},
      address_key ${text},
      pending ${text},
      language ${text} not null,
      pending_since ${integer} not null
    )`,
    'create index email_by_address on email (address_key)',
  ],
  mail: [
    `create table mail (
      uuid ${text} primary key,
      kind ${text} not null,
      contributor ${integer} references contributor (id),
      address ${text} not null,
      content ${text} not null,
      is_bulk ${integer} not null,
      created ${integer} not null,
      attempts ${integer} not null,
      due ${integer} not null
    )`,
    'create index mail_by_due on mail (is_bulk, due)',
    'create index mail_by_contributor on mail (contributor)',
  ],
});

/** See docs/decisions/0063-webhooks.md. */
const webhookTables = ({ integer, text, identity }: Dialect) => ({
  // `position`: everything up to this change was dealt with. `failures` and `failing_since` are about the next one.
  webhook: [
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
  ],
  // The newest for each webhook. `status` is null without a response. `sequence` is 0 for a test.
  webhook_attempt: [
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
  ],
  // Changes that were not delivered in time.
  webhook_dead_letter: [
    `create table webhook_dead_letter (
      webhook ${integer} not null references webhook (id),
      sequence ${integer} not null,
      at ${integer} not null,
      primary key (webhook, sequence)
    )`,
  ],
  // Requests to send the changes after one number up to another again; -1 and 0 for a test.
  webhook_redelivery: [
    `create table webhook_redelivery (
      id ${integer} primary key,
      webhook ${integer} not null references webhook (id),
      after ${integer} not null,
      last ${integer} not null
    )`,
    'create index webhook_redelivery_by_webhook on webhook_redelivery (webhook)',
  ],
});
