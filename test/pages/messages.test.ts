// The message files: what the compiler cannot check.

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Fields } from '../../src/common/fields.ts';
import { accountDeletionFields } from '../../src/gallery/accounts/delete.ts';
import { shownNameField } from '../../src/gallery/contributors/shown-name.ts';
import { optionalReasonFields, requiredReasonFields } from '../../src/gallery/decisions/decision.ts';
import { nameReportFields } from '../../src/gallery/moderation/name-report.ts';
import { renameFields } from '../../src/gallery/moderation/rename.ts';
import { reportFields } from '../../src/gallery/moderation/report.ts';
import { confirmationFields } from '../../src/gallery/sign-in/confirm-identity.ts';
import { emailFields } from '../../src/gallery/sign-in/email.ts';
import { forgottenFields } from '../../src/gallery/sign-in/forgotten-password.ts';
import { keyFields } from '../../src/gallery/sign-in/key-fields.ts';
import { recoveryCodeFields } from '../../src/gallery/sign-in/second-factor-sign-in.ts';
import { credentialFields, newPasswordFields } from '../../src/gallery/sign-in/sign-in.ts';
import { signUpFields } from '../../src/gallery/sign-in/sign-up.ts';
import { siteFields } from '../../src/gallery/site/fields.ts';
import { apiTexts as apiWords } from '../../src/pages/messages/api.ts';
import { en } from '../../src/pages/messages/en.ts';
import es from '../../src/pages/messages/es.json';
import { mirrored } from '../../src/pages/messages/mirrored.ts';

const languages = { en, es, mirrored };
const source = join(import.meta.dir, '../../src');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('pages/messages/'))
  .map((path) => readFileSync(join(source, path), 'utf8'))
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

const sampleValues = { element: (parts: unknown[]) => parts.join(''), plural: 2, value: 'x' };

function format(text: string, locale: string): string {
  const values = describe(text).map((name) => {
    const [kind, key] = name.split(' ') as [keyof typeof sampleValues, string];
    return [key, sampleValues[kind]];
  });
  return String(new IntlMessageFormat(text, locale).format(Object.fromEntries(values)));
}

test('every language has the values and elements of the English messages', () => {
  for (const messages of Object.values(languages))
    for (const [key, text] of Object.entries(en))
      expect([key, describe(messages[key as keyof typeof en])]).toEqual([key, describe(text)]);
});

test('no language has a message that English has not', () => {
  for (const messages of Object.values(languages))
    expect(Object.keys(messages).filter((key) => !(key in en))).toEqual([]);
});

test('every message can be formatted, and one without values is its own text', () => {
  for (const [locale, messages] of Object.entries({ en, es, 'en-GB': mirrored }))
    for (const [key, text] of Object.entries(messages)) {
      const formatted = format(text, locale);
      expect([key, formatted]).toEqual([key, describe(text).length ? expect.stringMatching(/\S/) : text]);
    }
});

test('no message is left over', () => {
  const patterns = [...code.matchAll(/`([\w.]+\.)\$\{[^}]+\}([\w.]*)`/g)].map(
    ([, start = '', end = '']) => new RegExp(`^${RegExp.escape(start)}\\w+${RegExp.escape(end)}$`),
  );
  const isUsed = (key: string) => code.includes(`'${key}'`) || patterns.some((pattern) => pattern.test(key));
  expect(Object.keys(en).filter((key) => !key.startsWith('api.') && !isUsed(key))).toEqual([]);
});

const apiTexts = Object.entries(apiWords);

test('the messages for the API are the API’s words, each once', () => {
  const sentences = (text: string) => text.split(/\{\w+\}|(?<=[.]) /);
  const unknown = apiTexts.filter(
    ([, text]) => !sentences(text).every((sentence) => code.includes(sentence)),
  );
  expect(unknown).toEqual([]);
  expect(new Set(apiTexts.map(([, text]) => text)).size).toBe(apiTexts.length);
});

test('every label, help and choice that pages take from the API has a message', () => {
  const { name, tagline, heading, contact, password_help, links, about, rules } = siteFields;
  const forms: Fields[] = [
    ...[credentialFields, newPasswordFields, signUpFields, shownNameField, accountDeletionFields],
    ...[keyFields('UTC'), confirmationFields, recoveryCodeFields, emailFields, forgottenFields],
    { name, tagline, heading, contact, password_help, links, about, rules },
    ...[reportFields, nameReportFields, requiredReasonFields, optionalReasonFields, renameFields],
  ];
  const patterns = apiTexts.map(
    ([, text]) =>
      new RegExp(
        `^${text
          .split(/\{\w+\}/)
          .map(RegExp.escape)
          .join('.+')}$`,
      ),
  );
  // Pages show these fields with another help, or with none.
  const replaced = [keyFields('UTC').expires.help, signUpFields.invitation.help];
  const texts = forms.flatMap((fields) =>
    Object.values(fields).flatMap(({ label, help, choices = [] }) => [
      label,
      ...(help === undefined || replaced.includes(help) ? [] : [help]),
      ...choices.map(({ display_name }) => display_name),
    ]),
  );
  expect(texts.filter((text) => !patterns.some((pattern) => pattern.test(text)))).toEqual([]);
});
