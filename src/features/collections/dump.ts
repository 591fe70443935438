// Dump lines for the items, the sections and the people of collections.

import sql from 'sql-template-tag';
import { Failure } from '#common/errors.ts';
import { execute, exists } from '#sql';
import { id, instant, type LineOf, nullable, oneOf, optional, text } from '../../core/dump/line-format.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import type { ImportContext } from '../../projects/dump/import-context.ts';
import type { OwnImport } from '../../projects/dump/kind.ts';
import { ofAccounts, tableKind } from '../../projects/dump/table-kind.ts';
import { discoverableBy, readableBy } from '../../projects/visibility/visible-to.ts';
import { addItem, arrangeEntries } from './arrange.ts';
import { collectionLimits, itemStates } from './items.ts';
import { collectionRoles } from './memberships.ts';
import { type Entry, isItem, isSection, newSection } from './sections.ts';
import { collectionItemTable, collectionPersonTable, collectionSectionTable } from './tables.ts';

/** The items that somebody has added, and those of their collections, as far as they see them there. */
const isOwnItem = (contributor: number, viewer: Viewer) => {
  const isOwn = sql`project in (select id from project where contributor = ${contributor})`;
  const isSeen = sql`state <> 'withdrawn' and project in (select id from project where ${discoverableBy(viewer)})`;
  return sql`(added_by = ${contributor} or collection in (
      select id from project where contributor = ${contributor} and content_type = 'collection'))
    and (${isOwn} or (${isSeen}))`;
};

/** The notes of others are not somebody's own. */
const withOwnNote = <Row extends { readonly noted_by: number | null }>(row: Row, contributor: number): Row =>
  row.noted_by === null || row.noted_by === contributor ? row : { ...row, note: '', note_for: null };

const hasAccount = (context: ImportContext, contributor: number | null): Promise<boolean> | false =>
  contributor !== null && ofAccounts(context, { contributor });

const isOfClass = ({ transaction }: ImportContext, collection: number): Promise<boolean> =>
  exists(transaction, sql`from project where id = ${collection} and kind = 'class'`);

/** Its people get it from the dump too. Nobody with an account here comes into a class by a dump. */
const isOfNewCollection = async (
  context: ImportContext,
  { collection, contributor }: { readonly collection: number; readonly contributor: number },
) =>
  context.isNewProject(collection) &&
  !((await isOfClass(context, collection)) && (await hasAccount(context, contributor)));

/** Nobody with an account here has put it into a class, so that it opens nothing to the people there, now or once it is hidden. */
const isOfNewOrOpenProject = async (
  context: ImportContext,
  {
    project,
    collection,
    added_by,
  }: { readonly project: number; readonly collection: number; readonly added_by: number | null },
) =>
  context.isNewProject(project) ||
  (!((await isOfClass(context, collection)) && (await hasAccount(context, added_by))) &&
    (await exists(
      context.transaction,
      sql`from project where id = ${project} and ${readableBy(anonymous)}`,
    )));

/** By somebody whom others look after, or in a collection of theirs. */
const areReviewedWords = (
  { transaction }: ImportContext,
  collection: number,
  author: number | null,
): Promise<boolean> =>
  exists(
    transaction,
    sql`from account where looked_after_by is not null and (contributor = ${author}
      or contributor = (select contributor from project where id = ${collection}))`,
  );

const itemTableKind = tableKind(
  collectionItemTable,
  {
    collection: id,
    project: id,
    position: id,
    note: text({ maxLength: collectionLimits.note }),
    state: oneOf(itemStates),
    added_by: nullable(id),
    added: instant,
    noted_by: optional(id),
    note_for: optional(oneOf(['review', 'people'])),
  },
  {
    ownData: { rows: isOwnItem, show: withOwnNote },
    describeChange: null,
    // The people of a class read what its maker has put there.
    rights: [
      { name: 'item', columns: ['state', 'added_by', 'note_for'], isFree: isOfNewOrOpenProject },
      {
        name: 'note',
        columns: ['note', 'noted_by'],
        concerns: async (context, { note, collection, noted_by }) =>
          note !== '' && areReviewedWords(context, collection, noted_by),
      },
    ],
  },
);

type ItemLine = LineOf<typeof itemTableKind.format>;

/** Positions in the file may be any number, and later projects come behind the last one. */
const maxBroughtPosition = 1_000_000;

/** Of the person's collections, as far as their projects were brought too. */
async function importOwnItems(lines: readonly ItemLine[], { idOf, transact }: OwnImport): Promise<void> {
  for (const item of lines.toSorted((one, other) => one.position - other.position)) {
    const [collection, project] = [idOf(item.collection), idOf(item.project)];
    if (collection === undefined || project === undefined || item.state !== 'included') continue;
    await transact(async (write) => {
      await addItem(write, collection, project, item.note);
      // The sections that follow are placed by it.
      await execute(
        write.transaction,
      )`update collection_item set position = ${Math.min(item.position, maxBroughtPosition)}
        where collection = ${collection} and project = ${project}`;
    }).catch(ignoreFailure);
  }
}

/** It is there since an earlier time, or the collection is no longer theirs to fill. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}

export const itemKind: typeof itemTableKind = { ...itemTableKind, importOwn: importOwnItems };

/** In one's own collection, or what one wrote in those of others. */
const sectionTableKind = tableKind(
  collectionSectionTable,
  {
    collection: id,
    number: id,
    position: id,
    heading: text({ maxLength: collectionLimits.heading }),
    text: text({ maxLength: collectionLimits.note }),
    written_by: id,
    written_for: nullable(oneOf(['review', 'people'])),
  },
  {
    ownData: { rows: (contributor) => sql`written_by = ${contributor}` },
    describeChange: null,
    // Whom an import names as the author, and for whom it was written.
    rights: [
      {
        name: 'section',
        columns: ['written_by', 'written_for'],
        isFree: (context, { collection }) => context.isNewProject(collection),
      },
      {
        name: 'text of a section',
        columns: ['heading', 'text'],
        concerns: (context, { collection, written_by }) => areReviewedWords(context, collection, written_by),
      },
    ],
  },
);

type SectionLine = LineOf<typeof sectionTableKind.format>;

/** Of the person's collections, before the first project that came with them and followed. */
async function importOwnSections(
  lines: readonly SectionLine[],
  { idOf, transact }: OwnImport,
): Promise<void> {
  for (const { collection: exported, position, heading, text } of lines) {
    const collection = idOf(exported);
    if (collection === undefined) continue;
    const insert = (entries: readonly Entry[]) => {
      if (entries.some((entry) => isSection(entry) && entry.heading === heading)) return entries;
      const place = entries.findIndex((entry) => isItem(entry) && entry.storedPosition >= position);
      return entries.toSpliced(place < 0 ? entries.length : place, 0, { ...newSection, heading, text });
    };
    await transact((write) => arrangeEntries(write, collection, insert)).catch(ignoreFailure);
  }
}

export const sectionKind: typeof sectionTableKind = { ...sectionTableKind, importOwn: importOwnSections };

export const personKind = tableKind(
  collectionPersonTable,
  { collection: id, contributor: id, role: oneOf(collectionRoles) },
  {
    ownData: true,
    describeChange: null,
    rights: { name: 'role of a contributor', columns: ['role'], isFree: isOfNewCollection },
  },
);
