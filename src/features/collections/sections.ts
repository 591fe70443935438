// The sections of a collection: each is a heading and a sentence above the projects that follow, up to the next one. Like the
// projects, they have a place in one order, so that the form that arranges a collection moves both alike.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { all, execute, type Reader, type RowOf } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectRow } from '../../projects/project.ts';
import {
  areWordsShown,
  type Collection,
  collectionLimits,
  type Item,
  listItems,
  reviewedColumn,
} from './items.ts';
import { writeNote } from './notes.ts';
import { collectionSectionTable } from './tables.ts';

const columns = collectionSectionTable.columns;

/** `number` is 0 for a new one. */
export type Section = Omit<RowOf<typeof columns>, 'collection' | 'position'>;
export type Entry = Item | Section;

export const isSection = (entry: Entry): entry is Section => 'heading' in entry;
export const isItem = (entry: Entry): entry is Item => !isSection(entry);

/** The included projects that the viewer sees, and the sections, in order. */
export async function listEntries(
  reader: Reader,
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
  items: readonly Item[],
): Promise<readonly Entry[]> {
  const rows = await all(reader, {
    ...columns,
    reviewed: reviewedColumn(viewer, collection, sql`written_by`),
  })`from collection_section where collection = ${collection.id} order by position, number`;
  const sections = rows.filter(({ written_by, written_for, reviewed }) =>
    areWordsShown(viewer, collection, { noted_by: written_by, note_for: written_for, reviewed }),
  );
  const entries: Entry[] = [];
  for (const item of items.filter(({ state }) => state === 'included')) {
    while (sections[0] && sections[0].position <= item.storedPosition) entries.push(...toSection(sections));
    entries.push(item);
  }
  while (sections.length > 0) entries.push(...toSection(sections));
  return entries;
}

/** Takes the first row. */
const toSection = (rows: RowOf<typeof columns>[]): Section[] =>
  rows.splice(0, 1).map(({ number, heading, text, written_by, written_for }) => ({
    number,
    heading,
    text,
    written_by,
    written_for,
  }));

export interface SectionWithItems {
  /** Undefined for the projects before the first section. */
  readonly section: Section | undefined;
  readonly items: readonly Item[];
}

/** Without sections that have no project for the viewer. */
export function groupBySection(entries: readonly Entry[]): readonly SectionWithItems[] {
  const groups: { section: Section | undefined; items: Item[] }[] = [{ section: undefined, items: [] }];
  for (const entry of entries)
    if (isSection(entry)) groups.push({ section: entry, items: [] });
    else groups.at(-1)?.items.push(entry);
  return groups.filter(({ items }) => items.length > 0);
}

/** Item by item, the section that begins with it. */
export const findBeginnings = (entries: readonly Entry[]): ReadonlyMap<number, Section> =>
  new Map(
    groupBySection(entries).flatMap(({ section, items: [first] }) =>
      section && first ? [[first.project, section]] : [],
    ),
  );

/** Replaces them all. `positions` has the stored places of the projects, and then a place after them. */
export async function saveSections(
  write: WriteContext,
  collection: ProjectRow,
  before: readonly Entry[],
  entries: readonly Entry[],
  positions: readonly number[],
): Promise<void> {
  const { transaction } = write;
  const sections = entries.filter(isSection);
  if (sections.length > collectionLimits.sections)
    throw new Invalid({ non_field_errors: [apiText('maxSections', { max: collectionLimits.sections })] });
  const earlier = new Map(before.filter(isSection).map((section) => [section.number, section]));
  await execute(transaction)`delete from collection_section where collection = ${collection.id}`;
  const rows: RowOf<typeof columns>[] = [];
  let itemsBefore = 0;
  for (const entry of entries) {
    if (isItem(entry)) {
      itemsBefore++;
      continue;
    }
    const { heading, text } = entry;
    const stored = earlier.get(entry.number);
    const { written_by, written_for } = hasSameWords(entry, stored)
      ? entry
      : await writeWords(write, collection, entry, stored);
    rows.push({
      collection: collection.id,
      number: rows.length + 1,
      position: positions[itemsBefore] ?? 1,
      heading,
      text,
      written_by,
      written_for,
    });
  }
  if (rows.length > 0) await transaction.insert(collectionSectionTable, rows);
}

const hasSameWords = (one: Section, other: Section | undefined): boolean =>
  one.heading === other?.heading && one.text === other.text;

/** They are read by the same people as a note on the collection itself. */
async function writeWords(
  write: WriteContext,
  collection: ProjectRow,
  { heading, text }: Section,
  before: Section | undefined,
) {
  const { note_for } = await writeNote(write, collection, collection, heading + text);
  // Words of somebody else go on waiting if a part of them stays.
  const isPartLeft = before && (before.heading === heading || (before.text === text && text !== ''));
  if (isPartLeft && before.written_for === 'review' && before.written_by !== write.viewer.contributor)
    return { written_by: before.written_by, written_for: before.written_for };
  return { written_by: requireSignedIn(write.viewer), written_for: note_for };
}

/** The words of a section that begins with a project; undefined leaves them as they are. */
export interface SectionWords {
  readonly section_heading?: string;
  readonly section_text?: string;
}

/** Begins a section with the project, changes the one that begins there, or, with an empty heading, ends it. */
export function withWords(
  entries: readonly Entry[],
  { project }: Pick<Item, 'project'>,
  { section_heading, section_text }: SectionWords,
): readonly Entry[] {
  const section = findBeginnings(entries).get(project);
  const heading = section_heading ?? section?.heading ?? '';
  const text = section_text ?? section?.text ?? '';
  if (heading === '' && section_text) throw new Invalid({ section_heading: [apiText('sectionHeading')] });
  const changed = heading === '' ? [] : [{ ...(section ?? newSection), heading, text }];
  const others = entries.filter((entry) => entry !== section);
  const place = others.findIndex((entry) => isItem(entry) && entry.project === project);
  return others.toSpliced(place, 0, ...changed);
}

export const newSection: Section = { number: 0, heading: '', text: '', written_by: 0, written_for: null };

/** A project and the section that begins with it. */
export type ItemWithSection = Item & { readonly section: Section | undefined };

export async function listItemsWithSections(
  reader: Reader,
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
): Promise<readonly ItemWithSection[]> {
  const items = await listItems(reader, viewer, collection);
  const beginnings = findBeginnings(await listEntries(reader, viewer, collection, items));
  return items.map((item) => ({ ...item, section: beginnings.get(item.project) }));
}

export async function findItem(
  reader: Reader,
  viewer: Viewer,
  collection: Pick<Collection, 'id' | 'contributor'>,
  project: number,
): Promise<ItemWithSection> {
  const items = await listItemsWithSections(reader, viewer, collection);
  const item = items.find((item) => item.project === project);
  if (!item) throw new NotFound();
  return item;
}
