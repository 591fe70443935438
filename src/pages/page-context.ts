// Everything that a page's handler receives.

import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Text } from '../common/api-text.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import type { RequestKey } from '../gallery/changes/write.ts';
import type { ProjectFinder } from '../gallery/projects/reading/find.ts';
import type { SitemapRanges } from '../gallery/projects/reading/sitemap-ranges.ts';
import type { Challenges } from '../gallery/sign-in/challenges.ts';
import type { PendingSignIns } from '../gallery/sign-in/second-factor-sign-in.ts';
import type { SignUpDependencies } from '../gallery/sign-in/sign-up.ts';
import type { PageViews } from '../gallery/statistics/weekly-counts.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { AddressRules } from '../gallery/webhooks/address-rules.ts';
import type { ImportDependencies } from '../import-export/own-data/import.ts';
import type { PreparedResponse } from '../rest/prepared-response.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { RequestUrl } from '../rest/request-url.ts';
import type { UploadLimiter } from '../rest/upload-limiter.ts';
import type { FragmentCache } from './layout/fragment-cache.ts';
import type { LayoutData } from './layout/layout-data.ts';

export interface PageDependencies extends ImportDependencies {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly sitemap: SitemapRanges;
  readonly accounts: SignUpDependencies;
  readonly challenges: Challenges;
  readonly pendingSignIns: PendingSignIns;
  readonly authenticator: ViewerAuthenticator;
  readonly files: FileStore;
  readonly uploads: UploadLimiter;
  readonly webhookRules: AddressRules;
  readonly timeZone: string;
  readonly offersPublicDump: boolean;
  /** The hosts whose players may play linked videos. */
  readonly playerHosts: readonly string[];
  readonly views: PageViews;
  readonly fragments: FragmentCache;
}

export interface PageContext {
  readonly origin: string;
  readonly url: RequestUrl;
  readonly params: Readonly<Record<string, string>>;
  readonly request: RequestContext;
  readonly viewer: Viewer;
  readonly layout: LayoutData;
  /** The key by which a form that is sent twice is recognized, if the form has one. */
  readonly readRequestKey: () => Promise<RequestKey | undefined>;
  /** Set when the page is shown again after its form had errors. */
  readonly formErrors?: FormErrors;
}

export interface FormErrors {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly Text[]>>;
}

/** Shows a page, or handles its form: an `Invalid` that it throws is shown on the page. */
export type PageHandler = (deps: PageDependencies, context: PageContext) => Promise<PreparedResponse>;
