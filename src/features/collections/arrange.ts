// Puts projects into a collection, takes them out and arranges them. Each is a new version of the collection, so that of two
// people who arrange at once, the second is told.

import sql, { join } from 'sql-template-tag';
import { type ApiText, apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, NotFound, Outdated } from '#common/errors.ts';
import { all, countUpTo, execute, exists, first, integer, pick, type Transaction } from '#sql';
import type { ActionOf } from '../../core/changes/change-kinds.ts';
import { hasManyUnread } from '../../core/changes/many-unread.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { isWork } from '../../core/content-types.ts';
import { removed } from '../../core/project-status.ts';
import { authorize, authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { audiencesOf, beforeCollected } from '../../projects/hooks.ts';
import { type ProjectRow, projectColumns } from '../../projects/project.ts';
import { isForFew, maySitIn } from '../../projects/visibility/made-for-a-group.ts';
import { isPublic, type ProjectAddress, readableAt } from '../../projects/visibility/visible-to.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { createProject } from '../../projects/writing/create.ts';
import {
  type CollectionChoice,
  canArrange,
  collectionLimits,
  type Item,
  type ItemRow,
  type ItemState,
  itemColumns,
  listItems,
  requireCollection,
} from './items.ts';
import { partsOf } from './memberships.ts';
import { saveArrangement, saveNote, writeNote } from './notes.ts';
import { listArrangers } from './people.ts';
import {
  type Entry,
  findItem,
  type ItemWithSection,
  isItem,
  isSection,
  listEntries,
  type SectionWords,
  saveSections,
  withWords,
} from './sections.ts';
import { collectionItemTable } from './tables.ts';

export interface ItemValues extends SectionWords {
  readonly position?: number;
  readonly note?: string;
  readonly state?: Extract<ItemState, 'included' | 'declined'>;
}

const makerColumns = pick(projectColumns, 'id', 'contributor');

/** Why the viewer cannot put the project into the collection, where it has this state, if that is so. Forms offer the others. */
export function findRefusal(
  viewer: Viewer,
  added: ProjectRow,
  { id, state }: Pick<CollectionChoice, 'id' | 'state'>,
): ApiText | undefined {
  const isOwn = added.contributor === viewer.contributor;
  // Others learn of it here: only its maker can want that, unless everybody may know it.
  if (!isOwn && added.visibility !== 'public') return apiText('noProject');
  if (!maySitIn(added, id)) return apiText('copyOfClass');
  return state === 'withdrawn' && !isOwn ? apiText('takenOut') : undefined;
}

/** Whether the viewer may write a note beside what they put into the collection or offer. */
export const mayNote = (viewer: Viewer, collection: Pick<ProjectRow, 'id' | 'contributor'>): boolean =>
  viewer.lookedAfterBy === undefined ||
  viewer.lookedAfterBy === collection.id ||
  canArrange(viewer, collection);

/** Those who arrange the collection put it in, and the people of a class what they made for it; others offer their own. */
export async function addItem(
  write: WriteContext,
  collection: ProjectAddress,
  project: ProjectAddress,
  note = '',
): Promise<ItemWithSection> {
  const { transaction, changeSet, viewer } = write;
  authorizeAny(viewer, 'changeCollection');
  const actor = requireSignedIn(viewer);
  const before = await lockCollection(write, collection);
  const arranges = canArrange(viewer, before);
  const added = await first(transaction, projectColumns)`from project where ${readableAt(viewer, project)}`;
  if (!added) throw new Invalid({ project: [apiText('noProject')] });
  if (!isWork(added.content_type)) throw new Invalid({ project: [apiText('notCollectable')] });
  const isOwn = added.contributor === actor;
  const existing = await findRow(transaction, before.id, added.id);
  const refusal = findRefusal(viewer, added, { id: before.id, state: existing?.state ?? null });
  if (refusal) throw new Invalid({ project: [refusal] });
  const includes =
    arranges || (isOwn && added.visibility === 'class' && audiencesOf(viewer).includes(before.id));
  if (note !== '' && !mayNote(viewer, before)) throw new Invalid({ note: [apiText('lookedAfter')] });
  if (!includes && (before.offers !== 'open' || !isOwn)) throw new Forbidden();
  if (!includes && !isPublic(added)) throw new Invalid({ project: [apiText('offerPublic')] });
  const state = includes ? 'included' : 'offered';
  const isRepeated = existing?.state === 'included' || existing?.state === state;
  if (isRepeated || (existing?.state === 'declined' && !includes))
    throw new Invalid({ project: [apiText('collectedBefore')] });
  await requireRoom(transaction, before.id, actor, state);
  const position = await findEnd(transaction, before.id);
  const row: ItemRow = {
    collection: before.id,
    project: added.id,
    position,
    state,
    added_by: actor,
    added: changeSet.at,
    ...(await writeNote(write, before, added, note)),
  };
  await transaction.upsert(collectionItemTable, [row]);
  await beforeCollected(transaction, before.id, added.id);
  if (isOwn && before.kind === 'class' && isForFew(added) && added.made_for === null)
    await execute(transaction)`update project set made_for = ${before.id} where id = ${added.id}`;
  if (state === 'included') await saveArrangement(write, before, isPublic(added));
  await record(write, before, added, state === 'included' ? 'included' : 'offered');
  return findItem(transaction, viewer, before, added.id);
}

/** Omitted values stay; the other items move to make room. `read` is called once the viewer is authorized. */
export async function changeItem(
  write: WriteContext,
  address: ProjectAddress,
  project: number,
  read: () => ItemValues,
): Promise<ItemWithSection> {
  const { transaction, viewer } = write;
  const before = await lockCollection(write, address);
  const { id } = before;
  if (!canArrange(viewer, before)) throw new Forbidden();
  const items = await listItems(transaction, viewer, before);
  const item = items.find((candidate) => candidate.project === project);
  if (!item || item.state === 'withdrawn') throw new NotFound();
  const { position = item.position, note = item.note, state = item.state, ...words } = read();
  if (state === 'declined' && item.state === 'included')
    throw new Invalid({ state: [apiText('alreadyIncluded')] });
  const changesState = state !== item.state;
  if (changesState && state === 'included') await requireRoom(transaction, id, 0, 'included');
  // The person who accepts an offer has put it in: its maker has offered what everybody sees, and nothing that is narrowed later.
  const added_by = state === 'included' ? viewer.contributor : item.added_by;
  if (changesState)
    await execute(transaction)`update collection_item set state = ${state}, added_by = ${added_by}
      where collection = ${id} and project = ${project}`;
  if (note !== item.note) await saveNote(write, before, { project, note });
  const entries = await listEntries(transaction, viewer, before, items);
  const moved =
    position !== item.position && state === 'included' ? moveItem(entries, item, position) : entries;
  const hasWords = state === 'included' && Object.keys(words).length > 0;
  const arranged = hasWords ? withWords(moved, item, words) : moved;
  if (arranged !== entries) await saveOrder(write, before, entries, arranged);
  if (changesState || note !== item.note || arranged !== entries) await saveArrangement(write, before);
  const added = await first(transaction, makerColumns)`from project where id = ${project}`;
  if (changesState && added)
    await record(write, before, added, state === 'included' ? 'included' : 'declined');
  return findItem(transaction, viewer, before, project);
}

/** Those who arrange it take out anything, and a maker their own work. What was declined stays so, and is not offered again. */
export async function removeItem(
  write: WriteContext,
  collection: ProjectAddress,
  project: number,
): Promise<void> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'changeCollection');
  const before = await lockCollection(write, collection);
  const item = await findItem(transaction, viewer, before, project);
  const added = await first(transaction, projectColumns)`from project where id = ${project}`;
  const isOwn = added?.contributor === viewer.contributor;
  if ((!isOwn || item.state === 'declined') && !canArrange(viewer, before)) throw new Forbidden();
  const isThis = sql`collection = ${before.id} and project = ${project}`;
  // A maker who arranges the collection too can put it back anyway.
  if (isOwn && item.state !== 'offered')
    await execute(transaction)`update collection_item
      set state = 'withdrawn', note = '', note_for = null where ${isThis}`;
  else await execute(transaction)`delete from collection_item where ${isThis}`;
  if (item.state === 'included') await saveArrangement(write, before, added && isPublic(added));
  if (added) await record(write, before, added, 'taken_out', item.state);
}

