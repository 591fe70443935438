// The password with which a signed-in viewer confirms who they are.

import type { Fields } from '#rest/fields.ts';
import { findAccount } from '../../core/accounts/account.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { confirmationFields, confirmIdentity, hasSignedInRecently } from './sign-in.ts';

/** A viewer who has just signed in is not asked for the password. */
export const findConfirmationFields = async (context: PageContext): Promise<Fields> =>
  (await hasSignedInRecently(context.accounts, context.viewer)) ? {} : findPasswordField(context);

/** Empty for a viewer without a password that counts: they sign in again instead. */
export async function findPasswordField({ accounts, database, viewer }: PageContext): Promise<Fields> {
  const account = await findAccount(database, requireSignedIn(viewer));
  return account?.password && accounts.allowsPasswords ? confirmationFields : {};
}

/** Checks them. */
export const confirmViewer = async ({ accounts, viewer, request }: PageContext) =>
  confirmIdentity(accounts, viewer, (await request.readBody()).data, request.client);
