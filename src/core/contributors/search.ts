// Finds people by the beginning of their username, name or last name. An index answers each, and a limited number of rows is
// read, so that a search costs the same in a gallery of any size.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { all, type Database, execute, integer, pick, type Transaction } from '#sql';
import { readTable } from '../listing/table-listing.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { fold } from '../words.ts';
import { avatarOfContributor, nameColumns, toNameKey, usernameKey } from './contributor.ts';
import { isFindableBy } from './find-contributors.ts';
import { contributorTable } from './tables.ts';

/** Rows of each index. The limit is high, so that people without published projects do not push others out. */
const maxRows = 20_000;
/** Further words are left out. */
const maxWords = 5;

const columns = {
  ...nameColumns,
  contributor: integer(sql`id`),
  avatar: avatarOfContributor('contributor.id', 'smallest'),
};

type Key = 'username_key' | 'name_key' | 'last_name_key';

const beginsLike = (key: Key, text: string): Sql => {
  const column = raw(key);
  return sql`select id from (select id from contributor where ${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}
    order by ${column} limit ${maxRows}) as ${column}`;
};

const toPattern = (word: string) => `%${word.replace(/[!%_]/g, '!$&')}%`;

/** Finds people whom the viewer may find. With several words, the name begins with the first and has the others. */
export async function searchContributors(database: Database, viewer: Viewer, search: string, limit: number) {
  const words = search.split(/[\s"“”„@]+/).filter(Boolean);
  const [first, ...others] = words.slice(0, maxWords);
  if (first === undefined) return [];
  const found = [
    beginsLike('name_key', fold([first, ...others].join(' '))),
    beginsLike('last_name_key', fold(first)),
    beginsLike('username_key', usernameKey(first)),
  ];
  const haveOthers = others.map((word) => sql`and name_key like ${toPattern(fold(word))} escape '!'`);
  return all(database.slowReader, columns)`from contributor
    where id in (${join(found, ' union all ')}) ${join([empty, ...haveOthers], ' ')} and ${isFindableBy(viewer)}
    order by name_key, id limit ${limit}`;
}

const rowColumns = { ...pick(contributorTable.columns, 'id'), ...nameColumns };

/** For migrations. */
export async function rebuildNameKeys(transaction: Transaction): Promise<void> {
  for await (const people of readTable(transaction, contributorTable, rowColumns, sql`1 = 1`))
    for (const person of people)
      await execute(
        transaction,
      )`update contributor set name_key = ${toNameKey(person)} where id = ${person.id}`;
}
