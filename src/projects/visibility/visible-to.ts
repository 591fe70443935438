// Which projects a viewer may see, as SQL conditions for every query; where rows in memory are asked the same, the
// predicate is next to the condition: `isX` in memory, `isXSql` in SQL. Conditions for visitors are literal text: both databases use a partial index
// only if they recognize its condition.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { orAny } from '#sql';
import {
  hasPublicStatus,
  hasStatus,
  inTrash,
  isNotInTrash,
  isPubliclyReadable,
  isPublished,
  publiclyReadableStatuses,
  published,
  waiting,
} from '../../core/project-status.ts';
import { reviewsWorkSql } from '../../core/reviewers.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { areReadableBy, audiencesOf, haveGroupComments, orFindableById } from '../hooks.ts';
import type { ProjectRow } from '../project.ts';
import {
  hasThreadVisibility,
  hiddenThread,
  hidesLessThan,
  listedThread,
  restrictedThread,
  unlistedThread,
} from './thread-visibility.ts';

/** A project that was deleted permanently: only its empty row is left. */
export const isErased = ({ status, trashed }: Pick<ProjectRow, 'status' | 'trashed'>): boolean =>
  status === inTrash && trashed === null;
export const isErasedSql = sql`(${hasStatus([inTrash])} and trashed is null)`;

/** Whether others than its contributor and moderators may see it, if its thread lets them. */
export const isOpen = ({ visibility, status }: Pick<ProjectRow, 'visibility' | 'status'>): boolean =>
  visibility !== 'private' && isPubliclyReadable(status);

/** A project that is public and open to visitors. It earns karma for others, and search engines may show it. */
export const isPublic = ({ visibility, status }: Pick<ProjectRow, 'visibility' | 'status'>): boolean =>
  visibility === 'public' && isPubliclyReadable(status);
export const isPublicSql = (alias: string): Sql =>
  sql`${raw(alias)}.visibility = 'public' and ${hasStatus(publiclyReadableStatuses, `${alias}.status`)}`;

/** Literal text, for the index of collections. */
export const isCollectionSql = raw("content_type = 'collection'");

/** Joined once, as most requests come from visitors. */
const joined = (condition: Sql) => raw(condition.sql);

const readableByAnyone = joined(
  sql`visibility in ('public', 'unlisted') and ${hasPublicStatus} and ${hidesLessThan(restrictedThread)}`,
);
const isForFewSql = raw("project.visibility not in ('public', 'unlisted')");
/** Looks up one project: a list of all unlisted ones would be made for each comment. */
const isUnderUnlisted = sql`${hasThreadVisibility(unlistedThread)} and exists (
  select 1 from project as thread where thread.id = project.root and thread.visibility = 'unlisted')`;
const isOpenById = joined(sql`not (visibility = 'unlisted' or (${isUnderUnlisted}))`);
const readableByAnyoneById = joined(sql`${readableByAnyone} and ${isOpenById}`);
const discoverableByAnyone = joined(sql`${readableByAnyone} and visibility <> 'unlisted'`);

/**
 * Projects that the viewer may open by an address that contains the uuid. A comment is at most as visible as its
 * project.
 */
export function readableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return sql`${isNotInTrash} and ${hidesLessThan(hiddenThread)}`;
  if (viewer.contributor === null) return readableByAnyone;
  const isOwn = sql`contributor = ${viewer.contributor} and ${isNotInTrash}${viewer.seesNoCopies ? sql` and source_maker is null` : empty}`;
  const isUnderOwnProject = sql`${hasThreadVisibility(restrictedThread)} and root in (select id from project where contributor = ${viewer.contributor})`;
  const commentsUnderOwnProject = sql`visibility <> 'private' and ${hasPublicStatus} and ${isUnderOwnProject} and (${isForAudienceOf(viewer)} or made_for = root)`;
  const forOwnProject = sql`${isForReviewers} and root in (select id from project where contributor = ${viewer.contributor})`;
  return sql`((${readableByAnyone}) or (${isOwn} and (${hidesLessThan(restrictedThread)} or (${isUnderOwnProject}))) or (${commentsUnderOwnProject}) or (${forOwnProject})${orAny(listMoreReadable(viewer))})`;
}

/**
 * Conditions for the projects that features show to the viewer, for the comments on them, and for those that wait for the viewer's
 * review.
 */
