// Accounts and keys that an import may not change. A dump that came from somebody else could otherwise make its author
// an admin of a running gallery.

import sql, { join } from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import { select } from '../../database/query.ts';
import {
  accountTable,
  apiKeyTable,
  contributorTable,
  emailTable,
  passkeyTable,
  secondFactorTable,
} from '../../database/schema.ts';
import type { AccountLine } from '../../gallery/accounts/account-line.ts';
import type { EmailLine } from '../../gallery/accounts/email-line.ts';
import type { KeyLine } from '../../gallery/accounts/key-line.ts';
import type { ContributorLine } from '../../gallery/contributors/contributor-line.ts';
import type { PasskeyLine } from '../../gallery/passkeys/passkey-line.ts';
import { joinHashes } from '../../gallery/passkeys/second-factor.ts';
import type { SecondFactorLine } from '../../gallery/passkeys/second-factor-line.ts';
import type { ImportContext } from './import-context.ts';
import type { Batch } from './kind.ts';

const advice = 'Give --replace-accounts if this dump may replace accounts and keys of the gallery.';

const usernames = pick(contributorTable.columns, 'id', 'username');

/** A contributor who has an account keeps the username, with which they sign in. */
export async function protectUsernames(context: ImportContext, batch: Batch<ContributorLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const ids = batch.map(({ entry }) => entry.id);
  const existing = await context.transaction.all(
    select(
      usernames,
      sql`from contributor where id in (${join(ids)}) and id in (select contributor from account)`,
    ),
  );
  const usernamesById = new Map(existing.map(({ id, username }) => [id, username]));
  for (const { lineNumber, entry } of batch) {
    const username = usernamesById.get(entry.id);
    if (username !== undefined && username !== entry.username)
      context.refuse(lineNumber, `username: ${entry.id} has the account of ${username}. ${advice}`);
  }
}

/** Lines that repeat the present state pass, so that an export can be imported again. */
export async function protectAccounts(context: ImportContext, batch: Batch<AccountLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const contributors = batch.map(({ entry }) => entry.contributor);
  const existing = await context.transaction.all(
    select(accountTable.columns, sql`from account where contributor in (${join(contributors)})`),
  );
  const accounts = new Map(existing.map((account) => [account.contributor, account]));
  for (const { lineNumber, entry } of batch) {
    const account = accounts.get(entry.contributor);
    const isSame =
      account?.role === entry.role &&
      account.password === entry.password &&
      account.disabled === entry.disabled;
    if (!isSame)
      context.refuse(lineNumber, `contributor: ${entry.contributor} has another account, or none. ${advice}`);
  }
}

/** The owner of the email address of an account can choose a new password. */
export async function protectEmails(context: ImportContext, batch: Batch<EmailLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const contributors = batch.map(({ entry }) => entry.contributor);
  const existing = await context.transaction.all(
    select(emailTable.columns, sql`from email where contributor in (${join(contributors)})`),
  );
  const emails = new Map(existing.map((email) => [email.contributor, email]));
  for (const { lineNumber, entry } of batch) {
    const email = emails.get(entry.contributor);
    if (email?.address !== entry.address || email?.pending !== entry.pending)
      context.refuse(
        lineNumber,
        `contributor: ${entry.contributor} has another email address, or none. ${advice}`,
      );
  }
}

export async function protectKeys(context: ImportContext, batch: Batch<KeyLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const ids = batch.map(({ entry }) => entry.id);
  const existing = await context.transaction.all(
    select(apiKeyTable.columns, sql`from api_key where id in (${join(ids)})`),
  );
  const keys = new Map(existing.map((key) => [key.id, key]));
  for (const { lineNumber, entry } of batch) {
    const key = keys.get(entry.id);
    const isSame =
      key?.hash === entry.hash &&
      key.contributor === entry.contributor &&
      (key.can_write === 1) === (entry.access === 'write') &&
      key.expires === entry.expires;
    if (!isSame) context.refuse(lineNumber, `id: ${entry.id} is another key, or none. ${advice}`);
  }
}

export async function protectPasskeys(context: ImportContext, batch: Batch<PasskeyLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const ids = batch.map(({ entry }) => entry.id);
  const existing = await context.transaction.all(
    select(passkeyTable.columns, sql`from passkey where id in (${join(ids)})`),
  );
  const passkeys = new Map(existing.map((passkey) => [passkey.id, passkey]));
  for (const { lineNumber, entry } of batch) {
    const passkey = passkeys.get(entry.id);
    const isSame =
      passkey?.credential === entry.credential &&
      passkey.public_key === entry.public_key &&
      passkey.host === entry.host &&
      passkey.contributor === entry.contributor;
    if (!isSame) context.refuse(lineNumber, `id: ${entry.id} is another passkey, or none. ${advice}`);
  }
}

/** An older backup has recovery codes that were used since. */
export async function protectSecondFactors(
  context: ImportContext,
  batch: Batch<SecondFactorLine>,
): Promise<void> {
  if (!context.protectsAccounts) return;
  const contributors = batch.map(({ entry }) => entry.contributor);
  const existing = await context.transaction.all(
    select(secondFactorTable.columns, sql`from second_factor where contributor in (${join(contributors)})`),
  );
  const codes = new Map(existing.map((row) => [row.contributor, row.recovery_codes]));
  for (const { lineNumber, entry } of batch) {
    if (codes.get(entry.contributor) !== joinHashes(entry.recovery_codes))
      context.refuse(
        lineNumber,
        `contributor: ${entry.contributor} has another second factor, or none. ${advice}`,
      );
  }
}
