// The tags of listed projects, and how many projects have each.

import sql from 'sql-template-tag';
import { type Database, type RowOf, text } from '#sql';
import type { Order, Sorting } from '../../core/listing/order.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { tagCountTable } from '../tables.ts';
import { tagKey } from '../tags.ts';

const columns = {
  ...tagCountTable.columns,
  /** As spelled in the oldest listed project that has the tag. */
  name: text(sql`(
    select tag from tag where tag.tag_key = tag_count.tag_key
      and listed_created is not null
    order by listed_created, project limit 1
  )`),
};

export type Tag = RowOf<typeof columns>;

export const tagSorting: Sorting = {
  columns: { count: 'count', name: 'tag_key' },
  key: 'tag_key',
  keyDescending: false,
};

export const mostUsedFirst: Order = [
  { column: 'count', descending: true },
  { column: 'tag_key', descending: false },
];

/** Tags that begin with the prefix; all if it is empty. */
export function listTags(database: Database, prefix: string, order = mostUsedFirst): TableListing<Tag> {
  const key = tagKey(prefix);
  // The highest code point: no tag sorts after it.
  const hasPrefix = key === '' ? sql`1 = 1` : sql`tag_key >= ${key} and tag_key < ${`${key}\u{10ffff}`}`;
  // There may be hundreds of thousands of tags, and hidden projects with a tag before the first listed one.
  return new TableListing(database, {
    table: 'tag_count',
    columns,
    condition: sql`count > 0 and ${hasPrefix}`,
    order,
  });
}
