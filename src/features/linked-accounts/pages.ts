import type { FeatureDependencies, PageStart } from '../../core/pages/page.ts';
import { elsewhereRoutes, sections } from './elsewhere-page.tsx';
import type { SignInService } from './linked-account.ts';
import { linkedRoutes } from './linked-page.tsx';
import { OpenIdService } from './open-id.ts';
import type { OpenIdSettings } from './settings.ts';

declare module '../../core/pages/page.ts' {
  interface FeatureDependencies {
    /** The service at which people sign in elsewhere, if there is one. */
    readonly signInService: SignInService | undefined;
  }
  interface PageSettings extends OpenIdSettings {}
}

export { sections };

export const routes = [...elsewhereRoutes, ...linkedRoutes];

export const createDependencies = ({ settings, policy }: PageStart): Partial<FeatureDependencies> => ({
  signInService: settings.oidcIssuer === '' ? undefined : new OpenIdService(settings, policy),
});
