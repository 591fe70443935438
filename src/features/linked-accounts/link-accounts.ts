// Whether people have accounts elsewhere with which they sign in.

import type { Feature } from '../../core/feature.ts';
import type { AppSettings } from '../../core/settings/settings.ts';

/** The page of these accounts. */
export const linkedPath = '/account/linked/';

declare module '../../core/feature.ts' {
  interface Feature {
    /** Whether people link accounts because of it, with these settings. */
    linksAccounts?(settings: AppSettings): boolean;
  }
}

export const areAccountsLinked = (settings: AppSettings, served: readonly Feature[]): boolean =>
  served.some((feature) => feature.linksAccounts?.(settings));
