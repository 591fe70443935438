// The texts, numbers and dates of a page in one language.

import { IntlMessageFormat } from 'intl-messageformat';
import type { Text } from '#common/api-text.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import type { SiteSettings, TypeNames } from '../site/site-fields.ts';
import { getLanguage, type LanguageCode, type MessageKey, messagesIn } from './languages.ts';

type Values = Readonly<Record<string, string | number>>;
/** An element of a text, `<name>…</name>`, is a function of its content. */
type RichValues = Readonly<Record<string, Child | ((content: Child[]) => Child)>>;

export class Translator {
  #messages?: Readonly<Record<MessageKey, string>>;
  readonly #formats = new Map<MessageKey, IntlMessageFormat>();
  /** The last text with values: most pages have the same number of projects, say. */
  readonly #latest = new Map<MessageKey, { values: string; text: string }>();
  // Made at their first use, because they take milliseconds.
  #numbers?: Intl.NumberFormat;
  #dates?: Intl.DateTimeFormat;

  constructor(
    readonly code: LanguageCode,
    private readonly renamed: Readonly<Partial<Record<MessageKey, string>>> = {},
  ) {}

  /** Not before somebody asks: features are listed by then. */
  get messages(): Readonly<Record<MessageKey, string>> {
    this.#messages ??= { ...messagesIn(this.code), ...this.renamed };
    return this.#messages;
  }

  /** For scripts: how numbers and dates are written. */
  get locale() {
    return getLanguage(this.code).locale;
  }

  get direction() {
    return getLanguage(this.code).direction;
  }

  get comma() {
    return getLanguage(this.code).comma ?? ', ';
  }

  t = (key: MessageKey, values?: Values): string => {
    if (values === undefined) return this.messages[key];
    const json = JSON.stringify(values);
    const latest = this.#latest.get(key);
    if (latest?.values === json) return latest.text;
    const text = String(this.#findFormat(key).format(this.#isolate(values)));
    this.#latest.set(key, { values: json, text });
    return text;
  };

  /** A text with elements, or with elements for values. */
  rich = (key: MessageKey, values: RichValues): Child =>
    this.#findFormat(key).format<Child>(this.#isolate(values) as Record<string, never>) as Child;

  /** A text of the API. One without a code stays in English. */
  translate = (text: Text): string => {
    if (typeof text === 'string') return text;
    const values = Object.entries(text.values).map(([name, value]) => [
      name,
      typeof value === 'object' ? this.translate(value) : value,
    ]);
    return String(this.#findFormat(`api.${text.code}`).format(this.#isolate(Object.fromEntries(values))));
  };

  /** Sentences one after the other. */
  join = (texts: readonly Text[]): string => texts.map(this.translate).join(' ');

  formatNumber = (value: number): string => {
    this.#numbers ??= new Intl.NumberFormat(this.locale);
    return this.#numbers.format(value);
  };

  /** The date at the beginning of a time in ISO 8601, in its own time zone. */
  formatDate = (iso: string): string => {
    this.#dates ??= new Intl.DateTimeFormat(this.locale, { dateStyle: 'long', timeZone: 'UTC' });
    return this.#dates.format(new Date(`${iso.slice(0, 10)}T00:00Z`));
  };

  /** With the time of day. */
  formatDateTime = (iso: string): string => `${this.formatDate(iso)}${this.comma}${iso.slice(11, 16)}`;

  /** From right to left, a title or an address in Latin letters is isolated (FSI … PDI), or it would turn what is near to it. */
  #isolate<Some extends Readonly<Record<string, unknown>>>(values: Some): Some {
    if (!this.direction) return values;
    const isolated = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\u2068${value}\u2069` : value,
    ]);
    return Object.fromEntries(isolated) as Some;
  }

  /** Parsing a message takes longer than formatting it. */
  #findFormat(key: MessageKey): IntlMessageFormat {
    let format = this.#formats.get(key);
    if (!format) {
      format = new IntlMessageFormat(this.messages[key], getLanguage(this.code).locale);
      this.#formats.set(key, format);
    }
    return format;
  }
}

const translators = new Map<LanguageCode, Translator>();

/** A request always gets the same translator for a language. */
export const getTranslator = (code: LanguageCode): Translator =>
  translators.getOrInsertComputed(code, () => new Translator(code));

const siteTranslators = new WeakMap<TypeNames, Map<LanguageCode, Translator>>();

/** With the names that the site has given to the types. They are the same in all languages. */
export function getSiteTranslator(code: LanguageCode, { type_names }: SiteSettings): Translator {
  if (!type_names) return getTranslator(code);
  const byLanguage = siteTranslators.getOrInsertComputed(type_names, () => new Map());
  return byLanguage.getOrInsertComputed(code, () => {
    const names = Object.entries(type_names).flatMap(([type, { one, many }]) => [
      [`type.${type}`, one],
      [`type.${type}.many`, many],
    ]);
    return new Translator(code, Object.fromEntries(names));
  });
}
