// Who sees which projects, as conditions that every look-up starts from. The visitors' conditions are literal
// text: the planners of both databases take a partial index only if they can see that it fits.

import sql, { type Sql } from 'sql-template-tag';
import type { Viewer } from '../viewer.ts';

/** What anybody may open: published and archived. */
export const publiclyReadableStatuses: readonly number[] = [1, 2];

/** The status of what is in the trash: nobody finds it but who looks through the trash. */
export const inTrash = 4;

/** What was taken away for good: of the project only its place is left. */
export const isErased = sql`(status = 4 and trashed is null)`;

/** What this reader may open, knowing the address. A comment is as visible as its project at most. */
export function readableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return sql`status <> 4 and veil < 3`;
  const byAnyone = sql`visibility in ('public', 'unlisted') and status in (1, 2) and veil < 2`;
  if (viewer.contributor === null) return byAnyone;
  const isOwn = sql`contributor = ${viewer.contributor} and status <> 4`;
  const isUnderOwnProject = sql`veil = 2 and root in (select id from project where contributor = ${viewer.contributor})`;
  const underOwnProject = sql`visibility in ('public', 'unlisted') and status in (1, 2) and ${isUnderOwnProject}`;
  return sql`((${byAnyone}) or (${isOwn} and (veil < 2 or (${isUnderOwnProject}))) or (${underOwnProject}))`;
}

/** What this reader finds in the trash. */
export function trashVisibleTo({ isModerator, contributor }: Viewer): Sql {
  return isModerator ? sql`trashed is not null` : sql`trashed is not null and contributor = ${contributor}`;
}

/** What this reader comes upon at what it hangs from; what is unlisted is for whoever has its address. */
export function discoverableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return readableBy(viewer);
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`contributor = ${viewer.contributor}`;
  return sql`${readableBy(viewer)} and (visibility <> 'unlisted' or ${isOwn})`;
}

/** What stands in visitors' listings, unless they ask for more: the partial indexes have this condition. */
export const listedForVisitors = sql`visibility = 'public' and status = 1 and veil = 0`;

export interface ListingRequest {
  /** A certain status was asked for, so that the listing need not keep to what is published. */
  hasStatusFilter: boolean;
  /** The readers' own items were asked for. */
  ownOnly: boolean;
}

/** What stands in listings and is counted for this reader. */
export function listedFor(viewer: Viewer, request: ListingRequest): Sql {
  if (request.ownOnly) return readableBy(viewer);
  if (viewer.isModerator && request.hasStatusFilter) return readableBy(viewer);
  return request.hasStatusFilter
    ? sql`visibility = 'public' and status in (1, 2) and veil = 0`
    : listedForVisitors;
}
