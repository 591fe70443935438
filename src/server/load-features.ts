// The features that a server has: their resources and pages are loaded before it serves.

import type { Feature } from '../core/feature.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import type { CreatePasswordChecker } from '../core/viewer/authenticator.ts';
import type { CreateSharedCaching, CreateWork } from '../projects/background-work.ts';
import type { CreateSearchEngine } from '../projects/searching/search-engine.ts';
import { type ListRootLinks, type LoadedResources, loadResources } from './api-routes.ts';
import { chooseFeatures } from './choose-features.ts';
import type { LoadedPages } from './page-routes.ts';

export interface ServedFeatures {
  readonly resources: LoadedResources;
  /** Undefined with `--only api`. */
  readonly pages: LoadedPages | undefined;
  readonly work: readonly CreateWork[];
  readonly rootLinks: readonly ListRootLinks[];
  readonly createSharedCaching: CreateSharedCaching | undefined;
  readonly createSearchEngine: CreateSearchEngine | undefined;
  readonly createPasswordChecker: CreatePasswordChecker | undefined;
}

/** A part that at most one feature has. */
const loadOne = async <Part>(parts: readonly (Promise<Part> | undefined)[]): Promise<Part | undefined> =>
  parts.find((part) => part !== undefined);

/** A feature with neither pages nor resources does only what a setting or a command asks for. */
const isForApi = ({ neededBecause, pages, resources }: Feature) =>
  neededBecause !== undefined || (!pages && !resources);

/** Without some, their pages, resources and work are gone. Their data, their rules and what is erased with them stay. */
export async function loadFeatures({
  without = [],
  only = '',
}: Partial<Pick<AppSettings, 'without' | 'only'>> = {}): Promise<ServedFeatures> {
  const chosen = chooseFeatures(without);
  const served = only === 'api' ? chosen.filter(isForApi) : chosen;
  return {
    resources: await loadResources(served),
    // All modules of pages come with it.
    pages: only === 'api' ? undefined : await (await import('./page-routes.ts')).loadPages(served),
    work: await Promise.all(served.flatMap((feature) => feature.work?.() ?? [])),
    rootLinks: served.flatMap((feature) => feature.rootLinks ?? []),
    createSharedCaching: await loadOne(served.map((feature) => feature.sharedCaching?.())),
    createSearchEngine: await loadOne(served.map((feature) => feature.searchEngine?.())),
    createPasswordChecker: await loadOne(served.map((feature) => feature.passwordChecker?.())),
  };
}
