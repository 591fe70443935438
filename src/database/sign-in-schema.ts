// The tables of sessions, passkeys and other means to sign in: see schema.ts.

import { integer, nullable, table, text } from './columns.ts';

export const sessionTable = table('session', ['hash'], {
  hash: text(),
  contributor: integer(),
  created: integer(),
  expires: integer(),
  last_used: integer(),
  browser: text(),
});

export const passkeyTable = table('passkey', ['id'], {
  id: integer(),
  contributor: integer(),
  credential: text(),
  public_key: text(),
  counter: integer(),
  transports: text(),
  host: text(),
  name: text(),
  created: integer(),
  last_used: nullable(integer()),
});

export const secondFactorTable = table('second_factor', ['contributor'], {
  contributor: integer(),
  created: integer(),
  recovery_codes: text(),
});

export const usedChallengeTable = table('used_challenge', ['hash'], { hash: text(), until: integer() });

export const invitationTable = table('invitation', ['hash'], {
  hash: text(),
  created_by: nullable(integer()),
  created: integer(),
  expires: integer(),
});

/** Links that set a password or confirm an address. */
export const accountLinkTable = table('account_link', ['hash'], {
  hash: text(),
  contributor: integer(),
  created_by: nullable(integer()),
  expires: integer(),
});

export const signInAttemptTable = table('sign_in_attempt', ['subject'], {
  subject: text(),
  count: integer(),
  until: integer(),
});
