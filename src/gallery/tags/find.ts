// The tags of what stands in listings, with how often they stand there.

import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { tagKey } from '../projects/filters.ts';
import type { Order } from '../projects/order.ts';
import { listedForVisitors } from '../projects/visibility.ts';
import { TableListing } from '../table-listing.ts';

export interface Tag {
  /** As it is spelt by the first who listed something under it. */
  name: string;
  tag_key: string;
  count: number;
}

const byName: Order = [{ column: 'tag_key', descending: false }];
export const tagOrders: Readonly<Record<string, Order>> = {
  '-count': [{ column: 'count', descending: true }, ...byName],
  name: byName,
};

/** Those that begin with some letters; the empty text begins all. */
export function listTags(database: Database, prefix: string, order: Order): TableListing<Tag> {
  const key = tagKey(prefix);
  // The last of all characters: no tag lies behind it.
  const hasPrefix = key === '' ? sql`1 = 1` : sql`tag_key >= ${key} and tag_key < ${`${key}\u{10ffff}`}`;
  return new TableListing<Tag>(database, {
    table: 'tag_count',
    columns: sql`tag_key, count, (
        select tag from tag where tag.tag_key = tag_count.tag_key
          and exists (select 1 from project p where p.id = tag.project and ${listedForVisitors})
        order by project limit 1
      ) as ${raw('name')}`,
    condition: sql`count > 0 and ${hasPrefix}`,
    order,
  });
}
