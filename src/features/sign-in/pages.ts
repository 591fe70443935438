import type { FeatureDependencies, PageStart } from '../../core/pages/page.ts';
import { emailRoutes } from './email/email-page.tsx';
import { forgottenPasswordRoutes } from './forgotten-password-page.tsx';
import { codeRoutes } from './invitation-code-page.tsx';
import { invitationRoutes } from './invitations-page.tsx';
import { Challenges } from './passkeys/challenges.ts';
import { passkeyFormRoutes } from './passkeys/passkey-form.tsx';
import { passkeyRoutes } from './passkeys/passkeys-page.tsx';
import { passwordRoutes } from './password-page.tsx';
import { PendingSignIns } from './pending-sign-ins.ts';
import { secondFactorRoutes } from './second-factor/second-factor-page.tsx';
import { secondFactorSignInRoutes } from './second-factor/second-factor-sign-in-page.tsx';
import { signInRoutes } from './sign-in-page.tsx';
import { signUpRoutes } from './sign-up-page.tsx';

declare module '../../core/pages/page.ts' {
  interface FeatureDependencies {
    readonly challenges: Challenges;
    readonly pendingSignIns: PendingSignIns;
  }
}

export const routes = [
  ...invitationRoutes,
  ...signInRoutes,
  ...passkeyFormRoutes,
  ...secondFactorSignInRoutes,
  ...signUpRoutes,
  ...codeRoutes,
  ...forgottenPasswordRoutes,
  ...emailRoutes,
  ...passwordRoutes,
  ...passkeyRoutes,
  ...secondFactorRoutes,
];

export const createDependencies = ({ database, secret }: PageStart): Partial<FeatureDependencies> => ({
  challenges: new Challenges(database, secret),
  pendingSignIns: new PendingSignIns(secret),
});