/** The item gets the place of another, and is in its section then. */
function moveItem(entries: readonly Entry[], item: Item, position: number): readonly Entry[] {
  const isIncluded = entries.includes(item);
  const included = entries.filter(isItem);
  const max = included.length + (isIncluded ? 0 : 1);
  if (position > max) throw new Invalid({ position: [apiText('max', { max })] });
  const target = included[position - 1];
  const others = entries.filter((entry) => entry !== item);
  if (!target) return [...others, item];
  const movesDown = isIncluded && position > item.position;
  return others.toSpliced(others.indexOf(target) + (movesDown ? 1 : 0), 0, item);
}

/** The whole order and the words at once. `arrange` gets what the viewer sees, and returns each of the items once. */
export async function arrangeEntries(
  write: WriteContext,
  collection: ProjectAddress,
  arrange: (entries: readonly Entry[]) => readonly Entry[],
): Promise<void> {
  const { transaction, viewer } = write;
  const before = await lockCollection(write, collection);
  if (!canArrange(viewer, before)) throw new Forbidden();
  const items = await listItems(transaction, viewer, before, 'included');
  const entries = await listEntries(transaction, viewer, before, items);
  const arranged = arrange(entries);
  const noted = arranged.filter(isItem).filter(({ note, position }) => note !== items[position - 1]?.note);
  const toPlace = (entry: Entry) => (isSection(entry) ? entry : entry.project);
  const isChanged = !Bun.deepEquals(arranged.map(toPlace), entries.map(toPlace));
  for (const item of noted) await saveNote(write, before, item);
  if (isChanged) await saveOrder(write, before, entries, arranged);
  if (isChanged || noted.length > 0) await saveArrangement(write, before);
}

