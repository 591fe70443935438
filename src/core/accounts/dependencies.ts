// The dependencies of signing in and signing up.

import type { Database } from '#sql';
import type { Role } from '../viewer/viewer.ts';
import type { Passwords } from './passwords.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import type { SignUpOptions } from './sign-up-rules.ts';

/**
 * The operator can require a second factor of moderators and admins. Until they have turned it on, their role does not
 * work: they are treated as contributors.
 */
export interface SecondFactorPolicy {
  readonly requiresSecondFactor: boolean;
}

export const needsSecondFactor = ({ requiresSecondFactor }: SecondFactorPolicy, role: Role | null): boolean =>
  requiresSecondFactor && role !== null && role !== 'contributor';

export interface SignInDependencies extends SecondFactorPolicy {
  readonly database: Database;
  /** Otherwise people sign in elsewhere, or with passkeys. */
  readonly allowsPasswords: boolean;
  readonly passwords: Passwords;
  readonly attempts: SignInAttempts;
}

export interface EmailDependencies extends SignInDependencies {
  /** Without mails, no address could be confirmed. */
  readonly sendsMail: boolean;
}

export interface SignUpDependencies extends EmailDependencies {
  readonly signUpOptions: SignUpOptions;
}
