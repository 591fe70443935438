// The viewer's data that the layout of every page shows. All components of a page find it in their context.

import type { Text } from '#common/api-text.ts';
import { createContext, type JSX, useContext } from '#rest/jsx/jsx-runtime.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { readTheme, type Theme } from '#rest/theme.ts';
import type { Database, Reader } from '#sql';
import { findAccount } from '../../accounts/account.ts';
import type { SignUpDependencies } from '../../accounts/dependencies.ts';
import { loadModerators } from '../../accounts/moderators.ts';
import { findSignUpRules } from '../../accounts/sign-up-rules.ts';
import { displayName } from '../../contributors/contributor.ts';
import { type Feature, once, type Place } from '../../feature.ts';
import type { AppSettings } from '../../settings/settings.ts';
import { defaultSite, type SiteSettings } from '../../site/site-fields.ts';
import { loadSite } from '../../site/site-settings.ts';
import { chooseLanguage, type MessageKey } from '../../texts/languages.ts';
import { getSiteTranslator, getTranslator, type Translator } from '../../texts/translator.ts';
import type { ViewerAuthenticator } from '../../viewer/authenticator.ts';
import { can, type Permission } from '../../viewer/permissions.ts';
import { anonymous, type Role, type Viewer } from '../../viewer/viewer.ts';
import type { FragmentCache } from './fragment-cache.ts';

export interface FormErrors {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly Text[]>>;
}

export type PageLink = Partial<Place> & {
  readonly href: string;
  readonly text: MessageKey;
  /** Nobody else has the link. */
  readonly permission?: Permission;
  /** Of those with the permission, who has the link: everybody without it. It reads nothing: every page asks. */
  isFor?(viewer: Viewer): boolean;
  /** Whether a server with these settings and features has the page. */
  isShown?(settings: AppSettings, served: readonly Feature[]): boolean;
  /** It has the sum of the numbers at the links of this place. */
  readonly countsOf?: keyof LinkPlaces;
};

/** A number at a link, for viewers with a permission: no more than `max` are counted. */
interface LinkCount {
  readonly permission: Permission;
  count(reader: Reader, viewer: Viewer, max: number): Promise<number>;
}

/** By the addresses of the links. */
export type LinkCounts = Readonly<Record<string, LinkCount>>;

/** The places at which features add links: each is declared beside the code that shows it. */
export interface LinkPlaces {
  /** The viewer's own menu. */
  menu: true;
  /** A bell beside it, with a number. */
  bell: true;
  /** The end of it: the pages for people who run the gallery, and those of one's account. */
  'menu.end': true;
}

export type FeatureLinks = { readonly [Place in keyof LinkPlaces]?: readonly PageLink[] };

/** Another way to show a list, beside its heading. */
export interface ListLink {
  /** `query` has the filters and the order of the list. */
  href(query: URLSearchParams): string;
  readonly text: MessageKey;
}

/** Elements that every page has for people with a permission, and the script that uses them. */
export interface PersonalPart {
  readonly permission: Permission;
  readonly script: string;
  Content(): JSX.Element;
}

/** Another representation of a page, as a link in its head. */
export interface Alternate {
  readonly type: string;
  readonly href: string;
  readonly title: string;
  /** Its name in the footer, if it has a link there. */
  readonly text?: MessageKey;
}

export interface LayoutData {
  readonly links: FeatureLinks;
  readonly listLinks: readonly ListLink[];
  readonly personalParts: readonly PersonalPart[];
  readonly viewer: Viewer;
  readonly site: SiteSettings;
  readonly language: Translator;
  /** Of all dates on the page. */
  readonly timeZone: string;
  /** The display name of a signed-in viewer. */
  readonly name?: string;
  /** The hash of their avatar. */
  readonly avatar?: string | null;
  /** Only signed-in viewers have one. */
  readonly csrfToken?: string;
  /** Undefined: the operating system's colour scheme. */
  readonly theme?: Theme;
  /** Anybody may create an account. */
  readonly canSignUp?: boolean;
  /** They have a badge beside their name. */
  readonly moderators?: ReadonlyMap<number, Role>;
  /** By the addresses of links, up to one more than `maxShownCount`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Set when the page is shown again after its form had errors. */
  readonly formErrors?: FormErrors;
  readonly fragments?: FragmentCache;
  /** Stands for everything of the layout that fragments may show. */
  readonly fragmentScope?: string;
}

