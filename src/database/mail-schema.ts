// The tables of email addresses and of mails: see schema.ts.

import { integer, nullable, table, text } from './columns.ts';

/** `address` is confirmed, `pending` is not yet. `address_key` is for searches. */
export const emailTable = table('email', ['contributor'], {
  contributor: integer(),
  address: nullable(text()),
  address_key: nullable(text()),
  pending: nullable(text()),
  pending_since: integer(),
  language: text(),
});

/** Mails that are to be sent: see gallery/mail/queue.ts. */
export const mailTable = table('mail', ['uuid'], {
  uuid: text(),
  kind: text(),
  contributor: nullable(integer()),
  address: text(),
  content: text(),
  is_bulk: integer(),
  created: integer(),
  attempts: integer(),
  due: integer(),
});
