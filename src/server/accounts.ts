// Who may sign in, and how: what the API and the pages need for it.

import type { Database } from '#sql';
import type { SignUpDependencies } from '../core/accounts/dependencies.ts';
import { Passwords } from '../core/accounts/passwords.ts';
import { SignInAttempts } from '../core/accounts/sign-in-attempts.ts';
import type { AddressPolicy } from '../core/checked-fetch.ts';
import type { appSettings, Settings } from '../core/settings/settings.ts';
import { ViewerAuthenticator } from '../core/viewer/authenticator.ts';
import type { SignInService } from '../features/linked-accounts/linked-account.ts';
import { OpenIdService } from '../features/linked-accounts/open-id.ts';
import { BasicPasswords } from '../features/sign-in/basic-passwords.ts';
import { megabyte } from './transfers.ts';

/** The service at which people sign in elsewhere, if there is one. */
export const createSignInService = (
  settings: AccountDependencies['settings'],
  policy: AddressPolicy,
): SignInService | undefined =>
  settings.oidcIssuer === '' ? undefined : new OpenIdService(settings, policy);

interface AccountDependencies {
  readonly database: Database;
  readonly secrets: { readonly sessions: string };
  readonly settings: Settings<(typeof appSettings)[number]>;
}

export const createAccounts = ({ database, secrets, settings }: AccountDependencies): SignUpDependencies => ({
  database,
  passwords: new Passwords(),
  allowsPasswords: settings.passwords === 'on',
  requiresSecondFactor: settings.requiresSecondFactor,
  signUpOptions: settings,
  sendsMail: settings.smtp !== undefined,
  attempts: new SignInAttempts(database, secrets.sessions, settings),
});

export function createAuthenticator(
  { database, secrets, settings }: AccountDependencies,
  accounts: SignUpDependencies,
): ViewerAuthenticator {
  const quotas = {
    projects: settings.projectQuota,
    file_bytes: settings.fileQuota && settings.fileQuota * megabyte,
  };
  const basic = settings.basic === 'passwords' ? new BasicPasswords(accounts) : undefined;
  return new ViewerAuthenticator(database, secrets.sessions, quotas, settings, basic);
}
