// The parts of a page: the routes that it declares, what a handler receives, and the redirects with which it answers.

import { Invalid } from '#common/errors.ts';
import type { ReadSettings } from '#common/inputs.ts';
import type { Secret } from '#common/signature.ts';
import type { DownloadLimiter } from '#rest/download-limiter.ts';
import { BadRequest } from '#rest/error-responses.ts';
import type { Fields, Values } from '#rest/fields.ts';
import type { Child, JSX } from '#rest/jsx/jsx-runtime.ts';
import { type PreparedResponse, prepareResponse, withHeaders } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import type { RequestUrl } from '#rest/request-url.ts';
import type { UploadLimiter } from '#rest/upload-limiter.ts';
import type { Database, Reader } from '#sql';
import type { SignUpDependencies } from '../accounts/dependencies.ts';
import type { TransactOptions } from '../changes/transact.ts';
import type { RequestKey, WriteContext } from '../changes/write.ts';
import type { AddressPolicy } from '../checked-fetch.ts';
import type { UploadDependencies } from '../dump/dependencies.ts';
import type { FileStore } from '../files/store.ts';
import type { LinkedName } from '../markdown/name-links.ts';
import type { Translator } from '../texts/translator.ts';
import type { ViewerAuthenticator } from '../viewer/authenticator.ts';
import { authorizeAny, type Permission } from '../viewer/permissions.ts';
import type { Viewer } from '../viewer/viewer.ts';
import type { FragmentCache } from './layout/fragment-cache.ts';
import type {
  FeatureLinks,
  FormErrors,
  LayoutData,
  LinkCounts,
  ListLink,
  PersonalPart,
} from './layout/layout-data.ts';

/** A site that plays files whose names have this ending: `{url}` in the address stands for that of the file. */
export interface FilePlayer {
  readonly ending: string;
  readonly address: string;
}

/** The content at a place of a page, and its subject. */
export interface Section<Subject, Content = Child> {
  readonly subject: Subject;
  readonly content: Content;
}

/** The places of pages at which features add something: each page declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: pages add to it.
export interface Places {}

/** The parts that a feature adds, by the places; undefined for nothing. */
export type Sections = {
  readonly [Place in keyof Places]?: (
    context: PageContext,
    subject: Places[Place]['subject'],
  ) => Promise<Places[Place]['content'] | undefined>;
};

/** Those of all features, in their order. */
export type AllSections = {
  readonly [Place in keyof Places]?: readonly NonNullable<Sections[Place]>[];
};

/** The parts that features add at a place. */
export async function loadSections<Place extends keyof Places>(
  context: PageContext,
  place: Place,
  subject: Places[Place]['subject'],
): Promise<Places[Place]['content'][]> {
  const loaders = context.features.sections[place];
  if (!loaders) return [];
  const loaded = await Promise.all(loaders.map((load) => load(context, subject)));
  return loaded.filter((content) => content !== undefined);
}

/** The names in texts that are links for a viewer: those of each text, in the order of the texts. Nothing if there are none. */
export type TextNames = (
  reader: Reader,
  viewer: Viewer,
  texts: readonly string[],
) => Promise<readonly (readonly LinkedName[])[]>;

/** The parts that features add to the pages of others. */
export interface PageParts {
  readonly links: FeatureLinks;
  readonly counts: LinkCounts;
  readonly sections: AllSections;
  readonly textNames: readonly TextNames[];
  readonly listLinks: readonly ListLink[];
  readonly personalParts: readonly PersonalPart[];
}

/** More dependencies, of the pages of features. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureDependencies {}

/** The settings that they need for it. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface PageSettings {}

/** From which they make it, when the server starts. */
export interface PageStart {
  readonly database: Database;
  readonly settings: PageSettings;
  readonly policy: AddressPolicy;
  /** Signs what browsers send back. */
  readonly secret: Secret;
}

export interface PageDependencies extends UploadDependencies, FeatureDependencies {
  readonly features: PageParts;
  readonly database: Database;
  readonly accounts: SignUpDependencies;
  readonly authenticator: ViewerAuthenticator;
  readonly files: FileStore;
  readonly uploads: UploadLimiter;
  readonly timeZone: string;
  readonly readSettings: ReadSettings;
  readonly archiveDownloads: DownloadLimiter;
  /** The hosts whose players may play linked videos. */
  readonly playerHosts: readonly string[];
  /** The sites that play files of a kind. */
  readonly filePlayers: readonly FilePlayer[];
  readonly fragments: FragmentCache;
}

