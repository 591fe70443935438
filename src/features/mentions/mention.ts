// The people whom a text names: `@ada`. People who may not be found are not named, so that nobody learns which names exist.

import { join, type Sql } from 'sql-template-tag';
import { namePattern } from '#common/name-pattern.ts';
import { all, pick, type Reader } from '#sql';
import { contributorLimits, usernameKey } from '../../core/contributors/contributor.ts';
import { contributorTable } from '../../core/contributors/tables.ts';

/** Of one text, the first so many count, whether somebody has the name or not. */
const maxNames = 10;

/** Code and links. Each alternative reads a character a fixed number of times, whatever the text is. */
const withoutNames =
  /^ {0,3}(`{3,9}|~{3,9})[^\n]*\n[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))|(?<!`)(`{1,3})(?!`)(?:[^`\n]|\n(?!\n)){0,500}\2|\[[^[\]]*\]\([^()\s]*\)|https?:\/\/\S+/gm;

const columns = pick(contributorTable.columns, 'id', 'username', 'username_key');

interface Mention {
  /** The text after the `@`. */
  readonly written: string;
  /** The part of it that is the name. */
  readonly name: string;
  readonly contributor: { readonly id: number; readonly username: string };
}

const listWritten = (text: string): string[] => {
  const found = text.replace(withoutNames, ' ').matchAll(namePattern);
  const written = new Set<string>();
  for (const [, name = ''] of found) {
    if (written.size === maxNames) break;
    if (name.length <= contributorLimits.username) written.add(name);
  }
  return [...written];
};

const possibleNames = (written: string) => [written, written.replace(/[@.+_-]+$/, '')];

/** Those whom each of the texts names, in its order. `isFindable`: the condition for rows of `contributor`. */
export async function findMentions(
  reader: Reader,
  isFindable: Sql,
  texts: readonly string[],
): Promise<Mention[][]> {
  const written = texts.map((text) => (text.includes('@') ? listWritten(text) : []));
  const keys = new Set(written.flat().flatMap(possibleNames).map(usernameKey));
  if (keys.size === 0) return texts.map(() => []);
  const people = await all(reader, columns)`from contributor
    where username_key in (${join([...keys])}) and ${isFindable}`;
  const find = (name: string) => {
    const alike = people.filter(({ username_key }) => username_key === usernameKey(name));
    return alike.find(({ username }) => username === name) ?? (alike.length === 1 ? alike[0] : undefined);
  };
  const toMention = (written: string): Mention[] => {
    for (const name of possibleNames(written)) {
      const contributor = find(name);
      if (contributor) return [{ written, name, contributor }];
    }
    return [];
  };
  return written.map((names) => names.flatMap(toMention));
}