declare module '../../feature.ts' {
  interface Feature {
    /** Links on pages of others, by their places. */
    readonly links?: FeatureLinks;
    /** More that the layout of every page knows. */
    layout?(reader: Reader, viewer: Viewer): Promise<Partial<LayoutData>>;
  }
}

const loadOfFeatures = once((features) => {
  const loaders = features.flatMap(({ layout }) => layout ?? []);
  return async (reader: Reader, viewer: Viewer): Promise<Partial<LayoutData>> =>
    Object.assign({}, ...(await Promise.all(loaders.map((load) => load(reader, viewer)))));
});

/** For pages without dates. */
export const anonymousLayout: LayoutData = {
  links: {},
  counts: {},
  listLinks: [],
  personalParts: [],
  viewer: anonymous,
  site: defaultSite,
  language: getTranslator('en'),
  timeZone: 'UTC',
};

export const LayoutContext = createContext(anonymousLayout);

/** The layout data of the page that is rendered. */
export const useLayout = () => useContext(LayoutContext);

/** The links at the place that are for the viewer. */
export function useLinks(place: keyof LinkPlaces): readonly PageLink[] {
  const { links, viewer } = useLayout();
  return (links[place] ?? []).filter(
    ({ permission = 'read', isFor }) => can(viewer, permission) && (isFor?.(viewer) ?? true),
  );
}

/** The language of the page that is rendered. */
export const useLanguage = () => useLayout().language;

interface LayoutDependencies {
  readonly database: Database;
  readonly authenticator: Pick<ViewerAuthenticator, 'csrfTokenFor'>;
  readonly accounts: Pick<SignUpDependencies, 'signUpOptions' | 'allowsPasswords'>;
  readonly timeZone: string;
  readonly fragments: FragmentCache;
  readonly features: Pick<LayoutData, 'links' | 'listLinks' | 'personalParts'> & {
    readonly counts: LinkCounts;
  };
}

export async function loadLayoutData(
  { database, authenticator, accounts, timeZone, fragments, features }: LayoutDependencies,
  request: RequestContext,
  viewer: Viewer,
): Promise<LayoutData> {
  const [account, counts] = await Promise.all([
    viewer.contributor === null ? undefined : findAccount(database, viewer.contributor),
    loadCounts(database, viewer, features.counts),
  ]);
  const site = await loadSite(database, request.hostname);
  const moderators = await loadModerators(database);
  const language = getSiteTranslator(chooseLanguage(request.headers, site), site);
  return {
    links: features.links,
    listLinks: features.listLinks,
    personalParts: features.personalParts.filter(({ permission }) => can(viewer, permission)),
    viewer,
    site,
    language,
    timeZone,
    name: account && displayName(account),
    avatar: account?.avatar,
    csrfToken: authenticator.csrfTokenFor(viewer),
    theme: readTheme(request.headers),
    canSignUp: accounts.allowsPasswords && findSignUpRules(accounts.signUpOptions, site).policy === 'open',
    moderators,
    fragments,
    fragmentScope: `${numberOf(site)} ${language.code} ${numberOf(moderators)}`,
    counts,
    ...(await loadOfFeatures()(database, viewer)),
  };
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Settings and moderators that have changed are another object. */
function numberOf(value: object): number {
  const number = numbers.get(value) ?? ++lastNumber;
  numbers.set(value, number);
  return number;
}

/** Enough to see that there are many, of reports or notifications. */
export const maxShownCount = 99;

async function loadCounts(reader: Reader, viewer: Viewer, all: LinkCounts): Promise<LayoutData['counts']> {
  const shown = Object.entries(all).filter(([, { permission }]) => can(viewer, permission));
  const counts = await Promise.all(shown.map(([, { count }]) => count(reader, viewer, maxShownCount + 1)));
  return Object.fromEntries(shown.map(([href], index) => [href, counts[index] ?? 0]));
}
