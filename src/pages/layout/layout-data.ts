// The viewer's data that the layout of every page shows. All components of a page find it in their context.

import type { ViewerAuthenticator } from '../../authenticator.ts';
import type { Text } from '../../common/api-text.ts';
import type { Database, Reader } from '../../database/database.ts';
import { findAccount } from '../../gallery/accounts/account.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { loadModerators } from '../../gallery/moderation/accounts.ts';
import { countOpenNameReports } from '../../gallery/moderation/name-report.ts';
import { countOpenReports } from '../../gallery/moderation/report.ts';
import { countWaiting } from '../../gallery/moderation/review.ts';
import { countUnread } from '../../gallery/notifications/find.ts';
import { isTrusted } from '../../gallery/projects/writing/opening.ts';
import type { SignUpDependencies } from '../../gallery/sign-in/sign-up.ts';
import { findSignUpRules } from '../../gallery/sign-in/sign-up-rules.ts';
import { defaultSite, type SiteSettings } from '../../gallery/site/fields.ts';
import { loadSite } from '../../gallery/site/settings.ts';
import { anonymous, type Role, type Viewer } from '../../gallery/viewer.ts';
import { createContext, useContext } from '../../jsx/jsx-runtime.ts';
import type { RequestContext } from '../../rest/request-context.ts';
import { readTheme, type Theme } from '../../rest/theme.ts';
import { chooseLanguage } from '../messages/languages.ts';
import { getSiteTranslator, getTranslator, type Translator } from '../messages/translator.ts';
import type { FragmentCache } from './fragment-cache.ts';

export interface FormErrors {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly Text[]>>;
}

export interface LayoutData {
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
  /** What the viewer publishes waits for a moderator. */
  readonly waits?: boolean;
  /** Set for moderators only. */
  readonly openCases?: Readonly<Record<string, number>>;
  /** The viewer's notifications that are not read, up to one more than `maxShownCount`. */
  readonly unreadCount?: number;
  /** Set when the page is shown again after its form had errors. */
  readonly formErrors?: FormErrors;
  readonly fragments?: FragmentCache;
  /** Stands for everything of the layout that fragments may show. */
  readonly fragmentScope?: string;
}

/** For pages without dates. */
export const anonymousLayout: LayoutData = {
  viewer: anonymous,
  site: defaultSite,
  language: getTranslator('en'),
  timeZone: 'UTC',
};

export const LayoutContext = createContext(anonymousLayout);

/** The layout data of the page that is rendered. */
export const useLayout = () => useContext(LayoutContext);

/** The language of the page that is rendered. */
export const useLanguage = () => useLayout().language;

interface LayoutDependencies {
  readonly database: Database;
  readonly authenticator: Pick<ViewerAuthenticator, 'csrfTokenFor'>;
  readonly accounts: Pick<SignUpDependencies, 'signUpOptions' | 'allowsPasswords'>;
  readonly timeZone: string;
  readonly fragments: FragmentCache;
}

export async function loadLayoutData(
  { database, authenticator, accounts, timeZone, fragments }: LayoutDependencies,
  request: RequestContext,
  viewer: Viewer,
): Promise<LayoutData> {
  const [account, unreadCount] =
    viewer.contributor === null
      ? []
      : await Promise.all([
          findAccount(database, viewer.contributor),
          countUnread(database, viewer, maxShownCount + 1),
        ]);
  const site = await loadSite(database, request.hostname);
  const moderators = await loadModerators(database);
  const language = getSiteTranslator(chooseLanguage(request.headers, site), site);
  return {
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
    unreadCount,
    waits: account && viewer.review && !(await isTrusted(database, account.id, viewer.review)),
    openCases: viewer.isModerator ? await countOpenCases(database, viewer) : {},
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

const openCaseCounts = {
  '/moderation/': countOpenReports,
  '/moderation/people/': countOpenNameReports,
  '/moderation/waiting/': countWaiting,
};

/** How much is left for moderators to decide, by the page that lists it. */
async function countOpenCases(reader: Reader, viewer: Viewer): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    Object.entries(openCaseCounts).map(async ([path, count]) => [
      path,
      await count(reader, viewer, maxShownCount + 1),
    ]),
  );
  return Object.fromEntries(counts);
}
