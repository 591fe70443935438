// A contributor is shown by their full name or by their username only. A hidden name is in columns of its own, and
// `first_name`, `last_name` and the sort key are empty: whatever reads these cannot show it, sort by it or find it.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { choiceField, type Fields } from '../../common/fields.ts';
import { type Row, text } from '../../database/columns.ts';
import { lookOf } from '../../database/look-alikes.ts';
import { contributorTable } from '../../database/schema.ts';
import { sortKey } from '../words.ts';
import { contributorColumns } from './columns.ts';
import { type Contributor, type FullNames, type ShownName, usernameKey } from './contributor.ts';

/** With the full name, hidden or not: for the contributor, for moderators and for dumps. */
export const fullContributorColumns = {
  ...contributorColumns,
  full_first_name: text(sql`first_name || hidden_first_name`),
  full_last_name: text(sql`last_name || hidden_last_name`),
  shown_name: contributorTable.columns.shown_name.narrow<ShownName>(),
};

export const shownNameField = {
  shown_name: choiceField(
    apiText('shownName'),
    { full: apiText('fullName'), username: apiText('usernameOnly') },
    { help: apiText('shownNameHelp') },
  ),
} satisfies Fields;

export function toContributorRow({
  id,
  username,
  created,
  full_first_name,
  full_last_name,
  shown_name,
}: Pick<Contributor, 'id' | 'username' | 'created'> & FullNames): Row<typeof contributorTable> {
  const isHidden = shown_name === 'username';
  const last_name = isHidden ? '' : full_last_name;
  return {
    id,
    username,
    username_key: usernameKey(username),
    username_look: lookOf(usernameKey(username)),
    created,
    shown_name,
    first_name: isHidden ? '' : full_first_name,
    last_name,
    last_name_key: sortKey(last_name),
    hidden_first_name: isHidden ? full_first_name : '',
    hidden_last_name: isHidden ? full_last_name : '',
  };
}