function listMoreReadable(viewer: Viewer): Sql[] {
  const works = areReadableBy(viewer, 'project');
  const threads = [
    ...areReadableBy(viewer, 'thread'),
    ...haveGroupComments(viewer, 'thread').map(
      (condition) => sql`${isForFewSql} and thread.status in (1, 2) and ${condition}`,
    ),
  ];
  const isShown = sql`(visibility <> 'private' or contributor = ${viewer.contributor}) and ${hasPublicStatus}`;
  const isReviewed = reviewsWorkSql(viewer, 'project');
  const isThreadReviewed = reviewsWorkSql(viewer, 'thread');
  return [
    ...(works.length > 0 ? [sql`content_type <> 'comment' and (${join(works, ' or ')})`] : []),
    ...(threads.length > 0
      ? [
          sql`${isShown} and ${isForAudienceOf(viewer)} and (${hasThreadVisibility(restrictedThread)} or ${isForFewSql})
            and exists (select 1 from project as thread where thread.id = project.root and thread.status in (1, 2, 5)
              and ((${join(threads, ') or (')})))`,
        ]
      : []),
    ...(isReviewed && isThreadReviewed
      ? [
          sql`${hasStatus([waiting])} and visibility <> 'private' and ${hidesLessThan(hiddenThread)} and ${isReviewed}`,
          sql`(${isForReviewers} or (visibility = 'class' and ${hasPublicStatus} and ${hidesLessThan(hiddenThread)}
              and ${isForAudienceOf(viewer)})) and exists (select 1 from project as thread
            where thread.id = project.root and thread.visibility <> 'private' and thread.status in (1, 2, 5)
              and ${isThreadReviewed})`,
        ]
      : []),
  ];
}

/** Whether features show the viewer anything beside what visitors see and what is their own. */
export const readsMoreThanOwn = (viewer: Viewer): boolean => listMoreReadable(viewer).length > 0;

/** Of a comment: it was written for no group, or for one of theirs. Who has left a group does not go on reading it. */
function isForAudienceOf(viewer: Viewer): Sql {
  const audiences = audiencesOf(viewer);
  return audiences.length
    ? sql`(made_for is null or made_for in (${join(audiences)}))`
    : sql`made_for is null`;
}

/** A comment that was written on hidden work: see made-for-a-group.ts. */
const isForReviewers = joined(
  sql`visibility = 'private' and made_for = root and ${hasPublicStatus} and ${hidesLessThan(hiddenThread)}`,
);

/**
 * Projects that the viewer may open by their id. Ids can be counted: unlisted projects of others, and the comments on
 * them, are open only by their uuid.
 */
export function readableById(viewer: Viewer): Sql {
  if (viewer.isModerator) return readableBy(viewer);
  if (viewer.contributor === null) return readableByAnyoneById;
  const isOwn = sql`contributor = ${viewer.contributor} or root in (select id from project where contributor = ${viewer.contributor})`;
  // A waiting project is found only by its maker, by those who review it, and by the group for which it was made.
  return sql`${readableBy(viewer)} and (${isOpenById} or ${hasStatus([waiting])} or ${isOwn}${orFindableById(viewer)})`;
}

/** How a request names a project: by its id, or by its uuid. */
export type ProjectAddress = number | Pick<ProjectRow, 'uuid'>;

/** The project with this address, if the viewer may open it. */
export function readableAt(viewer: Viewer, address: ProjectAddress): Sql {
  return typeof address === 'number'
    ? sql`id = ${address} and ${readableById(viewer)}`
    : sql`uuid = ${address.uuid} and ${readableBy(viewer)}`;
}

/** Projects that the viewer sees in the trash. */
export const trashVisibleTo = ({ isModerator, contributor }: Viewer): Sql =>
  isModerator ? sql`trashed is not null` : sql`trashed is not null and contributor = ${contributor}`;

/**
 * Projects that the viewer may find through another project, such as its copies or comments. Unlisted ones need their
 * address.
 */
export function discoverableBy(viewer: Viewer): Sql {
  if (viewer.isModerator) return readableBy(viewer);
  if (viewer.contributor === null) return discoverableByAnyone;
  return sql`${readableBy(viewer)} and (visibility <> 'unlisted' or contributor = ${viewer.contributor})`;
}

/** The default listing for visitors: the partial indexes have this condition. */
export const isListed = ({
  visibility,
  status,
  thread_visibility,
}: Pick<ProjectRow, 'visibility' | 'status' | 'thread_visibility'>): boolean =>
  visibility === 'public' && status === published && thread_visibility === listedThread;
/** The same for a comment, if its thread is listed. */
export const isListedInListedThread = sql`visibility = 'public' and ${isPublished}`;
export const isListedSql = sql`${isListedInListedThread} and ${hasThreadVisibility(listedThread)}`;

export interface ListingRequest {
  /** The request filters by status: the listing is not limited to published projects. */
  hasStatusFilter: boolean;
  /** The request asks for the viewer's own projects. */
  ownOnly: boolean;
  /** The request asks for collections. */
  collections: boolean;
}

/** Projects that appear in this viewer's listings and counts. */
export function listedFor(viewer: Viewer, request: ListingRequest): Sql {
  const { hasStatusFilter, ownOnly, collections } = request;
  if (ownOnly || (viewer.isModerator && hasStatusFilter))
    return collections ? readableBy(viewer) : sql`${readableBy(viewer)} and not ${isCollectionSql}`;
  if (!hasStatusFilter && !collections) return isListedSql;
  const isInLists = collections
    ? sql`(${hasThreadVisibility(listedThread)} or ${isCollectionSql})`
    : hasThreadVisibility(listedThread);
  return sql`visibility = 'public' and ${hasStatusFilter ? hasPublicStatus : isPublished} and ${isInLists}`;
}
