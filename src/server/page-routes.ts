// The routes of the public site: each page declares its own. A new page is a file in this folder and a line here.

import { type Context, Hono } from 'hono';
import { mapValues } from '#common/json.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { type Feature, placeOf, withAdded } from '../core/feature.ts';
import { serveAsset, serveFavicon, serveTouchIcon } from '../core/pages/assets.ts';
import { accentRoute } from '../core/pages/layout/accent.tsx';
import { preferenceRoutes } from '../core/pages/layout/footer.tsx';
import type { LinkCounts, ListLink, PageLink, PersonalPart } from '../core/pages/layout/layout-data.ts';
import { manifestRoute } from '../core/pages/layout/manifest.ts';
import {
  anyone,
  type FeatureDependencies,
  type PageDependencies,
  type PageParts,
  type PageRoute,
  type PageStart,
  page,
  type Sections,
  type TextNames,
} from '../core/pages/page.ts';
import { servePage } from '../core/pages/serve-page.ts';
import { siteTextRoutes } from '../core/pages/site-texts.tsx';
import type { AppSettings } from '../core/settings/settings.ts';
import { describeRoutes } from '../projects/pages/editing/describe.tsx';
import { editRoutes } from '../projects/pages/editing/edit.tsx';
import { fileRoutes } from '../projects/pages/editing/files.tsx';
import { newProjectRoutes } from '../projects/pages/editing/new.tsx';
import { ownProjectRoutes } from '../projects/pages/editing/own-projects.tsx';
import { textPreviewRoutes } from '../projects/pages/editing/project-form.tsx';
import { homeRoutes } from '../projects/pages/list/home.tsx';
import { tagRoutes } from '../projects/pages/list/tags.tsx';
import { projectRoutes } from '../projects/pages/project/project.tsx';
import { qrCodeRoutes } from '../projects/pages/project/qr-code.ts';
import { submissionRoutes } from '../projects/pages/project/submissions.ts';
import type { OfferedFiles } from './media-routes.ts';

/** If two routes match a path, the first answers. The routes of features come first. */
const routes = [
  ...homeRoutes,
  ...tagRoutes,
  ...qrCodeRoutes,
  ...projectRoutes,
  ...submissionRoutes,
  ...describeRoutes,
  ...editRoutes,
  ...fileRoutes,
  ...newProjectRoutes,
  ...textPreviewRoutes,
  ...ownProjectRoutes,
  ...siteTextRoutes,
  ...preferenceRoutes,
  page('/favicon.ico/', anyone, async () => serveFavicon()),
  page('/apple-touch-icon.png/', anyone, async () => serveTouchIcon()),
  accentRoute,
  manifestRoute,
  page('/assets/:file/', anyone, async ({ url }) => serveAsset(url.path)),
  { paths: ['*'] },
];

declare module '../core/feature.ts' {
  interface Feature {
    /** Loaded when the server starts. */
    pages?(): Promise<FeaturePages>;
    /** Other ways to show a list. */
    readonly listLinks?: readonly ListLink[];
  }
}

interface FeaturePages {
  readonly routes?: readonly PageRoute[];
  /** Parts of other pages. */
  readonly sections?: Sections;
  /** Numbers at links. */
  readonly counts?: LinkCounts;
  readonly personalParts?: readonly PersonalPart[];
  /** Names in texts that are links. */
  readonly textNames?: TextNames;
  /** Stored files that everybody may have, sent as files of projects are. */
  readonly files?: OfferedFiles;
  /** Made when the server starts. */
  createDependencies?(start: PageStart): Partial<FeatureDependencies>;
}

type Routes = Readonly<Record<string, Omit<PageRoute, 'paths'>>>;

export interface LoadedPages {
  /** By their paths, those of the features first. */
  readonly routes: Routes;
  readonly files: OfferedFiles;
  createDependencies(start: PageStart): FeatureDependencies;
  /** Those of a server with these settings. */
  createParts(settings: AppSettings): PageParts;
  createRoutes(deps: PageDependencies): Hono<{ Bindings: RequestContext }>;
}

export async function loadPages(features: readonly Feature[]): Promise<LoadedPages> {
  const loaded = await Promise.all(features.map(async ({ pages }) => pages?.()));
  const all = [...loaded.flatMap((pages) => pages?.routes ?? []), ...routes];
  const byPath: Record<string, Omit<PageRoute, 'paths'>> = {};
  for (const { paths, ...route } of all)
    for (const path of paths) byPath[path] = { ...byPath[path], ...route };
  return {
    routes: byPath,
    files: Object.assign({}, ...loaded.map((pages) => pages?.files)),
    createDependencies: (start) =>
      Object.assign({}, ...loaded.map((pages) => pages?.createDependencies?.(start))),
    createParts: (settings) => ({
      sections: joinByPlace(loaded.map((pages) => pages?.sections ?? {})),
      links: mapValues(joinLinks(features), (links) =>
        links.filter(({ isShown }) => isShown?.(settings, features) ?? true),
      ),
      counts: Object.assign({}, ...loaded.map((pages) => pages?.counts)),
      textNames: loaded.flatMap((pages) => pages?.textNames ?? []),
      listLinks: features.flatMap(({ listLinks = [] }) => listLinks),
      personalParts: loaded.flatMap((pages) => pages?.personalParts ?? []),
    }),
    createRoutes: (deps) => createPageRoutes(deps, byPath),
  };
}

/** Everything that they have at a place, in their order. */
function joinByPlace<Added>(all: readonly Readonly<Record<string, Added>>[]): Record<string, Added[]> {
  const entries = all.flatMap((ofFeature) => Object.entries(ofFeature));
  const grouped = Map.groupBy(entries, ([place]) => place);
  return mapValues(Object.fromEntries(grouped), (ofPlace) => ofPlace.map(([, added]) => added));
}

function joinLinks(features: readonly Feature[]): Readonly<Record<string, readonly PageLink[]>> {
  const joined = joinByPlace(features.map(({ links = {} }) => links));
  return mapValues(joined, (ofFeatures) => {
    const links = ofFeatures.flat();
    return withAdded(
      links.filter((link) => placeOf(link) === undefined),
      ({ href }) => href,
      links.flatMap((link) => {
        const place = placeOf(link);
        return place ? { ...place, entries: [link] } : [];
      }),
    );
  });
}

function createPageRoutes(deps: PageDependencies, routes: Routes): Hono<{ Bindings: RequestContext }> {
  const hono = new Hono<{ Bindings: RequestContext }>();
  for (const [path, route] of Object.entries(routes))
    hono.all(path, (c: Context<{ Bindings: RequestContext }>) => servePage(deps, route, c));
  return hono;
}
