// The message files: what the compiler cannot check.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Text } from '#common/api-text.ts';
import apiTexts from '#common/api-texts.json';
import type { Fields } from '#rest/fields.ts';
import { invalidFileMessages } from '../../packages/clean-files/src/invalid-file.ts';
import { shownNameField } from '../../src/core/contributors/contributor.ts';
import { optionalReasonFields, requiredReasonFields } from '../../src/core/decisions/decision.ts';
import { siteFields } from '../../src/core/site/site-fields.ts';
import apiAr from '../../src/core/texts/api.ar.json';
import apiDe from '../../src/core/texts/api.de.json';
import apiEs from '../../src/core/texts/api.es.json';
import ar from '../../src/core/texts/ar.json';
import de from '../../src/core/texts/de.json';
import en from '../../src/core/texts/en.json';
import es from '../../src/core/texts/es.json';
import { getLanguage, languageCodes, messagesIn } from '../../src/core/texts/languages.ts';
import { features } from '../../src/features/index.ts';
import { nameReportFields } from '../../src/features/moderation/name-report.ts';
import { renameFields } from '../../src/features/moderation/rename.ts';
import { reportFields } from '../../src/features/moderation/report.ts';
import { keyFields } from '../../src/features/own-account/key-fields.ts';
import { emailFields } from '../../src/features/sign-in/email/email.ts';
import { forgottenFields } from '../../src/features/sign-in/password-link.ts';
import { recoveryCodeFields } from '../../src/features/sign-in/second-factor/second-factor-sign-in.ts';
import {
  confirmationFields,
  credentialFields,
  newPasswordFields,
} from '../../src/features/sign-in/sign-in.ts';
import { signUpFields } from '../../src/features/sign-in/sign-up.ts';
import { accountDeletionFields } from '../../src/projects/people/delete.ts';

const languages = languageCodes.map((code) => ({ ...getLanguage(code), messages: messagesIn(code) }));
const messagesOfCode: Record<string, string> = { ...messagesIn('en') };
const featureTexts = features.flatMap(({ name, texts }) => (texts ? [{ name, texts }] : []));
const root = join(import.meta.dir, '../..');
const code = ['src/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}']
  .flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** The values, plurals and elements of a message. */
function findNames(ast: Ast): string[] {
  return ast.flatMap((part) => {
    if (!('value' in part) || part.type === 0) return [];
    const inside = 'options' in part ? Object.values(part.options).map(({ value }) => value) : [];
    if ('children' in part) inside.push(part.children);
    const kind = 'children' in part ? 'element' : 'options' in part ? 'plural' : 'value';
    return [`${kind} ${part.value}`, ...inside.flatMap(findNames)];
  });
}

const describe = (text: string) => [...new Set(findNames(new IntlMessageFormat(text, 'en').getAst()))].sort();
const namesIn = (text: string) => describe(text).map((name) => name.split(' ')[1] ?? '');

const sampleValues = { element: (parts: unknown[]) => parts.join(''), plural: 2, value: 'x' };

function format(text: string, locale: string): string {
  const values = describe(text).map((name) => {
    const [kind, key] = name.split(' ') as [keyof typeof sampleValues, string];
    return [key, sampleValues[kind]];
  });
  return String(new IntlMessageFormat(text, locale).format(Object.fromEntries(values)));
}

/** The arguments of all calls of a function with a fixed key: the key, and the names of the values. */
function findCalls(name: string): [key: string, values: string[]][] {
  return [...code.matchAll(new RegExp(`\\b${name}\\(\\s*'([\\w.]+)'(?:,?\\s*\\)|(,\\s*\\{))`, 'g'))].map(
    (call) => {
      const [all, key = '', opening] = call;
      return [key, opening ? findMembers(code.slice(call.index + all.length)) : []];
    },
  );
}

/** The names of the members of an object literal, of which the text is the part after the opening brace. */
function findMembers(text: string): string[] {
  let outer = '';
  let depth = 1;
  for (const character of text) {
    if ('{[(<'.includes(character)) depth++;
    if (depth === 1) outer += character;
    if ('}])>'.includes(character) && !outer.endsWith('=>') && --depth === 0) break;
  }
  return outer
    .replace(/\}?$/, '')
    .split(',')
    .map((member) => /^\s*(\w+)/.exec(member)?.[1] ?? '')
    .filter(Boolean);
}

