// The email address of an account, which nobody needs. It is used once a link in a mail has confirmed it; until then, an
// earlier address stays. Several accounts may have the same address: those of siblings, say.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { emailPattern } from '#common/text-rules.ts';
import { type Field, type Fields, type PartialValues, textField } from '#rest/fields.ts';
import { all, type Database, execute, pick, type Reader, type Transaction } from '#sql';
import { findAccount, lockAccount, requireAccount } from '../../../core/accounts/account.ts';
import type { EmailDependencies } from '../../../core/accounts/dependencies.ts';
import { type Email, findEmail, maxEmailLength } from '../../../core/accounts/email.ts';
import { optionalPasswordField } from '../../../core/accounts/passwords.ts';
import type { Client } from '../../../core/accounts/sign-in-attempts.ts';
import { emailTable } from '../../../core/accounts/tables.ts';
import { transact, type Write } from '../../../core/changes/transact.ts';
import type { WriteContext } from '../../../core/changes/write.ts';
import { recordDecision } from '../../../core/decisions/decision.ts';
import { addDays, now } from '../../../core/instant.ts';
import { queueMail } from '../../../core/mail/queue.ts';
import { authorize, canManageRole } from '../../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../../core/viewer/viewer.ts';
import { createLink, deleteLink, findLink, type LinkTerms, parseLinkCode } from '../account-link.ts';
import { confirmPasswordOrSession } from '../sign-in.ts';

const lifetimeDays = 1;
/** A mail may be on its way for three days, and its link works for one more. */
const maxPendingDays = 7;

const textOfEmail = textField({
  label: apiText('email'),
  help: apiText('emailHelp'),
  autocomplete: 'email',
  maxLength: maxEmailLength,
  isSingleLine: true,
  allowsBlank: true,
  pattern: [emailPattern, apiText('emailWrong')],
});

/** An empty text, or null, is no address. */
export const emailField: Field<string, false> = {
  ...textOfEmail,
  schema: { ...textOfEmail.schema, type: ['string', 'null'], format: 'email' },
  read: (value) => textOfEmail.read(value ?? ''),
};

export const emailFields = { email: emailField, password: optionalPasswordField() } satisfies Fields;

/** The accounts that have confirmed this address. */
export const findByEmail = (reader: Reader, address: string) =>
  all(reader, pick(emailTable.columns, 'contributor', 'address'))`from email
    where address_key = ${address.toLowerCase()} order by contributor limit 100`;

export interface EmailRequest {
  readonly viewer: Viewer;
  readonly client: Client;
  /** The code of the language of the mails; undefined for the usual one. */
  readonly language: string | undefined;
}

export const noMail = apiText('noMail');

/**
 * The address that somebody wants to have from now on; undefined if it is the one that they have. Asks for the password, so
 * that a stolen session is not enough to take over the account.
 */
export async function readNewEmail(
  deps: EmailDependencies,
  { viewer, client }: EmailRequest,
  { email, password }: PartialValues<typeof emailFields>,
  /** A client that sends the whole record back does not mean the address that waits. */
  { cancels = false } = {},
): Promise<string | undefined> {
  if (email === undefined) return undefined;
  const contributor = requireSignedIn(viewer);
  const current = await findEmail(deps.database, contributor);
  if (email === (current?.address ?? '') && !(cancels && current?.pending)) return undefined;
  if (!deps.sendsMail && email !== '') throw new Invalid({ email: [noMail] });
  await confirmPasswordOrSession(deps, viewer, password, client);
  if (email !== '') await deps.attempts.countMail(email, contributor, client.address);
  return email;
}

