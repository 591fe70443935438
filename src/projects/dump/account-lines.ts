// The kinds of lines of accounts, and of all ways to sign in to them.

import { join } from 'sql-template-tag';
import { emailPattern } from '#common/text-rules.ts';
import { execute } from '#sql';
import { maxEmailLength } from '../../core/accounts/email.ts';
import { keyLimits } from '../../core/accounts/keys.ts';
import { passwordHashPattern } from '../../core/accounts/passwords.ts';
import { accountTable, apiKeyTable, emailTable } from '../../core/accounts/tables.ts';
import {
  convert,
  id,
  instant,
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
import type { LineKind } from './kind.ts';
import { tableKind } from './table-kind.ts';

const email = text({ maxLength: maxEmailLength, pattern: [emailPattern, 'an email address'] });

export const lastUse = { ...nullable(instant), lineName: 'used' };

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
];
