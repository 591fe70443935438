import sql, { join } from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { normalizeText } from '../../common/text-rules.ts';
import type { Reader } from '../../database/database.ts';
import { lookOf } from '../../database/look-alikes.ts';
import { exists } from '../../database/query.ts';
import type { Instant } from '../instant.ts';

export interface Contributor {
  id: number;
  username: string;
  first_name: string;
  last_name: string;
  created: Instant;
}

export const shownNames = ['full', 'username'] as const;
export type ShownName = (typeof shownNames)[number];

/** The name that others see is in `first_name` and `last_name`: see shown-name.ts. */
export interface FullNames {
  full_first_name: string;
  full_last_name: string;
  shown_name: ShownName;
}

export type FullContributor = Contributor & FullNames;
/** With the full name if the viewer is a moderator. */
export type VisibleContributor = Contributor & Partial<FullNames>;

export type ContributorNames = Pick<Contributor, 'username' | 'first_name' | 'last_name'>;

export const contributorLimits = { username: 150, name: 150 } as const;

export const usernamePattern = /^[\p{L}\p{M}\p{N}@.+_-]+$/u;

/** Names that differ only in case or in Unicode normalization count as the same. */
export function usernameKey(username: string): string {
  return normalizeText(username, 'NFKC').toLowerCase();
}

/** The name that everybody sees: first and last name, or the username if both are empty. */
export function displayName(contributor: ContributorNames): string {
  return `${contributor.first_name} ${contributor.last_name}`.trim() || contributor.username;
}

/** The names with the full name in place of the shown one. */
export function toFullNames({
  username,
  full_first_name,
  full_last_name,
}: FullContributor): ContributorNames {
  return { username, first_name: full_first_name, last_name: full_last_name };
}

/** The display name with the full name, for moderators and the operator. */
export const fullName = (contributor: FullContributor): string => displayName(toFullNames(contributor));

// New names must not pass for somebody else's, or for a name of the people who run the site.

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
