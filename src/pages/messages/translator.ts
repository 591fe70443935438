// The texts, numbers and dates of a page in one language.

import { IntlMessageFormat } from 'intl-messageformat';
import type { SiteSettings, TypeNames } from '../../gallery/site/fields.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import type { en } from './en.ts';
import { getLanguage, type LanguageCode, languageCodes } from './languages.ts';

type English = typeof en;
export type MessageKey = keyof English;

/** The names of the values: `{name}` and `{count, plural, …}`. The texts of a plural have a space or a `#`. */
type ValueNames<Text> = Text extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Inside}}${string}` ? NameOf<Inside> : never) | ValueNames<Rest>
  : never;
type NameOf<Inside> = Inside extends `${string}${' ' | '#'}${string}`
  ? Inside extends `${infer Name}, plural${string}`
    ? Name
    : never
  : Inside;

/** The names of the elements: `<name>…</name>`. */
type ElementNames<Text> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | ElementNames<Rest>
  : never;

type RichValues<Key extends MessageKey> = Readonly<
  Record<ValueNames<English[Key]>, Child> & Record<ElementNames<English[Key]>, (content: Child[]) => Child>
>;

/** The texts without elements. */
export type TextKey = {
  [Key in MessageKey]: [ElementNames<English[Key]>] extends [never] ? Key : never;
}[MessageKey];

/** The texts without values. */
export type PlainKey = {
  [Key in TextKey]: [ValueNames<English[Key]>] extends [never] ? Key : never;
}[TextKey];

/** A text without values takes no second argument. */
type TextValues<Key extends TextKey> = [ValueNames<English[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<ValueNames<English[Key]>, string | number>>];

export class Translator {
  readonly #formats = new Map<MessageKey, IntlMessageFormat>();
  readonly #numbers: Intl.NumberFormat;
  readonly #dates: Intl.DateTimeFormat;

  constructor(
    readonly code: LanguageCode,
    private readonly messages = getLanguage(code).messages,
  ) {
    const { locale } = getLanguage(code);
    this.#numbers = new Intl.NumberFormat(locale);
    this.#dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  }

  get direction() {
    return getLanguage(this.code).direction;
  }

  t = <Key extends TextKey>(key: Key, ...[values]: TextValues<Key>): string =>
    values === undefined ? this.messages[key] : String(this.#findFormat(key).format(values));

  /** A text with elements, or with elements for values. */
  rich = <Key extends MessageKey>(key: Key, values: RichValues<Key>): Child =>
    this.#findFormat(key).format<Child>(values as Record<string, never>) as Child;

  formatNumber = (value: number): string => this.#numbers.format(value);

  /** The date at the beginning of a time in ISO 8601, in its own time zone. */
  formatDate = (iso: string): string => this.#dates.format(new Date(`${iso.slice(0, 10)}T00:00Z`));

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

const translators = Object.fromEntries(languageCodes.map((code) => [code, new Translator(code)])) as Record<
  LanguageCode,
  Translator
>;

/** A request always gets the same translator for a language. */
export const getTranslator = (code: LanguageCode): Translator => translators[code];

const siteTranslators = new WeakMap<TypeNames, Map<LanguageCode, Translator>>();

/** With the names that the site has given to the types. They are the same in all languages. */
export function getSiteTranslator(code: LanguageCode, { type_names }: SiteSettings): Translator {
  if (!type_names) return getTranslator(code);
  let byLanguage = siteTranslators.get(type_names);
  if (!byLanguage) {
    byLanguage = new Map();
    siteTranslators.set(type_names, byLanguage);
  }
  let translator = byLanguage.get(code);
  if (!translator) {
    const names = Object.entries(type_names).flatMap(([type, { one, many }]) => [
      [`type.${type}`, one],
      [`type.${type}.many`, many],
    ]);
    translator = new Translator(code, { ...getLanguage(code).messages, ...Object.fromEntries(names) });
    byLanguage.set(code, translator);
  }
  return translator;
}