test('every language has the messages of English, with the same values and elements', () => {
  for (const { messages } of languages) {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(messagesOfCode).sort());
    for (const [key, text] of Object.entries(messages))
      expect([key, describe(text)]).toEqual([key, describe(messagesOfCode[key] ?? '')]);
  }
});

test('every feature has its words in all languages', () => {
  const offered = languageCodes.filter((code) => getLanguage(code).name !== undefined);
  for (const { name, texts } of featureTexts) {
    const byCode: Readonly<Record<string, object>> = texts;
    for (const code of offered)
      expect([name, Object.keys(byCode[code] ?? {})]).toEqual([name, Object.keys(texts.en)]);
  }
});

test('a message is in one file of a language', () => {
  for (const [ofApi, ofPages] of [
    [apiEs, es],
    [apiDe, de],
    [apiAr, ar],
  ])
    expect(Object.keys(ofApi ?? {}).filter((key) => `api.${key}` in (ofPages ?? {}))).toEqual([]);
  const texts: Record<string, string> = en;
  expect(Object.entries(apiTexts).filter(([key, text]) => texts[`api.${key}`] === text)).toEqual([]);
});

test('every message can be formatted, and one without values is its own text', () => {
  for (const { locale, messages } of languages)
    for (const [key, text] of Object.entries(messages)) {
      const formatted = format(text, locale);
      expect([key, formatted]).toEqual([key, describe(text).length ? expect.stringMatching(/\S/) : text]);
    }
});

test('no message is left over', () => {
  const patterns = [...code.matchAll(/`([\w.]+\.)\$\{[^}]+\}([\w.]*)`/g)].map(
    ([, start = '', end = '']) => new RegExp(`^${RegExp.escape(start)}[\\w-]+${RegExp.escape(end)}$`),
  );
  const isUsed = (key: string) =>
    code.includes(`'${key}'`) || code.includes(`"${key}"`) || patterns.some((pattern) => pattern.test(key));
  const keys = [en, ...featureTexts.map(({ texts }) => texts.en)].flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key) => !key.startsWith('api.') && !isUsed(key))).toEqual([]);
  const codes = new Set([...findCalls('apiText').map(([key]) => key), ...Object.keys(invalidFileMessages)]);
  const ofApi = keys.filter((key) => key.startsWith('api.')).map((key) => key.slice('api.'.length));
  expect([...Object.keys(apiTexts), ...ofApi].filter((key) => !codes.has(key))).toEqual([]);
});

test('the code gives every message its values', () => {
  const calls = [
    ...[...findCalls('t'), ...findCalls('rich')].map(([key, values]) => ({ key, values })),
    ...findCalls('apiText').map(([key, values]) => ({ key: `api.${key}`, values })),
  ];
  expect(calls.length).toBeGreaterThan(900);
  for (const { key, values } of calls)
    expect([key, values.toSorted()]).toEqual([key, namesIn(messagesOfCode[key] ?? '').sort()]);
});

test('every text of the API has one code', () => {
  const ofFeatures = featureTexts.flatMap(({ texts }) => Object.entries(texts.en));
  const texts = [
    ...Object.values(apiTexts),
    ...ofFeatures.flatMap(([key, text]) => (key.startsWith('api.') ? [text] : [])),
  ];
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('every label, help and choice that pages take from the API has a code', () => {
  const { name, tagline, heading, contact, password_help, links, about, rules } = siteFields;
  const forms: Fields[] = [
    ...[credentialFields, newPasswordFields, signUpFields, shownNameField, accountDeletionFields],
    ...[keyFields, confirmationFields, recoveryCodeFields, emailFields, forgottenFields],
    { name, tagline, heading, contact, password_help, links, about, rules },
    ...[reportFields, nameReportFields, requiredReasonFields, optionalReasonFields, renameFields],
  ];
  // Pages show these fields with another help, or with none.
  const replaced: (Text | undefined)[] = [keyFields.expires.help, signUpFields.invitation.help];
  const texts = forms.flatMap((fields) =>
    Object.values(fields).flatMap(({ label, help, choices = [] }) => [
      label,
      ...(help === undefined || replaced.includes(help) ? [] : [help]),
      ...choices.map(({ display_name }) => display_name),
    ]),
  );
  expect(texts.filter((text) => typeof text === 'string')).toEqual([]);
});