interface Choice {
  readonly into: readonly ProjectAddress[];
  readonly outOf: readonly ProjectAddress[];
  /** Of a new collection; empty for none. */
  readonly title: string;
  readonly note: string;
}

/** Puts a project into some collections and into a new one, and takes it out of others. */
export async function collect(
  write: WriteContext,
  { id, uuid }: Pick<ProjectRow, 'id' | 'uuid'>,
  { into, outOf, title, note }: Choice,
): Promise<void> {
  const made = title === '' ? [] : [await createProject(write, { title, content_type: 'collection' })];
  for (const collection of [...into, ...made.map(({ uuid }) => ({ uuid }))])
    await addItem(write, collection, { uuid }, note);
  for (const collection of outOf) await removeItem(write, collection, id);
}

/** The others, such as those that the viewer does not see, keep their places. */
async function saveOrder(
  write: WriteContext,
  collection: ProjectRow,
  before: readonly Entry[],
  ordered: readonly Entry[],
): Promise<void> {
  const { transaction } = write;
  const rows = await all(transaction, itemColumns)`from collection_item
    where collection = ${collection.id} order by position, project`;
  const items = ordered.filter(isItem);
  const moved = items.values();
  const isMoved = new Set(items.map(({ project }) => project));
  const changes = rows.flatMap((row, index) => {
    const project = isMoved.has(row.project) ? moved.next().value?.project : row.project;
    const before = rows.find((other) => other.project === project);
    return before?.position === index + 1 ? [] : [sql`when ${project} then ${index + 1}`];
  });
  if (changes.length > 0)
    await execute(transaction)`update collection_item
      set position = case project ${join(changes, ' ')} else position end where collection = ${collection.id}`;
  const positions = rows.flatMap(({ project }, index) => (isMoved.has(project) ? [index + 1] : []));
  await saveSections(write, collection, before, ordered, [...positions, rows.length + 1]);
}

async function lockCollection(write: WriteContext, address: ProjectAddress): Promise<ProjectRow> {
  const before = requireCollection(await lockReadableProject(write, address));
  if (before.status === removed) authorize(write.viewer, 'removeProject', before.contributor);
  if (write.matchesVersion && !write.matchesVersion(before.record_modified)) throw new Outdated();
  return before;
}

const findRow = (
  transaction: Transaction,
  collection: number,
  project: number,
): Promise<ItemRow | undefined> =>
  first(
    transaction,
    itemColumns,
  )`from collection_item where collection = ${collection} and project = ${project}`;

const endColumns = { end: integer(sql`coalesce(max(position), 0) + 1`) };

const findEnd = async (transaction: Transaction, collection: number): Promise<number> =>
  (await first(transaction, endColumns)`from collection_item where collection = ${collection}`)?.end ?? 1;

async function requireRoom(transaction: Transaction, collection: number, actor: number, state: ItemState) {
  const { items, openOffers } = collectionLimits;
  if (state === 'included') {
    const included = sql`from collection_item where collection = ${collection} and state = 'included'`;
    if ((await countUpTo(items, transaction, included)) >= items)
      throw new Invalid({ non_field_errors: [apiText('maxItems', { max: items })] });
  } else {
    const open = sql`from collection_item where added_by = ${actor} and state = 'offered'`;
    if ((await countUpTo(openOffers, transaction, open)) >= openOffers)
      throw new Invalid({ non_field_errors: [apiText('maxOffers', { max: openOffers })] });
  }
}

/** Whether somebody may know of the collection that has their work. */
const mayLearnOf = async (
  transaction: Transaction,
  collection: ProjectRow,
  contributor: number,
): Promise<boolean> =>
  isPublic(collection) ||
  exists(
    transaction,
    sql`from (${partsOf(sql`${contributor}`)}) as part where collection = ${collection.id}`,
  );

/** Notifies the maker of what others did with their work, and those who arrange the collection of an offer. */
async function record(
  { transaction, changeSet, viewer }: WriteContext,
  collection: ProjectRow,
  added: Pick<ProjectRow, 'id' | 'contributor'>,
  action: ActionOf<'collection_item'>,
  /** The state before. */
  state?: ItemState,
): Promise<void> {
  const actor = requireSignedIn(viewer);
  const subject = action === 'offered' ? collection.id : added.id;
  changeSet.add({ kind: 'collection_item', action, subject, owner: added.contributor });
  const isTold = action === 'included' || (action === 'taken_out' && state === 'included');
  const people =
    action === 'offered'
      ? await listArrangers(transaction, collection)
      : isTold && (await mayLearnOf(transaction, collection, added.contributor))
        ? [added.contributor]
        : [];
  const kind = action === 'offered' ? 'offered' : action === 'included' ? 'collected' : 'taken_out';
  for (const contributor of people)
    if (contributor !== actor && !(await hasManyUnread(transaction, contributor, actor)))
      changeSet.notify('collection_item', subject, { contributor, kind, actor });
}