/** Sets the address that waits for its confirmation, and mails the link; an empty text removes the address. */
export async function changeEmail(
  { transaction, changeSet }: Write,
  contributor: number,
  email: string,
  language = '',
): Promise<void> {
  const current = await findEmail(transaction, contributor);
  const { address = null, address_key = null } = current ?? {};
  if (address !== null && address !== email)
    // The owner of the account may not be the one who does this.
    await queueMail(transaction, contributor, {
      kind: 'email_changed',
      address,
      content: { to: email, language: current?.language ?? language },
    });
  if (email === '') await execute(transaction)`delete from email where contributor = ${contributor}`;
  else {
    const pending = address === email ? null : email;
    const row = { contributor, address, address_key, pending, pending_since: changeSet.at, language };
    await transaction.upsert(emailTable, [row]);
    if (pending !== null)
      await queueMail(transaction, contributor, { kind: 'confirm_email', address: pending });
  }
  changeSet.add({ kind: 'account', action: 'email', subject: contributor, owner: contributor });
}

/** For an admin, who may make password links for the account: the new address waits for its confirmation, too. */
export async function changeEmailOf(write: WriteContext, contributor: number, email: string): Promise<void> {
  const { transaction, viewer } = write;
  authorize(viewer, 'resetPassword', contributor);
  // A stolen key must not open other accounts.
  if (viewer.credential?.kind !== 'session') throw new Forbidden(apiText('keyMayNot'));
  await lockAccount(transaction, contributor);
  const { role, looked_after_by } = await requireAccount(transaction, contributor);
  if (!canManageRole(viewer, role) || looked_after_by !== null) throw new Forbidden();
  const { language } = (await findEmail(transaction, contributor)) ?? {};
  await changeEmail(write, contributor, email, language);
  const moderator = requireSignedIn(viewer);
  await recordDecision(write, { moderator, action: 'email', contributor });
}

/** For the operator, who vouches for the address: it needs no confirmation. An empty text removes it. */
export function setEmail(database: Database, contributor: number, email: string): Promise<void> {
  return transact(database, null, async (write) => {
    await changeEmail(write, contributor, email);
    if (email !== '') await useAddress(write.transaction, contributor, email);
    await recordDecision(write, { moderator: null, action: 'email', contributor });
  });
}

const useAddress = (transaction: Transaction, contributor: number, address: string): Promise<void> =>
  execute(transaction)`update email
    set address = ${address}, address_key = ${address.toLowerCase()}, pending = null
    where contributor = ${contributor}`;

/** Deletes addresses that nobody has confirmed: they may be those of strangers. */
export function sweepEmails(database: Database): Promise<void> {
  const isTooOld = sql`pending is not null and pending_since <= ${addDays(now(), -maxPendingDays)}`;
  return database.transaction(async (transaction) => {
    await execute(transaction)`update email set pending = null where ${isTooOld}`;
    await execute(transaction)`delete from email where address is null and pending is null`;
  });
}

export const confirmEmailPath = (code: string): string => `/confirm-email/?${new URLSearchParams({ code })}`;

/** The link ends with the next change of the address. */
const termsFor = ({ pending }: Email): LinkTerms => ['email', pending];

/** The code of a new link. */
export function createEmailLink(database: Database, email: Email): Promise<string> {
  const { contributor } = email;
  const link = { contributor, created_by: null, expires: addDays(now(), lifetimeDays) };
  return database.transaction((transaction) => createLink(transaction, link, termsFor(email)));
}

/** Undefined if the link is not valid. */
export async function findEmailLink(reader: Reader, code: string) {
  const parsed = parseLinkCode(code);
  const email = parsed && (await findEmail(reader, parsed.contributor));
  if (!email || email.pending === null) return undefined;
  const link = await findLink(reader, parsed, termsFor(email));
  const account = link && (await findAccount(reader, email.contributor));
  if (!account || account.role === null || account.disabled !== null) return undefined;
  return { account, link, pending: email.pending };
}

const invalidEmailLink = 'This link is not valid: it was used, or it is too old.';

/** From now on the address is used. */
export function confirmEmail(database: Database, code: string): Promise<void> {
  const work = async ({ transaction, changeSet }: Write) => {
    const found = await findEmailLink(transaction, code);
    if (!found) throw new Invalid({ non_field_errors: [invalidEmailLink] });
    const { account, link, pending } = found;
    await deleteLink(transaction, link);
    await useAddress(transaction, account.id, pending);
    changeSet.add({ kind: 'account', action: 'email', subject: account.id, owner: account.id });
  };
  return transact(database, null, work);
}
