// The settings of a site that its admins change, on a page or by command. Each is stored as text; reading the text gives
// its value. docs/decisions/0027-site-settings.md says why these.

import { apiText, type Text } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { emailPattern } from '#common/text-rules.ts';
import { readDigits } from '#common/whole-number.ts';
import { type Field, type Fields, type PartialValues, readText, textField } from '#rest/fields.ts';
import {
  type ContentType,
  contentTypes,
  type ProjectContentType,
  projectContentTypes,
} from '../content-types.ts';
import { shownNames } from '../contributors/contributor.ts';
import type { Size } from '../files/stored-files.ts';
import { licenseNames } from '../licenses.ts';

/** The looks and their values are in assets/looks.css. */
export const looks = ['dusk', 'daylight', 'playground'] as const;
export const accents = ['felt', 'moss', 'indigo', 'plum', 'brick', 'copper', 'brass', 'chalk'] as const;
export const corners = ['square', 'soft', 'round', 'rounder'] as const;
/** Which works wait for a moderator: the first ones of each person, or all. */
export const reviewScopes = ['off', 'first', 'all'] as const;
/** When the descriptions of pictures are asked for: after publishing, or before. */
export const descriptionRules = ['asked', 'required'] as const;
/** So many of the first ones. */
export const defaultReviewedWorks = 3;
const maxReviewedWorks = 100;

/** The languages of the pages: see pages/messages/. */
export const siteLanguages = ['en', 'es', 'de', 'ar'] as const;
export type SiteLanguage = (typeof siteLanguages)[number];

/** The first of these is that of a gallery without the setting. */
export const ratingStyles = ['stars', 'heart'] as const;
export const signUpPolicies = ['closed', 'invitation', 'open'] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

export const maxLinks = 8;
const maxLabel = 60;
const maxAddress = 300;

export interface SiteLink {
  readonly label: string;
  readonly href: string;
}

export interface TypeName {
  readonly one: string;
  readonly many: string;
}

export type TypeNames = Partial<Record<ContentType, TypeName>>;

const line = (label: Text, maxLength: number, help?: Text) =>
  textField({ label, help, maxLength, isSingleLine: true });
const page = (label: Text, path: string) =>
  textField({ label, help: apiText('site.pageHelp', { path }), maxLength: 20_000 });

/** The value is computed from the text. */
function derivedField<Value>(
  label: Text,
  help: Text,
  maxLength: number,
  parse: (text: string) => Value,
): Field<Value, false> {
  const { schema, read } = textField({ label, maxLength });
  return { label, help, schema, read: (value) => parse(read(value).trim()) };
}

/** One of a few names; the list is part of the message, for the command. */
function oneOf<const Choice extends string>(label: Text, choices: readonly Choice[]): Field<Choice, false> {
  return {
    label,
    help: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
    schema: { enum: choices },
    read(value) {
      const found = choices.find((choice) => choice === value);
      if (found === undefined)
        throw new InvalidValue(apiText('site.badChoice', { choices: choices.join(', ') }));
      return found;
    },
  };
}

