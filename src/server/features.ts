// The features that a server has: their resources and pages are loaded before it serves.

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
}

/** Without some, their pages, resources and work are gone. Their data, their rules and what is erased with them stay. */
export async function loadFeatures(without: readonly string[] = []): Promise<ServedFeatures> {
  const served = chooseFeatures(without);
  const [resources, pages, work, [createSharedCaching], [createSearchEngine]] = await Promise.all([
    loadResources(served),
    loadPages(served),
    Promise.all(served.flatMap((feature) => feature.work?.() ?? [])),
    Promise.all(served.flatMap((feature) => feature.sharedCaching?.() ?? [])),
    Promise.all(served.flatMap((feature) => feature.searchEngine?.() ?? [])),
  ]);
  const rootLinks = served.flatMap((feature) => feature.rootLinks ?? []);
  return { resources, pages, work, rootLinks, createSharedCaching, createSearchEngine };
}
