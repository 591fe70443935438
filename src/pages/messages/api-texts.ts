// Forms show labels, help and error messages of the API, which are always English there. The API's words find the
// message of the page's language; English pages say some of them in another way.

import type { Fields } from '../../common/fields.ts';
import { apiTexts } from './api.ts';
import type { PlainKey, Translator } from './translator.ts';

interface ApiMessage {
  readonly key: PlainKey;
  readonly pattern: RegExp;
}

const keysByText = new Map<string, PlainKey>();
const messagesWithValues: ApiMessage[] = [];
for (const [name, text] of Object.entries(apiTexts)) {
  const key = name as PlainKey;
  if (!text.includes('{')) keysByText.set(text, key);
  else messagesWithValues.push({ key, pattern: toPattern(text) });
}

/** `at most {max} tags` is `^at most (?<max>.+) tags$`. */
function toPattern(text: string): RegExp {
  const parts = text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? `(?<${part}>.+)` : RegExp.escape(part)));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** The text itself if no message has the API's words. */
export function translateApiText({ t }: Translator, text: string): string {
  const key = keysByText.get(text);
  if (key) return t(key);
  for (const { key, pattern } of messagesWithValues) {
    const values = pattern.exec(text)?.groups;
    if (values) return (t as (key: PlainKey, values: Record<string, string>) => string)(key, values);
  }
  return text;
}

/** The same fields, with labels, help and choices in the language. */
export function translateFields<Declared extends Fields>(translator: Translator, fields: Declared): Declared {
  const translate = (text: string) => translateApiText(translator, text);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        label: translate(field.label),
        help: field.help && translate(field.help),
        choices: field.choices?.map((choice) => ({
          ...choice,
          display_name: translate(choice.display_name),
        })),
      },
    ]),
  ) as unknown as Declared;
}