/** One of the names, or any colour. */
const accentField: Field<string, false> = {
  label: apiText('site.accent'),
  help: `${accents.join(', ')}, or any colour such as #b03a2e.`,
  schema: { anyOf: [{ enum: accents }, { pattern: '^#[0-9a-fA-F]{6}$' }] },
  read(value) {
    const color = typeof value === 'string' && value.toLowerCase();
    if (color && /^#[0-9a-f]{6}$/.test(color)) return color;
    if (accents.some((name) => name === value)) return String(value);
    throw new InvalidValue(apiText('site.badAccent', { choices: accents.join(', ') }));
  },
};

export const siteFields = {
  name: line(apiText('name'), maxLabel),
  tagline: line(apiText('site.tagline'), 160, apiText('site.taglineHelp')),
  heading: line(apiText('site.heading'), 120),
  logo: derivedField(apiText('site.logo'), 'A picture.', 200, parseLogo),
  look: oneOf(apiText('site.look'), looks),
  accent: accentField,
  corners: oneOf(apiText('site.corners'), corners),
  ratings: oneOf(apiText('site.ratings'), ratingStyles),
  review: oneOf(apiText('site.review'), reviewScopes),
  review_works: derivedField(
    apiText('site.reviewWorks'),
    apiText('site.reviewWorksHelp', { works: defaultReviewedWorks }),
    10,
    parseReviewedWorks,
  ),
  descriptions: oneOf(apiText('site.descriptions'), descriptionRules),
  types: derivedField(apiText('site.types'), 'Separated by commas.', 200, (text) =>
    parseNames(text, projectContentTypes, apiText('site.noType')),
  ),
  type_names: derivedField(
    apiText('site.typeNames'),
    'One type a line: `video: Film, Films`.',
    1000,
    parseTypeNames,
  ),
  license: oneOf(apiText('site.license'), licenseNames),
  licenses: derivedField(apiText('site.licenses'), 'Separated by commas.', 200, (text) =>
    parseNames(text, licenseNames, apiText('site.noLicense')),
  ),
  language: oneOf(apiText('site.language'), siteLanguages),
  languages: derivedField(apiText('site.languages'), 'Separated by commas.', 60, (text) =>
    parseNames(text, siteLanguages, apiText('site.noLanguage')),
  ),
  sign_up: oneOf(apiText('site.signUp'), signUpPolicies),
  names: oneOf(apiText('site.names'), shownNames),
  contact: derivedField(apiText('site.contact'), apiText('site.contactHelp'), maxAddress, parseContact),
  password_help: line(apiText('site.passwordHelp'), 200, apiText('site.passwordHelpHelp')),
  links: derivedField(apiText('site.links'), apiText('site.linksHelp'), 3000, parseLinks),
  about: page(apiText('site.about'), '/about/'),
  rules: page(apiText('site.rules'), '/rules/'),
} satisfies Fields;

export type SettingName = keyof typeof siteFields;
export const settingNames = Object.keys(siteFields) as SettingName[];

/** A missing value is the one that every new gallery has. */
export type SiteSettings = PartialValues<typeof siteFields> & { readonly name: string };

export const defaultSite: SiteSettings = { name: 'Vitrine' };

/** The attributes of the root of a page: see assets/looks.css. Any other colour comes from a stylesheet: see accent.ts. */
export const lookAttributes = ({ look, accent, corners }: SiteSettings) => ({
  'data-look': look,
  'data-accent': accent?.startsWith('#') ? undefined : accent,
  'data-corners': corners,
});

/** Without a list, a site offers all types. */
export function isTypeOffered(
  offered: readonly ProjectContentType[] | undefined,
  type: ContentType,
): boolean {
  return type === 'comment' || type === 'collection' || offered === undefined || offered.includes(type);
}

/** The languages that people can choose. The one for everybody is among them. */
export const offeredLanguages = ({
  language,
  languages = siteLanguages,
}: Pick<SiteSettings, 'language' | 'languages'>): readonly SiteLanguage[] =>
  siteLanguages.filter((code) => code === language || languages.includes(code));

/** The smallest size of the uploaded picture: the hash under which it is stored, its bytes, its width and its height. */
export interface Logo extends Size {
  readonly width: number;
  readonly height: number;
}

export const formatLogo = ({ hash, bytes, width, height }: Size) => `${hash} ${bytes} ${width} ${height}`;

function parseLogo(text: string): Logo {
  const [, hash = '', ...numbers] = /^([0-9a-f]{64}) (\d{1,9}) (\d{1,5}) (\d{1,5})$/.exec(text) ?? [];
  const [bytes = 0, width = 0, height = 0] = numbers.map(Number);
  if (!hash || !bytes || !width || !height) throw new InvalidValue('Choose a picture.');
  return { hash, bytes, width, height };
}

function parseReviewedWorks(text: string): number {
  const works = Number(readDigits(text));
  if (!(works >= 1 && works <= maxReviewedWorks))
    throw new InvalidValue(apiText('site.badReviewWorks', { max: maxReviewedWorks }));
  return works;
}

/** Some of these, at least one, in their order. */
function parseNames<Name extends string>(
  text: string,
  known: readonly Name[],
  problem: Text,
): readonly Name[] {
  const names = splitList(text, ',');
  const unknown = names.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new InvalidValue(`"${unknown}" is not one of ${known.join(', ')}.`);
  if (names.length === 0) throw new InvalidValue(problem);
  return known.filter((name) => names.includes(name));
}

function parseTypeNames(text: string): TypeNames {
  return Object.fromEntries(
    splitList(text, '\n').map((entry) => {
      const [, name, one = '', many = ''] = /^(\w+):([^,]+),([^,]+)$/.exec(entry) ?? [];
      const type = contentTypes.find((known) => known === name);
      if (!type) throw new InvalidValue(apiText('site.badTypeName', { line: entry }));
      const read = line('', maxLabel).read;
      return [type, { one: read(one), many: read(many) }];
    }),
  );
}

const httpsPattern = /^https:\/\/[^\s/][\x21-\x7e]*$/i;

function parseContact(text: string, problem = apiText('site.badContact')): SiteLink {
  const address = text.replace(/^mailto:/i, '');
  if (emailPattern.test(address)) return { label: address, href: `mailto:${encodeURI(address)}` };
  if (httpsPattern.test(text)) return { label: text.replace(/^https:\/\/|\/$/gi, ''), href: text };
  throw new InvalidValue(problem);
}

function parseLinks(text: string): readonly SiteLink[] {
  const entries = splitList(text, '\n');
  if (entries.length > maxLinks) throw new InvalidValue(`Ensure there are no more than ${maxLinks} links.`);
  return entries.map((entry) => {
    const [, label = '', address = ''] = /^(.+?)\s+(\S+)$/.exec(entry) ?? [];
    if (!label) throw new InvalidValue(apiText('site.badLink', { line: entry }));
    const read = line('', maxLabel).read;
    const isOwnPath = /^\/([^/\\][\x21-\x7e]*)?$/.test(address);
    return {
      label: read(label),
      href: isOwnPath ? address : parseContact(address, apiText('site.badLinkAddress', { line: entry })).href,
    };
  });
}

function splitList(text: string, separator: string): string[] {
  return readText(text)
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
