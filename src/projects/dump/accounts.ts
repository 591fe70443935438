// The kinds of lines of accounts, and of all ways to sign in to them.

import { join } from 'sql-template-tag';
import { emailPattern } from '#common/text-rules.ts';
import { execute } from '#sql';
import { maxEmailLength } from '../../core/accounts/email.ts';
import { keyLimits } from '../../core/accounts/keys.ts';
import { passwordHashPattern } from '../../core/accounts/passwords.ts';
import {
  accountTable,
  apiKeyTable,
  emailTable,
  linkedAccountTable,
  passkeyTable,
  secondFactorTable,
} from '../../core/accounts/tables.ts';
import {
  convert,
  count,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  sha256,
  text,
  trimmedText,
  unless,
} from '../../core/dump/line-format.ts';
import { now } from '../../core/instant.ts';
import { roles } from '../../core/viewer/viewer.ts';
import { subjectPattern } from '../../features/linked-accounts/linked-account.ts';
import { passkeyLimits } from '../../features/sign-in/passkeys/passkey.ts';
import {
  joinHashes,
  recoveryCodeCount,
  splitHashes,
} from '../../features/sign-in/second-factor/second-factor.ts';
import type { LineKind } from './kind.ts';
import { tableKind } from './table-kind.ts';

const email = text({ maxLength: maxEmailLength, pattern: [emailPattern, 'an email address'] });

const base64url = (maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: [/^[\w-]+$/, 'bytes as base64url'] });

const lastUse = { ...nullable(instant), lineName: 'used' };

export const accountKinds: readonly LineKind[] = [
  tableKind(
    accountTable,
    {
      contributor: id,
      role: oneOf(roles),
      password: nullable(
        text({
          maxLength: 500,
          pattern: [passwordHashPattern, 'an argon2id or pbkdf2_sha256 hash of a password'],
        }),
      ),
      disabled: nullable(instant),
      trusted: unless(oneOf([1]), 0),
      looked_after_by: optional(id),
    },
    {
      ownData: false,
      rights: {
        name: 'account',
        columns: ['role', 'password', 'disabled', 'trusted', 'looked_after_by'],
      },
      /** Ends all sessions of the imported accounts. */
      async write({ transaction }, rows) {
        await transaction.upsert(accountTable, rows);
        const contributors = rows.map(({ contributor }) => contributor);
        await execute(transaction)`delete from session where contributor in (${join(contributors)})`;
      },
    },
  ),
  tableKind(
    emailTable,
    {
      contributor: id,
      address: nullable(email),
      /** Not confirmed yet. */
      pending: nullable(email),
      /** Of the mails; empty for the usual one. */
      language: text({ maxLength: 20 }),
    },
    {
      ownData: true,
      // Its owner can choose a new password.
      rights: { name: 'email address', columns: ['address', 'pending'] },
      describeChange: null,
      write({ transaction }, rows) {
        const pending_since = now();
        const withKeys = rows.map((row) => ({
          ...row,
          address_key: row.address?.toLowerCase() ?? null,
          pending_since,
        }));
        return transaction.upsert(emailTable, withKeys);
      },
    },
  ),
  tableKind(
    apiKeyTable,
    {
      id,
      contributor: id,
      name: trimmedText({ maxLength: keyLimits.name }),
      hash: sha256('the SHA-256 of a key'),
      can_write: {
        ...convert(
          oneOf(['read', 'write']),
          (access) => (access === 'write' ? 1 : 0),
          (canWrite) => (canWrite ? 'write' : 'read'),
        ),
        lineName: 'access',
      },
      created: instant,
      expires: nullable(instant),
      last_used: lastUse,
    },
    {
      type: 'key',
      ownData: false,
      unique: 'hash',
      rights: { name: 'key', columns: ['hash', 'contributor', 'can_write', 'expires'] },
    },
  ),
  tableKind(
    passkeyTable,
    {
      id,
      contributor: id,
      name: trimmedText({ maxLength: passkeyLimits.name }),
      host: trimmedText({ maxLength: 253 }),
      credential: base64url(passkeyLimits.credential),
      public_key: base64url(passkeyLimits.publicKey),
      counter: count,
      transports: text({ maxLength: 100, isSingleLine: true }),
      created: instant,
      last_used: lastUse,
    },
    {
      ownData: false,
      unique: 'credential',
      rights: { name: 'passkey', columns: ['credential', 'public_key', 'host', 'contributor'] },
    },
  ),
  tableKind(
    linkedAccountTable,
    {
      id,
      contributor: id,
      subject: text({
        maxLength: 1000,
        pattern: [subjectPattern, 'an issuer and a subject with a space between'],
      }),
      created: instant,
      last_used: lastUse,
    },
    {
      ownData: false,
      unique: 'subject',
      rights: { name: 'linked account', columns: ['subject', 'contributor'] },
    },
  ),
  tableKind(
    secondFactorTable,
    {
      contributor: id,
      created: instant,
      recovery_codes: convert(
        list({
          maxItems: recoveryCodeCount,
          member: sha256('the SHA-256 of a recovery code'),
          uniqueBy: (hash) => hash,
        }),
        joinHashes,
        splitHashes,
      ),
    },
    {
      ownData: false,
      // An older backup has recovery codes that were used since.
      rights: { name: 'second factor', columns: ['recovery_codes'] },
    },
  ),
];
