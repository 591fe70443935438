// The dependencies of signing in, for the API and the pages.

import type { Secret } from '#common/signature.ts';
import type { Database } from '#sql';
import type { SignUpDependencies } from '../core/accounts/dependencies.ts';
import { Passwords } from '../core/accounts/passwords.ts';
import { SignInAttempts } from '../core/accounts/sign-in-attempts.ts';
import type { appSettings, Settings } from '../core/settings/settings.ts';
import { ViewerAuthenticator } from '../core/viewer/authenticator.ts';
import type { ServedFeatures } from './load-features.ts';
import { megabyte } from './transfers.ts';

interface AccountDependencies {
  readonly database: Database;
  readonly secrets: { readonly sessions: Secret };
  readonly settings: Settings<(typeof appSettings)[number]>;
  readonly features: Pick<ServedFeatures, 'createPasswordChecker'>;
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
  { database, secrets, settings, features }: AccountDependencies,
  accounts: SignUpDependencies,
): ViewerAuthenticator {
  const quotas = {
    projects: settings.projectQuota,
    file_bytes: settings.fileQuota && settings.fileQuota * megabyte,
  };
  const basic = settings.basic === 'passwords' ? features.createPasswordChecker?.(accounts) : undefined;
  return new ViewerAuthenticator(database, secrets.sessions, quotas, settings, basic);
}
