// The features that a server has: their resources and pages are loaded before it serves.

import type { CreatePasswordChecker } from '../core/viewer/authenticator.ts';
import type { CreateSharedCaching, CreateWork } from '../projects/background-work.ts';
import type { CreateSearchEngine } from '../projects/searching/search-engine.ts';
import { type ListRootLinks, type LoadedResources, loadResources } from './api-routes.ts';
import { chooseFeatures } from './choose-features.ts';
import { type LoadedPages, loadPages } from './page-routes.ts';

export interface ServedFeatures {
  readonly resources: LoadedResources;
  readonly pages: LoadedPages;
  readonly work: readonly CreateWork[];
  readonly rootLinks: readonly ListRootLinks[];
  readonly createSharedCaching: CreateSharedCaching | undefined;
  readonly createSearchEngine: CreateSearchEngine | undefined;
  readonly createPasswordChecker: CreatePasswordChecker | undefined;
}

/** A part that at most one feature has. */
const loadOne = async <Part>(parts: readonly (Promise<Part> | undefined)[]): Promise<Part | undefined> =>
  parts.find((part) => part !== undefined);

/** Without some, their pages, resources and work are gone. Their data, their rules and what is erased with them stay. */
export async function loadFeatures(without: readonly string[] = []): Promise<ServedFeatures> {
  const served = chooseFeatures(without);
  return {
    resources: await loadResources(served),
    pages: await loadPages(served),
    work: await Promise.all(served.flatMap((feature) => feature.work?.() ?? [])),
    rootLinks: served.flatMap((feature) => feature.rootLinks ?? []),
    createSharedCaching: await loadOne(served.map((feature) => feature.sharedCaching?.())),
    createSearchEngine: await loadOne(served.map((feature) => feature.searchEngine?.())),
    createPasswordChecker: await loadOne(served.map((feature) => feature.passwordChecker?.())),
  };
}
