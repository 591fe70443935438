// Accounts, and all ways to sign in to them. Of every secret, only a hash is stored.

import { constrain, identity, integer, nullable, reference, text } from '#sql';
import { contributorTable } from '../contributors/tables.ts';
import { table } from '../declare-table.ts';

/** Nobody reviews what a trusted person publishes. `looked_after_by` is the collection whose people look after the account. */
export const accountTable = table(
  'account',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    password: nullable(text()),
    role: text(),
    disabled: nullable(integer()),
    trusted: constrain(integer(), { default: 0 }),
    looked_after_by: nullable(integer()),
  },
  {
    whenOwnerLeaves: 'deleted',
    indexes: [
      "account_by_role (role) where role <> 'contributor'",
      'account_by_class (looked_after_by) where looked_after_by is not null',
    ],
  },
);

export const apiKeyTable = table(
  'api_key',
  ['id'],
  {
    id: identity(),
    contributor: reference(accountTable),
    name: text(),
    hash: constrain(text(), { isUnique: true }),
    can_write: integer(),
    created: integer(),
    expires: nullable(integer()),
    last_used: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', loggedAs: 'key', indexes: ['api_key_by_contributor (contributor)'] },
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
    /** The linked account that began it. */
    linked_account: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', indexes: ['session_by_contributor (contributor)'] },
);

export const passkeyTable = table(
  'passkey',
  ['id'],
  {
    id: identity(),
    contributor: reference(accountTable),
    credential: constrain(text(), { isUnique: true }),
    public_key: text(),
    counter: integer(),
    transports: text(),
    host: text(),
    name: text(),
    created: integer(),
    last_used: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', loggedAs: 'passkey', indexes: ['passkey_by_contributor (contributor)'] },
);

/**
 * An account at a sign-in service elsewhere. `subject` is the issuer and its name for the person, with a space between;
 * never an email address, which others may get later.
 */
export const linkedAccountTable = table(
  'linked_account',
  ['id'],
  {
    id: identity(),
    contributor: reference(accountTable),
    subject: constrain(text(), { isUnique: true }),
    created: integer(),
    last_used: nullable(integer()),
  },
  {
    whenOwnerLeaves: 'deleted',
    loggedAs: 'linked_account',
    indexes: ['linked_account_by_contributor (contributor)'],
  },
);

/** The people who are asked for a passkey after their password. */
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

/** Challenges that a browser has answered, until they expire: each counts once. */
export const usedChallengeTable = table('used_challenge', ['hash'], { hash: text(), until: integer() });

/** `name` is whom it is for, in the words of who made it; `contributor` is who used it. */
export const invitationTable = table(
  'invitation',
  ['hash'],
  {
    hash: text(),
    created_by: nullable(integer()),
    created: integer(),
    expires: integer(),
    name: text(),
    contributor: nullable(reference(contributorTable)),
    used: nullable(integer()),
  },
  { whenOwnerLeaves: 'deleted', deletedWith: ['created_by'] },
);

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
  { whenOwnerLeaves: 'deleted', indexes: ['account_link_by_contributor (contributor)'] },
);

/** Recent failed sign-ins: see gallery/accounts/sign-in-attempts.ts. */
export const signInAttemptTable = table('sign_in_attempt', ['subject'], {
  subject: text(),
  count: integer(),
  until: integer(),
});

/** Responses to requests that carried an idempotency key. */
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
  {
    whenOwnerLeaves: 'deleted',
    indexes: ['idempotency_by_age (contributor, created, key, bytes)', 'idempotency_by_created (created)'],
  },
);

/** `address` is confirmed, `pending` is not yet, and does not wait for ever. `address_key` is for searches. */
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
  { whenOwnerLeaves: 'deleted', indexes: ['email_by_address (address_key)'] },
);
