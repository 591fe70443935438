// Changes of the ways to sign in, and of where events are sent, need the password, or a session that has just begun: a
// session that was left open is not enough.

import { apiText } from '../../common/api-text.ts';
import { Forbidden } from '../../common/errors.ts';
import { type Fields, readFields } from '../../common/fields.ts';
import { pick } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { first } from '../../database/query.ts';
import { sessionTable } from '../../database/schema.ts';
import { findAccount } from '../accounts/account.ts';
import type { Client } from '../accounts/known-devices.ts';
import { currentPasswordField } from '../accounts/passwords.ts';
import { microsecondsPerSecond, now } from '../instant.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';
import { confirmPassword, type SignInDependencies } from './sign-in.ts';

const createdColumn = pick(sessionTable.columns, 'created');
const recentSeconds = 10 * 60;

export const confirmationFields = {
  password: currentPasswordField(apiText('password')),
} satisfies Fields;

/** For the API, which does not know when the session began. */
export const optionalConfirmationFields = {
  password: {
    ...confirmationFields.password,
    required: false,
    help: 'Only needed if you signed in more than ten minutes ago.',
  },
} as const satisfies Fields;

export async function hasSignedInRecently(reader: Reader, { credential }: Viewer): Promise<boolean> {
  if (credential?.kind !== 'session') return false;
  const session = await first(reader, createdColumn)`from session where hash = ${credential.id}`;
  return session !== undefined && session.created > now() - recentSeconds * microsecondsPerSecond;
}

/** Throws unless it is the viewer; the password may be among the values of the form. */
export async function confirmIdentity(
  deps: SignInDependencies,
  viewer: Viewer,
  data: Readonly<Record<string, unknown>>,
  client: Client,
): Promise<void> {
  if (viewer.credential?.kind !== 'session') throw new Forbidden(apiText('keyMayNot'));
  if (await hasSignedInRecently(deps.database, viewer)) return;
  const contributor = requireSignedIn(viewer);
  const account = await findAccount(deps.database, contributor);
  if (!account?.password) throw new Forbidden(apiText('signInAgain'));
  await confirmPassword(deps, contributor, readFields(confirmationFields, data).password, client);
}
