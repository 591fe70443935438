// The places of comments in their threads, for moderators who look at a comment without its thread.

import sql, { join } from 'sql-template-tag';
import { all, type Database, integer } from '#sql';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { discoverableBy } from '../../projects/visibility/visible-to.ts';

/** The root is the project that the thread belongs to; `before` is the number of older comments that the viewer finds there. */
export interface CommentPlace {
  readonly root: number;
  readonly before: number;
}

export async function loadCommentPlaces(
  database: Database,
  viewer: Viewer,
  comments: readonly number[],
): Promise<Map<number, CommentPlace>> {
  if (comments.length === 0) return new Map();
  const isOlder = sql`root = target.root and content_type = 'comment' and ${discoverableBy(viewer)}
    and (created < target.created or (created = target.created and id < target.id))`;
  const columns = {
    id: integer(sql`target.id`),
    root: integer(sql`target.root`),
    before: integer(sql`(select count(*) from project where ${isOlder})`),
  };
  const rows = await all(
    database,
    columns,
  )`from project as target where target.id in (${join([...comments])})`;
  return new Map(rows.map(({ id, root, before }) => [id, { root, before }]));
}