export interface PageContext extends PageDependencies {
  readonly origin: string;
  readonly url: RequestUrl;
  readonly params: Readonly<Record<string, string>>;
  readonly request: RequestContext;
  readonly viewer: Viewer;
  readonly layout: LayoutData;
  readonly t: Translator['t'];
  readonly rich: Translator['rich'];
  /** The key by which a form that is sent twice is recognized, if the form has one. */
  readonly readRequestKey: () => Promise<RequestKey | undefined>;
  /** The values of the form that was sent. */
  readForm<Declared extends Fields>(fields: Declared): Promise<Values<Declared>>;
  /** Writes on behalf of the viewer: once, if the form is sent twice. */
  transact<Result>(
    work: (write: WriteContext) => Promise<Result>,
    options?: TransactOptions,
  ): Promise<Result>;
  /** Set when the page is shown again after its form had errors. */
  readonly formErrors?: FormErrors;
  /** The response with a `Page`. */
  render(page: JSX.Element): PreparedResponse;
}

/** Shows a page, or handles its form: an `Invalid` that it throws is shown on the page of the same path. */
export type PageHandler = (context: PageContext) => Promise<PreparedResponse>;

/** The handlers of a path. Routes with the same path become one. */
export interface PageRoute {
  readonly paths: readonly string[];
  /** Without it, the path only accepts forms. */
  readonly show?: PageHandler;
  readonly submit?: PageHandler;
  /** The form may be multipart with files. */
  readonly acceptsFiles?: boolean;
  /** The form has one file that may be far larger: see `UploadLimiter`. */
  readonly acceptsArchive?: boolean;
  /** A form that comes from a page of another origin, without our cookies. Its handler checks that itself. */
  readonly isFromElsewhere?: boolean;
  /** For programs: pages of other origins may read it, with its errors. */
  readonly isOpen?: boolean;
}

/** For what everybody may see, and for forms whose handler finds out what the viewer may do. */
export const anyone = 'read';

/** Shows a page, and handles its form. It is also shown, with the errors, after a form with one of the paths. */
export const page = (
  paths: string | readonly string[],
  permission: Permission,
  show: PageHandler,
  submit?: PageHandler,
): PageRoute => ({
  paths: [paths].flat(),
  show: permit(permission, show),
  ...(submit && { submit: permit(permission, submit) }),
});

/** Handles a form that has no page of its own, or one with another permission. */
export const form = (path: string, permission: Permission, submit: PageHandler): PageRoute => ({
  paths: [path],
  submit: permit(permission, submit),
});

const permit =
  (permission: Permission, handle: PageHandler): PageHandler =>
  async (context) => {
    authorizeAny(context.viewer, permission);
    return handle(context);
  };

/** For a browser that comes from another site: there is no form to show a mistake in. */
export const fromElsewhere =
  (handle: PageHandler): PageHandler =>
  async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      const [text] = error instanceof Invalid ? Object.values(error.fields).flat() : [];
      throw text === undefined ? error : new BadRequest(text);
    }
  };

/** Redirects to another path with the same query. */
export function redirectPermanently(
  { origin, url }: Pick<PageContext, 'origin' | 'url'>,
  path: string,
): PreparedResponse {
  return prepareResponse(301, { Location: `${origin}${path}${url.search}` });
}

/** The response to a form: the browser loads the given page with GET. */
export function seeOther(
  path: string,
  cookies: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): PreparedResponse {
  const response = prepareResponse(303, { Location: path, 'Cache-Control': 'no-store', ...headers });
  return withHeaders(response, {}, cookies);
}

/** The path of the page on this site that the request came from, to go back there. */
export function refererPath({ headers, origin }: RequestContext): string {
  const referer = URL.parse(headers.get('Referer') ?? '');
  return referer?.origin === origin ? toLocalPath(referer.pathname + referer.search) : '/';
}

/** A path on this site, or the home page: other hosts are never redirected to. */
export function toLocalPath(path: unknown): string {
  const placeholder = 'http://placeholder';
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, placeholder) : null;
  // The path of `/.//elsewhere` is `//elsewhere`, which names another host.
  return url?.origin === placeholder && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

const maxNextLength = 1000;

/** Where to go after signing in: a local path, but no page for getting in, such as one with a used link, except that for linking. */
export function parseNextPath(path: unknown): string {
  const next = toLocalPath(path);
  if (next === newPersonPath) return next;
  // It goes into a cookie.
  if (next.length > maxNextLength) return '/';
  return /^\/(sign-(in|up|out)|(new|forgotten)-password|confirm-email)\//.test(next) ? '/' : next;
}

/** Signing in at a service elsewhere, such as that of a school. */
export const elsewherePath = '/sign-in/elsewhere/';

/** Where browsers come back from there. */
export const callbackPath = `${elsewherePath}callback/`;

/** A new account for who has signed in there. */
export const newPersonPath = `${elsewherePath}new/`;

/** The page on which people turn the second factor on. */
export const secondFactorPath = '/account/second-step/';
