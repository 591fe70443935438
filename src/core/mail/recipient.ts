// To whom a mail about an account goes.

import type { Database } from '#sql';
import { type AccountDetails, findAccount } from '../accounts/account.ts';
import { type Email, findEmail } from '../accounts/email.ts';
import { defaultLanguage, languageCodes } from '../texts/languages.ts';
import { getTranslator, type Translator } from '../texts/translator.ts';

/** In the language that the person had when they gave the address. */
export const translatorOf = (language: string | undefined): Translator =>
  getTranslator(languageCodes.find((code) => code === language) ?? defaultLanguage);

/** The account and its address; undefined if there is no such account any more, or it is disabled. */
export async function findRecipient(
  database: Database,
  contributor: number | null,
): Promise<{ account: AccountDetails; email: Email; language: Translator } | undefined> {
  if (contributor === null) return undefined;
  const account = await findAccount(database, contributor);
  const email = await findEmail(database, contributor);
  if (!account || account.role === null || account.disabled !== null || !email) return undefined;
  return { account, email, language: translatorOf(email.language) };
}

export async function findConfirmedRecipient(database: Database, contributor: number | null) {
  const recipient = await findRecipient(database, contributor);
  const to = recipient?.email.address;
  return to ? { ...recipient, to } : undefined;
}
