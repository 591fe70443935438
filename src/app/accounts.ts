// Who may sign in, and how: what the API and the pages need for it.

import { ViewerAuthenticator } from '../authenticator.ts';
import type { AddressPolicy } from '../common/checked-fetch.ts';
import type { Database } from '../database/database.ts';
import { Passwords } from '../gallery/accounts/passwords.ts';
import { SignInAttempts } from '../gallery/accounts/sign-in-attempts.ts';
import type { LearningPlatform } from '../gallery/classes/course.ts';
import { BasicPasswords } from '../gallery/sign-in/basic-passwords.ts';
import type { SignInService } from '../gallery/sign-in/linked-account.ts';
import type { SignUpDependencies } from '../gallery/sign-in/sign-up.ts';
import type { appSettings, Settings } from '../settings/settings.ts';
import { LtiPlatform } from '../sign-in-service/learning-platform.ts';
import { OpenIdService } from '../sign-in-service/open-id.ts';
import { megabyte } from './transfers.ts';

/** The service at which people sign in elsewhere, if there is one. */
export const createSignInService = (
  settings: AccountDependencies['settings'],
  policy: AddressPolicy,
): SignInService | undefined =>
  settings.oidcIssuer === '' ? undefined : new OpenIdService(settings, policy);

/** The learning platform from whose courses people come, if there is one. */
export const createLearningPlatform = (
  settings: AccountDependencies['settings'],
  policy: AddressPolicy,
): LearningPlatform | undefined =>
  settings.ltiPlatform === '' ? undefined : new LtiPlatform(settings, policy);

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
