// The people and tags that a viewer follows. Nobody else learns of it: it is in no list, no count and no change log.

import sql, { raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { hasControlCharacters, isLongerThan } from '#common/text-rules.ts';
import { countUpTo, type Database, execute, exists, type Reader, text } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import {
  findContributor,
  listContributors,
  lockContributor,
} from '../../core/contributors/find-contributors.ts';
import type { Order } from '../../core/listing/order.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { importedLimits } from '../../projects/project.ts';
import { tagKey } from '../../projects/tags.ts';
import { followedTagTable } from './tables.ts';

/** People and tags together. */
export const maxFollows = 1000;

export type Followed = { readonly contributor: number } | { readonly tag: string };

/** The table, its second column, and the value there. */
const rowOf = (followed: Followed) =>
  'tag' in followed
    ? { table: raw('followed_tag'), column: raw('tag_key'), value: tagKey(followed.tag) }
    : { table: raw('followed_contributor'), column: raw('followed'), value: followed.contributor };

export function isFollowing(reader: Reader, { contributor }: Viewer, followed: Followed): Promise<boolean> {
  const { table, column, value } = rowOf(followed);
  return exists(reader, sql`from ${table} where contributor = ${contributor} and ${column} = ${value}`);
}

export async function follow(write: WriteContext, followed: Followed): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  const contributor = requireSignedIn(viewer);
  if ('tag' in followed) requireTag(followed.tag);
  else await findContributor(transaction, viewer, followed.contributor);
  if ('contributor' in followed && followed.contributor === contributor)
    throw new Invalid({ non_field_errors: [apiText('followYourself')] });
  await lockContributor(transaction, contributor);
  if (await isFollowing(transaction, viewer, followed)) return;
  const all = sql`from (select contributor from followed_contributor union all select contributor from followed_tag)
    as followed where contributor = ${contributor}`;
  if ((await countUpTo(maxFollows, transaction, all)) >= maxFollows)
    throw new Invalid({ non_field_errors: [apiText('maxFollows', { max: maxFollows })] });
  const { table, column, value } = rowOf(followed);
  await execute(transaction)`insert into ${table} (contributor, ${column}, created)
    values (${contributor}, ${value}, ${changeSet.at})`;
}

/** Also somebody who has been hidden since. */
export async function unfollow({ transaction, viewer }: WriteContext, followed: Followed): Promise<void> {
  if ('tag' in followed) requireTag(followed.tag);
  const { table, column, value } = rowOf(followed);
  await execute(
    transaction,
  )`delete from ${table} where contributor = ${viewer.contributor} and ${column} = ${value}`;
}

/** Whether a project has the tag does not matter: the answer says nothing about hidden projects. */
function requireTag(tag: string): void {
  const key = tagKey(tag);
  const isTag = key !== '' && !key.includes(',') && !hasControlCharacters(key) && key.isWellFormed();
  if (!isTag || isLongerThan(key, importedLimits.tag)) throw new NotFound();
}

const byUsername: Order = ['username', 'id'].map((column) => ({ column, descending: false }));

/** Those whom the viewer may find now: somebody who is hidden leaves the list, and returns. */
export const listFollowedContributors = (database: Database, viewer: Viewer) =>
  listContributors(
    database,
    viewer,
    undefined,
    byUsername,
    sql`id in (select followed from followed_contributor where contributor = ${viewer.contributor})`,
  );

const tagColumns = {
  ...followedTagTable.columns,
  /** As spelled in the oldest listed project that has it. */
  name: text(sql`coalesce((
    select tag from tag where tag.tag_key = followed_tag.tag_key and listed_created is not null
    order by listed_created, project limit 1), tag_key)`),
};

export const listFollowedTags = (database: Database, viewer: Viewer) =>
  new TableListing(database, {
    table: 'followed_tag',
    columns: tagColumns,
    condition: sql`contributor = ${viewer.contributor}`,
    order: [{ column: 'tag_key', descending: false }],
  });
