// A link with which one person chooses a new password. It ends with the next change of the account's password or role.

import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { type Fields, textField, type Values } from '#rest/fields.ts';
import type { Database, Reader } from '#sql';
import {
  type AccountDetails,
  findAccount,
  lockAccount,
  requireAccount,
} from '../../core/accounts/account.ts';
import { setPasswordInTransaction } from '../../core/accounts/change-account.ts';
import type { EmailDependencies } from '../../core/accounts/dependencies.ts';
import { type Email, findEmail, maxEmailLength } from '../../core/accounts/email.ts';
import { findPasswordProblem, newPasswordField, type Passwords } from '../../core/accounts/passwords.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { toFullNames } from '../../core/contributors/contributor.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { addDays, microsecondsPerSecond } from '../../core/instant.ts';
import { queueMail } from '../../core/mail/queue.ts';
import { authorize, can, canManageRole } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { createLink, deleteLink, findLink, type LinkTerms, parseLinkCode } from './account-link.ts';

const lifetimeDays = 1;
const mailedLifetime = 60 * 60 * microsecondsPerSecond;

export const passwordLinkFields = { new_password: newPasswordField(apiText('newPassword')) };

export const passwordLinkPath = (code: string): string => `/new-password/?${new URLSearchParams({ code })}`;

/**
 * Only the operator manages the accounts of admins, a disabled account stays closed, and one that others look after has
 * no password.
 */
export function canCreatePasswordLink(viewer: Viewer, account: AccountDetails): boolean {
  const { id, role, disabled, looked_after_by } = account;
  return (
    role !== null &&
    disabled === null &&
    looked_after_by === null &&
    can(viewer, 'resetPassword', id) &&
    canManageRole(viewer, role)
  );
}

/** The code of a new link; `viewer` is undefined for the operator, who may make one for any account. */
export async function createPasswordLink(
  database: Database,
  viewer: Viewer | undefined,
  contributor: number,
): Promise<string> {
  const actor = viewer?.contributor ?? null;
  const work = async (write: Write) => {
    const { transaction } = write;
    await lockAccount(transaction, contributor);
    const account = await requireAccount(transaction, contributor);
    if (viewer) {
      authorize(viewer, 'resetPassword', contributor);
      // A stolen key must not open other accounts.
      if (viewer.credential?.kind !== 'session') throw new Forbidden(apiText('keyMayNot'));
      if (!canCreatePasswordLink(viewer, account)) throw new Forbidden();
    }
    await recordDecision(write, { moderator: actor, action: 'password_link', contributor });
    return insertPasswordLink(write, account, actor);
  };
  return transact(database, actor, work, { changesActor: actor === contributor });
}

/** The code of the first link of a person whom nobody looks after any more: it counts as made by the operator. */
export const passwordLinkFor = async (write: Write, contributor: number): Promise<string> =>
  insertPasswordLink(write, await requireAccount(write.transaction, contributor), null);

async function insertPasswordLink(
  { transaction, changeSet }: Write,
  account: AccountDetails,
  created_by: number | null,
): Promise<string> {
  const contributor = account.id;
  const link = { contributor, created_by, expires: addDays(changeSet.at, lifetimeDays) };
  changeSet.add({ kind: 'account', action: 'password_link', subject: contributor, owner: contributor });
  return createLink(transaction, link, termsFor(account));
}

/** The code of a new link that is mailed to this address of the account. It ends after an hour, and with the address. */
export async function createOwnPasswordLink(
  database: Database,
  account: AccountDetails,
  { address }: Email,
): Promise<string> {
  const contributor = account.id;
  return transact(database, null, async ({ transaction, changeSet }) => {
    const link = { contributor, created_by: null, expires: changeSet.at + mailedLifetime };
    const code = await createLink(transaction, link, termsOfMailed(account, address));
    changeSet.add({ kind: 'account', action: 'password_link', subject: contributor, owner: contributor });
    return code;
  });
}

const termsFor = ({ role, password }: AccountDetails): LinkTerms => ['password', role, password];
const termsOfMailed = ({ role, password }: AccountDetails, address: string | null): LinkTerms => [
  'mailed password',
  role,
  password,
  address,
];

/** Undefined if the link is not valid, or the person who made it may no longer manage the account. */
export async function findPasswordLink(reader: Reader, code: string) {
  const parsed = parseLinkCode(code);
  const account = parsed && (await findAccount(reader, parsed.contributor));
  if (!account || account.role === null || account.disabled !== null) return undefined;
  const address = (await findEmail(reader, account.id))?.address ?? null;
  const link = await findLink(reader, parsed, termsFor(account), termsOfMailed(account, address));
  if (!link) return undefined;
  const isAllowed = link.created_by === null || (await mayStillCreateLink(reader, link.created_by, account));
  return isAllowed ? { account, link } : undefined;
}

async function mayStillCreateLink(reader: Reader, maker: number, account: AccountDetails): Promise<boolean> {
  const { role = null, disabled } = (await findAccount(reader, maker)) ?? {};
  if (role === null || disabled !== null) return false;
  const viewer = { contributor: maker, role, isModerator: role !== 'contributor', canWrite: true };
  return canCreatePasswordLink(viewer, account);
}

const invalidPasswordLink = 'This link is not valid: it was used, or it is too old.';

/** Sets the password, and ends all sessions and keys. A second factor stays. */
export async function usePasswordLink(
  { database, passwords }: { readonly database: Database; readonly passwords: Passwords },
  code: string,
  password: string,
): Promise<void> {
  const refusal = new Invalid({ non_field_errors: [invalidPasswordLink] });
  const account = (await findPasswordLink(database, code))?.account;
  if (!account) throw refusal;
  const problem = findPasswordProblem(toFullNames(account), password);
  if (problem) throw new Invalid({ new_password: [problem] });
  const hash = await passwords.hash(password);
  const work = async (write: Write) => {
    const { transaction } = write;
    const found = await findPasswordLink(transaction, code);
    if (!found) throw refusal;
    await deleteLink(transaction, found.link);
    await setPasswordInTransaction(write, account.id, hash);
  };
  await transact(database, account.id, work, { changesActor: true });
}

// Asking for a mail with a link for a new password. Whether there is such an account, and whether it has an address, is
// found when the mail is sent: the request does the same for every text, and takes the same time.

export const forgottenFields = {
  name: textField({
    label: apiText('nameOrEmail'),
    autocomplete: 'username',
    required: true,
    maxLength: maxEmailLength,
    isSingleLine: true,
  }),
} satisfies Fields;

export async function askForPasswordLink(
  { database, attempts }: EmailDependencies,
  { name: typed }: Values<typeof forgottenFields>,
  clientAddress: string,
): Promise<void> {
  await attempts.countPasswordLink(typed, clientAddress);
  await database.transaction((transaction) =>
    queueMail(transaction, null, { kind: 'forgotten_password', content: { typed } }),
  );
}
