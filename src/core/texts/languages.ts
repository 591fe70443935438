// The languages of the pages. A new one is two JSON files in messages/, and lines here: the texts of the pages, and those of
// the API that people see. A text of the pages takes the place of the API's with the same key. The syntax is ICU
// MessageFormat: `{name}` is a value, `<link>…</link>` an element. A key begins with the page or component. Quotation marks
// and apostrophes are typographic, because MessageFormat has a meaning for the straight ones.

import { parseAccept } from 'hono/utils/accept';
import type { ApiTextCode, FeatureTextKey } from '#common/api-text.ts';
import apiTexts from '#common/api-texts.json';
import { readCookie } from '#rest/authentication.ts';
import { once } from '../feature.ts';
import { defaultSite, offeredLanguages, type SiteLanguage, type SiteSettings } from '../site/site-fields.ts';
import apiAr from './api.ar.json';
import apiDe from './api.de.json';
import apiEs from './api.es.json';
import ar from './ar.json';
import de from './de.json';
import en from './en.json';
import es from './es.json';

// A language that nobody speaks, to try pages from right to left: the English texts between marks that turn them.

/** Letters keep their shape, and words run from right to left, as in Arabic (RLO … PDF). */
const mirrorText = (text: string) =>
  text.replace(/(^|[}>])([^{}<>]+)/g, (_, before: string, words: string) => `${before}\u202e${words}\u202c`);

const mirror = <Messages extends Readonly<Record<string, string>>>(messages: Messages) =>
  Object.fromEntries(
    Object.entries(messages).map(([name, text]) => [
      name,
      text.includes(' plural,') ? text : mirrorText(text),
    ]),
  ) as Messages;

type OwnKey = keyof typeof en | `api.${keyof typeof apiTexts}`;
export type MessageKey = OwnKey | FeatureTextKey;
type Messages = Readonly<Record<OwnKey, string>>;

declare module '../feature.ts' {
  interface Feature {
    /** Its words. In a language without one, the English is shown. */
    readonly texts?: { readonly en: Texts } & Partial<Readonly<Record<SiteLanguage, Texts>>>;
  }
}
type Texts = Readonly<Record<string, string>>;

interface Language {
  /** Its name in itself; a language without one is for tests, and not offered to people. */
  readonly name?: string;
  /** Writes numbers and dates. */
  readonly locale: string;
  readonly direction?: 'rtl';
  /** Between things in a row. `, ` if not said. */
  readonly comma?: string;
  readonly messages: Messages;
}

const toMessages = <Texts extends Partial<Record<ApiTextCode, string>>>(texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [`api.${code}`, text])) as {
    readonly [Code in keyof Texts & ApiTextCode as `api.${Code}`]: string;
  };

const english: Messages = { ...toMessages(apiTexts), ...en };

const languages = {
  en: { name: 'English', locale: 'en-GB', messages: english },
  es: { name: 'Español', locale: 'es', messages: { ...toMessages(apiEs), ...es } },
  de: { name: 'Deutsch', locale: 'de', messages: { ...toMessages(apiDe), ...de } },
  // With the digits 0 to 9, as in codes, links and fields.
  ar: {
    name: 'العربية',
    locale: 'ar-u-nu-latn',
    direction: 'rtl',
    comma: '، ',
    messages: { ...toMessages(apiAr), ...ar },
  },
  // Chosen by hand, to try pages from right to left.
  'ar-XB': { locale: 'en-GB', direction: 'rtl', messages: mirror(english) },
} as const satisfies Record<SiteLanguage | 'ar-XB', Language>;

export type LanguageCode = keyof typeof languages;

export const defaultLanguage: LanguageCode = 'en';

export const getLanguage = (code: LanguageCode): Language => languages[code];

/** The texts of the pages, with those of the features. */
export const messagesIn = (code: LanguageCode): Readonly<Record<MessageKey, string>> => allMessages()[code];

const allMessages = once((features) => {
  const withFeatures = ([code, { messages }]: [string, Language]) => {
    const added = features.map(({ texts }) => texts?.[code as SiteLanguage] ?? texts?.en ?? {});
    const texts: Texts = Object.assign({}, ...added);
    return [code, { ...(code === 'ar-XB' ? mirror(texts) : texts), ...messages }];
  };
  return Object.fromEntries(Object.entries<Language>(languages).map(withFeatures)) as Readonly<
    Record<LanguageCode, Readonly<Record<MessageKey, string>>>
  >;
});

export const languageCodes = Object.keys(languages) as LanguageCode[];

const cookieName = 'language';
const secondsPerYear = 365 * 24 * 60 * 60;

/** Sets the cookie, or deletes it to follow the browser's languages again. */
export function buildLanguageCookie(code: LanguageCode | undefined): string {
  return `${cookieName}=${code ?? ''}; Path=/; Max-Age=${code ? secondsPerYear : 0}; SameSite=Lax`;
}

type SiteLanguages = Pick<SiteSettings, 'language' | 'languages'>;

/** The language that the person chose, or else that of the site, or else the first one of their browser that the site offers. */
export function chooseLanguage(headers: Headers, site: SiteLanguages = defaultSite): LanguageCode {
  const offered = offeredLanguages(site);
  const isOffered = (code: LanguageCode) =>
    getLanguage(code).name === undefined || offered.some((one) => one === code);
  const chosen = headers.has('Cookie') && findLanguage(readCookie(headers, cookieName) ?? '');
  if (chosen && isOffered(chosen)) return chosen;
  if (site.language) return site.language;
  const accepted = findAcceptedLanguages(headers.get('Accept-Language') ?? '').find(isOffered);
  return accepted ?? (isOffered(defaultLanguage) ? defaultLanguage : (offered[0] ?? defaultLanguage));
}

/** Browsers send few different headers. */
const languagesByHeader = new Map<string, readonly LanguageCode[]>();
const maxHeaders = 1000;
const maxHeaderLength = 200;

function findAcceptedLanguages(header: string): readonly LanguageCode[] {
  const known = languagesByHeader.get(header);
  if (known) return known;
  const accepted = parseAccept(header.slice(0, maxHeaderLength)).filter(({ q }) => q > 0);
  const found = [...new Set(accepted.flatMap(({ type }) => findLanguage(type) ?? []))];
  if (languagesByHeader.size < maxHeaders && header.length <= maxHeaderLength)
    languagesByHeader.set(header, found);
  return found;
}

/** Without the country and script if the whole tag is not known: `es-MX` is `es`. */
function findLanguage(tag: string): LanguageCode | undefined {
  const [base = ''] = tag.split('-', 1);
  return [tag, base]
    .map((name) => languageCodes.find((code) => code.toLowerCase() === name.toLowerCase()))
    .find((code) => code !== undefined);
}

/** The language of the mails to somebody; undefined for English. */
export const toMailLanguage = (code: LanguageCode): string | undefined =>
  code === defaultLanguage ? undefined : code;

/** The choice and the languages of a browser, as part of the key of a cached page. Undefined for most people. */
export function getLanguageKey(headers: Headers): string | undefined {
  const chosen = headers.has('Cookie') && findLanguage(readCookie(headers, cookieName) ?? '');
  const accepted = findAcceptedLanguages(headers.get('Accept-Language') ?? '');
  const key = [chosen || '', ...accepted].join();
  return key === '' || key === `,${defaultLanguage}` ? undefined : key;
}
