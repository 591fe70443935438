// New names must not pass for somebody else's, or for a name of the people who run the site.

import sql, { join } from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import type { Reader } from '../../database/database.ts';
import { lookOf } from '../../database/look-alikes.ts';
import { exists } from '../../database/query.ts';
import { usernameKey } from './contributor.ts';

const reservedWords = `
  admin admins administrator administrators administration mod mods moderator moderators moderation staff support helpdesk
  help root system sysadmin sysop operator operators owner owners webmaster hostmaster postmaster superuser security
  official vitrine anonymous deleted
`;
const addedWords = 'the site team gallery';

/** In capitals and in many fonts, `I`, `l` and `1` look the same. */
const toReservedForm = (text: string) => lookOf(text).replaceAll('i', 'l');
const alternatives = (words: string) => toReservedForm(words).trim().split(/\s+/).join('|');

const [reserved, added] = [alternatives(reservedWords), alternatives(addedWords)];
const reservedName = new RegExp(`^(${added})*(${reserved})(${added}|${reserved})*$`);

export const reservedNameMessage = apiText('nameReserved');

/** Whether nothing in the name but numbers differs from reserved words: `Admin`, `the_admin2`, `M0derat0r`. */
export function isReservedName(name: string): boolean {
  const text = usernameKey(name)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return [text, text.replace(/\p{N}+$/u, '')].some((form) => reservedName.test(toReservedForm(form)));
}

/** Whether a reader could take the username for that of another contributor. */
export function isLookAlike(reader: Reader, username: string, ownId = 0): Promise<boolean> {
  const looks = [username, username.replaceAll('I', 'l')].map((name) => lookOf(usernameKey(name)));
  return exists(reader, sql`from contributor where username_look in (${join(looks)}) and id <> ${ownId}`);
}
