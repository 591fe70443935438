// New names must not pass for somebody else's, or for a name of the people who run the site, and are no web addresses.

import sql, { join, type Sql } from 'sql-template-tag';
import { type ApiText, apiText } from '#common/api-text.ts';
import { all, exists, type Reader } from '#sql';
import { type ContributorNames, displayName, nameColumns, usernameKey } from './contributor.ts';
import { lookOf } from './look-alike-letters.ts';

const reservedWords = `
  admin admins administrator administrators administration mod mods moderator moderators moderation staff support helpdesk
  help root system sysadmin sysop operator operators owner owners webmaster hostmaster postmaster superuser security
  official vitrine anonymous deleted
`;
const addedWords = 'the site team gallery';

/** Letters with a stroke, and digits and signs within letters. */
const otherLookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  'đd ħh łl øo ŧt 3e 4a 5s 7t @a $s |l !l'.split(' ').map((pair) => [...pair]),
);

/**
 * Names that look alike have the same outline: without accents, signs and blanks. In capitals and in many fonts, `I`, `l` and
 * `1` look the same.
 */
function outlineOf(name: string): string {
  const plain = usernameKey(name)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
  const letters = [...lookOf(plain)].map((letter) => otherLookAlikes[letter] ?? letter).join('');
  return letters.replaceAll('i', 'l').replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

const alternatives = (words: string) => words.trim().split(/\s+/).map(outlineOf).join('|');

const [reserved, added] = [alternatives(reservedWords), alternatives(addedWords)];
const reservedName = new RegExp(`^(${added})*(${reserved})(${added}|${reserved})*$`);

export const reservedNameMessage = apiText('nameReserved');
const lookAlikeMessage = apiText('lookAlike');

/** Whether nothing in the name but numbers differs from reserved words: `Admin`, `the_admin2`, `M0derat0r`. */
const isReservedName = (name: string): boolean =>
  [name, name.replace(/[^\p{L}]+$/u, '')].some((form) => reservedName.test(outlineOf(form)));

interface ContributorWithAccount {
  /** 0 for a new one. */
  readonly id: number;
  readonly isModerator: boolean;
}

/** A problem with the name that others shall see. Only moderators may be called "Moderator". */
export async function findNameProblem(
  reader: Reader,
  { first_name, last_name }: Pick<ContributorNames, 'first_name' | 'last_name'>,
  { id, isModerator }: ContributorWithAccount,
): Promise<ApiText | undefined> {
  const name = `${first_name} ${last_name}`;
  if (!isModerator && isReservedName(name)) return reservedNameMessage;
  return (await isNameOfModerator(reader, name, id)) ? lookAlikeMessage : undefined;
}

/** Why nobody but the contributor with the id may have this username, which nobody has. */
export async function findUsernameImitation(reader: Reader, username: string, id: number) {
  if (isReservedName(username)) return reservedNameMessage;
  const isImitation =
    (await isLookAlike(reader, username, id)) || (await isNameOfModerator(reader, username, id));
  return isImitation ? lookAlikeMessage : undefined;
}

/** Whether a reader could take the username for that of another contributor. */
function isLookAlike(reader: Reader, username: string, id: number): Promise<boolean> {
  const looks = [username, username.replaceAll('I', 'l')].map((name) => lookOf(usernameKey(name)));
  return exists(reader, sql`from contributor where username_look in (${join(looks)}) and id <> ${id}`);
}

const isOtherModerator = (id: number): Sql =>
  sql`id in (select contributor from account where role <> 'contributor') and id <> ${id}`;

/** In any spelling that looks alike. Hidden names are left out: a refusal would tell them. */
async function isNameOfModerator(reader: Reader, name: string, id: number): Promise<boolean> {
  const outline = outlineOf(name);
  if (outline === '') return false;
  const moderators = await all(reader, nameColumns)`from contributor where ${isOtherModerator(id)}`;
  return moderators.some((moderator) =>
    [moderator.username, displayName(moderator)].some((other) => outlineOf(other) === outline),
  );
}

const endings = 'com|net|org|edu|gov|info|biz|name|pro|app|dev|shop|site|xyz|online|club|link|live|games?';
const addressPattern = new RegExp(
  `://|\\bwww\\.|@.*\\.|[\\p{L}\\p{N}]\\.(${endings})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Not in usernames: many are a first name and a short last name, such as `wei.li`. */
const shortEnding = /[\p{L}\p{N}]\.\p{L}{2}(?![\p{L}\p{N}.])/u;

/** Mail programs and chats make links of addresses. */
export const hasAddress = (name: string): boolean => addressPattern.test(name) || shortEnding.test(name);
export const isAddress = (username: string): boolean => addressPattern.test(username);
