// Which projects a viewer may see, as SQL conditions for every query; where rows in memory are asked the same, the
// predicate is next to the condition: `isX` in memory, `isXSql` in SQL. Conditions for visitors are literal text: both databases use a partial index
// only if they recognize its condition.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { classesOf, isLookedAfterSql, taughtClasses } from '../class-people.ts';
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
} from '../project-status.ts';
import type { Membership, Viewer } from '../viewer.ts';
import type { ProjectRow } from './project.ts';
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
  const isOwn = sql`contributor = ${viewer.contributor} and ${isNotInTrash}`;
  const isUnderOwnProject = sql`${hasThreadVisibility(restrictedThread)} and root in (select id from project where contributor = ${viewer.contributor})`;
  const commentsUnderOwnProject = sql`visibility <> 'private' and ${hasPublicStatus} and ${isUnderOwnProject}`;
  const forOwnProject = sql`${isForReviewers} and root in (select id from project where contributor = ${viewer.contributor})`;
  const ownCollections = viewer.memberships
    ? sql` or (${isInCollections(viewer, viewer.memberships)})`
    : empty;
  return sql`((${readableByAnyone}) or (${isOwn} and (${hidesLessThan(restrictedThread)} or (${isUnderOwnProject}))) or (${commentsUnderOwnProject}) or (${forOwnProject})${ownCollections})`;
}

/** A comment that was written on hidden work: see audience.ts. */
const isForReviewers = joined(
  sql`visibility = 'private' and made_for = root and ${hasPublicStatus} and ${hidesLessThan(hiddenThread)}`,
);

/** The collections of these people, what is for their classes, the comments on both, and what teachers review. */
function isInCollections(viewer: Viewer, memberships: readonly Membership[]): Sql {
  const ids = join(memberships.map(({ collection }) => collection));
  const classes = classesOf(viewer);
  /** Its maker has put it there. */
  const isInClass = (table: Sql) =>
    classes.length === 0
      ? raw('1 = 0')
      : sql`exists (select 1 from collection_item as item
          where item.project = ${table}.id and item.collection in (${join(classes)})
            and item.state = 'included' and item.added_by = ${table}.contributor)`;
  const isTheirs = (table: Sql, isForClass: Sql) =>
    sql`${table}.status in (1, 2) and (${table}.id in (${ids}) or (${isForClass}))`;
  const isForThem = isTheirs(sql`project`, sql`visibility = 'class' and ${isInClass(sql`project`)}`);
  /** Also a comment that was written for the class, when all may see what it is on. */
  const isUnderIt = sql`(${hasThreadVisibility(restrictedThread)} or visibility = 'class') and exists (
    select 1 from project as thread where thread.id = project.root and ${isTheirs(
      sql`thread`,
      sql`thread.visibility <> 'private' and 'class' in (thread.visibility, project.visibility)
        and ${isInClass(sql`thread`)}`,
    )})`;
  const isForTheirClass = classes.length
    ? sql`made_for is null or made_for in (${join(classes)})`
    : sql`made_for is null`;
  const comments = sql`visibility <> 'private' and ${hasPublicStatus} and (${isForTheirClass}) and ${isUnderIt}`;
  const taught = taughtClasses(viewer);
  const isTaught = (
    table: Sql,
  ) => sql`exists (select 1 ${isLookedAfterSql(sql`${table}.contributor`, taught)})
    or (${table}.source_maker is not null and ${table}.made_for in (${join(taught)}))`;
  const isForReview = taught.length
    ? sql` or (${hasStatus([waiting])} and visibility <> 'private' and ${hidesLessThan(hiddenThread)}
        and (${isTaught(sql`project`)})) or (${isForReviewers} and exists (select 1 from project as thread
          where thread.id = project.root and thread.visibility <> 'private' and thread.status in (1, 2, 5)
            and (${isTaught(sql`thread`)})))`
    : empty;
  return sql`(${isForThem} and content_type <> 'comment') or (${comments})${isForReview}`;
}

/**
 * Projects that the viewer may open by their id. Ids can be counted: unlisted projects of others, and the comments on
 * them, are open only by their uuid.
 */
export function readableById(viewer: Viewer): Sql {
  if (viewer.isModerator) return readableBy(viewer);
  if (viewer.contributor === null) return readableByAnyoneById;
  const isOwn = sql`contributor = ${viewer.contributor} or root in (select id from project where contributor = ${viewer.contributor})`;
  const ids = viewer.memberships?.map(({ collection }) => collection);
  const isTheirs = ids ? sql` or id in (${join(ids)}) or root in (${join(ids)})` : empty;
  // A waiting project is found only by its maker and by those who review it.
  return sql`${readableBy(viewer)} and (${isOpenById} or ${hasStatus([waiting])} or ${isOwn}${isTheirs})`;
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
