// Which projects a viewer may see, as SQL conditions for every query. Conditions for visitors are literal text: both
// databases use a partial index only if they recognize its condition.

import sql, { type Sql } from 'sql-template-tag';
import type { Viewer } from '../viewer.ts';
import { hasPublicStatus, hasStatus, inTrash, isNotInTrash, isPublished } from './status.ts';

/** A project that was deleted permanently: only its empty row is left. */
export const isErased = sql`(${hasStatus([inTrash])} and trashed is null)`;

/** Projects that the viewer may open by their address. A comment is at most as visible as its project. */
export function readableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return sql`${isNotInTrash} and veil < 3`;
  const byAnyone = sql`visibility in ('public', 'unlisted') and ${hasPublicStatus} and veil < 2`;
  if (viewer.contributor === null) return byAnyone;
  const isOwn = sql`contributor = ${viewer.contributor} and ${isNotInTrash}`;
  const isUnderOwnProject = sql`veil = 2 and root in (select id from project where contributor = ${viewer.contributor})`;
  const underOwnProject = sql`visibility in ('public', 'unlisted') and ${hasPublicStatus} and ${isUnderOwnProject}`;
  return sql`((${byAnyone}) or (${isOwn} and (veil < 2 or (${isUnderOwnProject}))) or (${underOwnProject}))`;
}

/** Projects that the viewer sees in the trash. */
export function trashVisibleTo({ isModerator, contributor }: Viewer): Sql {
  return isModerator ? sql`trashed is not null` : sql`trashed is not null and contributor = ${contributor}`;
}

/**
 * Projects that the viewer may find through another project, such as its copies or comments. Unlisted ones need their
 * address.
 */
export function discoverableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return readableBy(viewer);
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`contributor = ${viewer.contributor}`;
  return sql`${readableBy(viewer)} and (visibility <> 'unlisted' or ${isOwn})`;
}

/** The default listing for visitors: the partial indexes have this condition. */
export const listedForVisitors = sql`visibility = 'public' and ${isPublished} and veil = 0`;

export interface ListingRequest {
  /** The request filters by status: the listing is not limited to published projects. */
  hasStatusFilter: boolean;
  /** The request asks for the viewer's own projects. */
  ownOnly: boolean;
}

/** Projects that appear in this viewer's listings and counts. */
export function listedFor(viewer: Viewer, request: ListingRequest): Sql {
  if (request.ownOnly) return readableBy(viewer);
  if (viewer.isModerator && request.hasStatusFilter) return readableBy(viewer);
  return request.hasStatusFilter
    ? sql`visibility = 'public' and ${hasPublicStatus} and veil = 0`
    : listedForVisitors;
}
