// Accounts, and all ways to sign in to them.

import { integer, nullable, reference, table, text } from '../columns.ts';
import { contributorTable } from './contributors.ts';

export const accountTable = table(
  'account',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    password: nullable(text()),
    role: text(),
    disabled: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted' },
);

export const apiKeyTable = table(
  'api_key',
  ['id'],
  {
    id: integer(),
    contributor: reference(accountTable),
    name: text(),
    hash: text(),
    can_write: integer(),
    created: integer(),
    expires: nullable(integer()),
    last_used: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', loggedAs: 'key' },
);

export const sessionTable = table(
  'session',
  ['hash'],
  {
    hash: text(),
    contributor: reference(contributorTable),
    created: integer(),
    expires: integer(),
    last_used: integer(),
    browser: text(),
  },
  { whenOwnerLeaves: 'deleted' },
);

export const passkeyTable = table(
  'passkey',
  ['id'],
  {
    id: integer(),
    contributor: reference(accountTable),
    credential: text(),
    public_key: text(),
    counter: integer(),
    transports: text(),
    host: text(),
    name: text(),
    created: integer(),
    last_used: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', loggedAs: 'passkey' },
);

export const secondFactorTable = table(
  'second_factor',
  ['contributor'],
  {
    contributor: reference(accountTable),
    created: integer(),
    recovery_codes: text(),
  },
  { whenOwnerLeaves: 'deleted' },
);

export const usedChallengeTable = table('used_challenge', ['hash'], { hash: text(), until: integer() });

export const invitationTable = table('invitation', ['hash'], {
  hash: text(),
  created_by: nullable(integer()),
  created: integer(),
  expires: integer(),
});

/** Links that set a password or confirm an address. */
export const accountLinkTable = table(
  'account_link',
  ['hash'],
  {
    hash: text(),
    contributor: reference(contributorTable),
    created_by: nullable(integer()),
    expires: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);

export const signInAttemptTable = table('sign_in_attempt', ['subject'], {
  subject: text(),
  count: integer(),
  until: integer(),
});

export const idempotencyTable = table(
  'idempotency',
  ['contributor', 'key'],
  {
    contributor: integer(),
    key: text(),
    request: text(),
    response: text(),
    created: integer(),
    bytes: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/** `address` is confirmed, `pending` is not yet. `address_key` is for searches. */
export const emailTable = table(
  'email',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    address: nullable(text()),
    address_key: nullable(text()),
    pending: nullable(text()),
    pending_since: integer(),
    language: text(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/** Mails that are to be sent: see gallery/mail/queue.ts. */
export const mailTable = table(
  'mail',
  ['uuid'],
  {
    uuid: text(),
    kind: text(),
    contributor: nullable(reference(contributorTable)),
    address: text(),
    content: text(),
    is_bulk: integer(),
    created: integer(),
    attempts: integer(),
    due: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);
