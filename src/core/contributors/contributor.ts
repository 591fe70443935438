import sql, { raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { normalizeText } from '#common/text-rules.ts';
import { choiceField, type Fields } from '#rest/fields.ts';
import { nullable, pick, type Row, type RowOf, text } from '#sql';
import { sortKey } from '../words.ts';
import { lookOf } from './look-alike-letters.ts';
import { contributorTable } from './tables.ts';

const { columns } = contributorTable;

export const nameColumns = pick(columns, 'username', 'first_name', 'last_name');
export const namesWithSortKey = { ...nameColumns, ...pick(columns, 'last_name_key') };
export const contributorColumns = pick(columns, 'id', 'username', 'first_name', 'last_name', 'created');
export type Contributor = RowOf<typeof contributorColumns>;
export type ContributorNames = RowOf<typeof nameColumns>;

export const shownNames = ['full', 'username'] as const;
export type ShownName = (typeof shownNames)[number];

/** With the full name, hidden or not: for the contributor, for moderators and for dumps. */
export const fullContributorColumns = {
  ...contributorColumns,
  full_first_name: text(sql`first_name || hidden_first_name`),
  full_last_name: text(sql`last_name || hidden_last_name`),
  shown_name: columns.shown_name.narrow<ShownName>(),
};
export type FullContributor = RowOf<typeof fullContributorColumns>;
/** The name that others see is in `first_name` and `last_name`: see `toContributorRow`. */
export type FullNames = Omit<FullContributor, keyof Contributor>;
/** With the full name if the viewer is a moderator. */
export type VisibleContributor = Contributor & Partial<FullNames>;

export const contributorLimits = { username: 150, name: 150 } as const;

export const usernamePattern = /^[\p{L}\p{M}\p{N}@.+_-]+$/u;

/** Names that differ only in case or in Unicode normalization count as the same. */
export const usernameKey = (username: string): string => normalizeText(username, 'NFKC').toLowerCase();

/** The name that everybody sees: first and last name, or the username if both are empty. */
export const displayName = (contributor: ContributorNames): string =>
  `${contributor.first_name} ${contributor.last_name}`.trim() || contributor.username;

/** The names with the full name in place of the shown one. */
export const toFullNames = (contributor: FullContributor): ContributorNames => ({
  username: contributor.username,
  first_name: contributor.full_first_name,
  last_name: contributor.full_last_name,
});

/** The display name with the full name, for moderators and the operator. */
export const fullName = (contributor: FullContributor): string => displayName(toFullNames(contributor));

/**
 * A column of the contributor whose id is in the column `owner`. A subquery for one value is ten times faster than a
 * join on SQLite, and as fast on PostgreSQL.
 */
export const columnOfContributor = (name: keyof typeof nameColumns, owner: string) =>
  text(raw(`(select ${name} from contributor where contributor.id = ${owner})`));

export const namesOfContributor = (owner: string) => ({
  username: columnOfContributor('username', owner),
  first_name: columnOfContributor('first_name', owner),
  last_name: columnOfContributor('last_name', owner),
});

/** The hash of their avatar in this size; null without an avatar. */
export const avatarOfContributor = (owner: string, size: 'smallest' | 'largest') =>
  nullable(
    text(
      raw(`(select hash from avatar_size where avatar_size.contributor = ${owner}
        order by width ${size === 'smallest' ? 'asc' : 'desc'} limit 1)`),
    ),
  );

// A contributor is shown by their full name or by their username only. A hidden name is in columns of its own, and
// `first_name`, `last_name` and the sort key are empty: whatever reads these cannot show it, sort by it or find it.

export const shownNameField = {
  shown_name: choiceField(
    apiText('shownName'),
    { full: apiText('fullName'), username: apiText('usernameOnly') },
    { help: apiText('shownNameHelp') },
  ),
} satisfies Fields;

export const toNameKey = (contributor: ContributorNames): string => sortKey(displayName(contributor));

export function toContributorRow({
  full_first_name,
  full_last_name,
  ...contributor
}: Omit<FullContributor, 'first_name' | 'last_name'>): Row<typeof contributorTable> {
  const isHidden = contributor.shown_name === 'username';
  const first_name = isHidden ? '' : full_first_name;
  const last_name = isHidden ? '' : full_last_name;
  const username_key = usernameKey(contributor.username);
  return {
    ...contributor,
    username_key,
    username_look: lookOf(username_key),
    first_name,
    last_name,
    name_key: toNameKey({ username: contributor.username, first_name, last_name }),
    last_name_key: sortKey(last_name),
    hidden_first_name: isHidden ? full_first_name : '',
    hidden_last_name: isHidden ? full_last_name : '',
  };
}
