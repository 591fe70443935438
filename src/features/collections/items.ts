// The projects in a collection, in order, and those that were offered to it. Each viewer gets those that they may find
// anyway: neither a gap nor a count tells of the others.

import sql, { type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { all, type Column, integer, nullable, qualify, type Reader, type RowOf, text } from '#sql';
import { isCollection } from '../../core/content-types.ts';
import { removed } from '../../core/project-status.ts';
import { reviewsPersonSql } from '../../core/reviewers.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type Project, projectLimits, shownColumns } from '../../projects/project.ts';
import { discoverableBy, isCollectionSql, readableBy } from '../../projects/visibility/visible-to.ts';
import { arranges } from './memberships.ts';
import { collectionItemTable } from './tables.ts';

/** `withdrawn`: its maker took it out, and only its maker puts it back. */
export const itemStates = ['included', 'offered', 'declined', 'withdrawn'] as const;
export type ItemState = (typeof itemStates)[number];

export const collectionLimits = {
  items: projectLimits.items,
  editors: 20,
  openOffers: 50,
  note: 500,
  sections: 50,
  heading: 100,
} as const;

/** Those that are in a collection. */
export const includedItems = sql`select collection as whole, project as part, position from collection_item
  where state = 'included'`;

export const itemColumns = {
  ...collectionItemTable.columns,
  state: collectionItemTable.columns.state.narrow<ItemState>(),
};
export type ItemRow = RowOf<typeof itemColumns>;

/** The place is that among the items that the viewer sees. */
export interface Item extends Omit<ItemRow, 'position' | 'noted_by' | 'note_for'> {
  readonly position: number;
  readonly storedPosition: number;
}

export type Collection = Pick<Project, 'id' | 'contributor' | 'content_type' | 'kind' | 'offers'>;

/** Whether the viewer may put projects into the collection, take them out and arrange them. */
export const canArrange = (viewer: Viewer, collection: Pick<Collection, 'id' | 'contributor'>) =>
  can(viewer, 'changeProject', collection.contributor) || arranges(viewer, collection);

export function requireCollection<P extends Pick<Collection, 'content_type'>>(project: P): P {
  if (!isCollection(project)) throw new NotFound();
  return project;
}

/** Offers, and those that were declined, are for those who arrange it and for their maker. */
function isShownTo(viewer: Viewer, collection: Pick<Collection, 'id' | 'contributor'>): Sql {
  const isOwn = sql`project.contributor = ${viewer.contributor}`;
  if (canArrange(viewer, collection)) return sql`(item.state <> 'withdrawn' or ${isOwn})`;
  const isReviewed = reviewsPersonSql(viewer, sql`contributor.id`);
  // What is offered to a child, or by one, is seen by its teachers too.
  if (isReviewed)
    return sql`(item.state = 'included' or ${isOwn} or (item.state <> 'withdrawn' and exists (
      select 1 from contributor where contributor.id in (${collection.contributor}, project.contributor) and ${isReviewed})))`;
  return viewer.contributor === null
    ? sql`item.state = 'included'`
    : sql`(item.state = 'included' or ${isOwn})`;
}

/** Of the owner of the collection and the author of words there, how many the viewer reviews. */
export function reviewedColumn(
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
  author: Sql,
): Column<number> {
  const isReviewed = reviewsPersonSql(viewer, sql`contributor.id`);
  // Those who arrange the collection read all words anyway.
  if (!isReviewed || canArrange(viewer, collection)) return integer(sql`0`);
  return integer(sql`(select count(*) from contributor
    where contributor.id in (${collection.contributor}, ${author}) and ${isReviewed})`);
}

/** Words that are not for all are for their author, and for those who arrange the collection or have another part in it. */
export const areWordsShown = (
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
  { noted_by, note_for, reviewed }: Pick<ItemRow, 'noted_by' | 'note_for'> & { readonly reviewed: number },
): boolean =>
  note_for === null ||
  reviewed > 0 ||
  canArrange(viewer, collection) ||
  (viewer.contributor !== null && noted_by === viewer.contributor) ||
  (note_for === 'people' && viewer.memberships?.some(({ collection: id }) => id === collection.id) === true);

/** All states that the viewer may see, or one of them, in order. */
export async function listItems(
  reader: Reader,
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
  state?: ItemState,
): Promise<Item[]> {
  const isWanted = state === undefined ? sql`1 = 1` : sql`item.state = ${state}`;
  const columns = {
    ...qualify('item', itemColumns),
    reviewed: reviewedColumn(viewer, collection, sql`item.noted_by`),
  };
  const items = await all(reader, columns)`from collection_item as item
    join project on project.id = item.project
    where item.collection = ${collection.id} and ${isWanted} and ${isShownTo(viewer, collection)}
      and ${discoverableBy(viewer)}
    order by case item.state when 'included' then 0 else 1 end, item.position, item.project`;
  return items.map(({ noted_by, note_for, reviewed, ...item }, index) => ({
    ...item,
    note: areWordsShown(viewer, collection, { noted_by, note_for, reviewed }) ? item.note : '',
    position: index + 1,
    storedPosition: item.position,
  }));
}

/** The collections that show the project, the newest first. */
export const listCollectionsOf = (
  reader: Reader,
  viewer: Viewer,
  project: number,
  limit: number,
): Promise<Project[]> => all(reader, shownColumns)`from project
  where ${isCollectionSql} and ${discoverableBy(viewer)} and id in (
    select collection from collection_item where project = ${project} and state = 'included')
  order by created desc, id desc limit ${limit}`;

/** A collection to which the viewer may add projects, and the state of one project in it: null if it is not there. */
export type CollectionChoice = Project & { readonly state: ItemState | null };

const choiceColumns = (project: number) => ({
  ...shownColumns,
  state: nullable(
    text(
      sql`(select state from collection_item where collection = project.id and collection_item.project = ${project})`,
    ),
  ).narrow<ItemState | null>(),
});

/** The newest first; for what they have made for their class, the class too. */
export const listArrangeable = (
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<CollectionChoice[]> => all(reader, choiceColumns(project))`
  from project where ${isCollectionSql} and status <> ${removed} and ${readableBy(viewer)} and (contributor = ${viewer.contributor} or id in (
    select collection from collection_person where contributor = ${viewer.contributor} and (role <> 'member' or exists (
      select 1 from project as own where own.id = ${project} and own.contributor = ${viewer.contributor}
        and own.visibility = 'class'))))
  order by created desc, id desc limit 200`;
