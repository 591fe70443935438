// Dump lines for the items and the people of collections, and for what classes have handed in.

import sql from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import { exists, first } from '../../../database/query.ts';
import {
  classLinkTable,
  collectionDueTable,
  collectionItemTable,
  collectionPersonTable,
  courseTable,
  handInFileTable,
  mediaSizeTable,
} from '../../../database/schema.ts';
import { maxCourseName } from '../../../gallery/classes/course.ts';
import { collectionLimits, itemStates } from '../../../gallery/collections/items.ts';
import {
  count,
  id,
  instant,
  type LineOf,
  nullable,
  oneOf,
  optional,
  sha256,
  text,
  unless,
} from '../../../gallery/line-format.ts';
import { readTable } from '../../../gallery/listing/table-listing.ts';
import { mediaLimits } from '../../../gallery/media/media.ts';
import { readableBy } from '../../../gallery/projects/visibility.ts';
import { anonymous, collectionRoles } from '../../../gallery/viewer.ts';
import type { ImportContext } from '../import-context.ts';
import { tableKind } from '../table-kind.ts';

/** The items that somebody has added, and those of their collections. */
const isOwnItem = (contributor: number) => sql`(added_by = ${contributor} or collection in (
  select id from project where contributor = ${contributor} and content_type = 'collection'))`;

const isOfNewCollection = (context: ImportContext, { collection }: { readonly collection: number }) =>
  context.isNewProject(collection);

const isOfNewOrOpenProject = async (context: ImportContext, { project }: { readonly project: number }) =>
  context.isNewProject(project) ||
  exists(context.transaction, sql`from project where id = ${project} and ${readableBy(anonymous)}`);

const itemKind = tableKind(
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
    note_waits: unless(oneOf([1]), 0),
  },
  {
    ownData: { rows: isOwnItem },
    describeChange: null,
    // The people of a class read what its maker has put there.
    rights: { name: 'item', columns: ['state', 'added_by'], isFree: isOfNewOrOpenProject },
  },
);
export const itemLine = itemKind.format;
export type ItemLine = LineOf<typeof itemLine>;

export const collectionKinds = [
  itemKind,
  tableKind(
    collectionPersonTable,
    { collection: id, contributor: id, role: oneOf(collectionRoles) },
    {
      ownData: true,
      describeChange: null,
      rights: { name: 'role of a contributor', columns: ['role'], isFree: isOfNewCollection },
    },
  ),
  tableKind(
    classLinkTable,
    { collection: id, hash: sha256('the SHA-256 of the link that joins a class') },
    {
      ownData: false,
      unique: 'hash',
      rights: { name: 'link', columns: ['hash'] },
      describeChange: null,
    },
  ),
  tableKind(
    courseTable,
    {
      name: text({ minLength: 1, maxLength: maxCourseName, isSingleLine: true }),
      collection: id,
      consent: sha256('the SHA-256 of the wording of the consent'),
    },
    {
      ownData: false,
      describeChange: null,
      rights: { name: 'class', columns: ['collection', 'consent'], isFree: isOfNewCollection },
    },
  ),
  tableKind(
    collectionDueTable,
    { collection: id, due: instant, created: instant },
    { ownData: false, describeChange: null, rights: 'none' },
  ),
];

const handInFileTableKind = tableKind(
  handInFileTable,
  {
    collection: id,
    due: instant,
    project: id,
    number: count,
    media_type: text({ maxLength: 200 }),
    name: text({ maxLength: mediaLimits.importedName, forbidden: [/[/\\]/, 'a slash'] }),
    alt: text({ maxLength: mediaLimits.alt }),
    hash: nullable(sha256('a SHA-256')),
    bytes: count,
  },
  { ownData: false, describeChange: null, rights: 'none' },
);

const hashColumn = pick(mediaSizeTable.columns, 'hash');

/** Their bytes come with them, unless a file of a project has the same. */
export const handInFileKind: typeof handInFileTableKind = {
  ...handInFileTableKind,
  exporter: {
    count: sql`select count(*) from hand_in_file`,
    isLast: true,
    async *exportLines(reader, exportFile) {
      for await (const rows of readTable(reader, handInFileTable, handInFileTable.columns, sql`1 = 1`))
        for (const { hash, ...row } of rows) {
          yield [handInFileTableKind.format.stringify({ hash, ...row })];
          if (hash === null) continue;
          const isExported = await first(reader, hashColumn)`from media_size where hash = ${hash} limit 1`;
          if (!isExported) for await (const line of exportFile({ hash, bytes: row.bytes })) yield [line];
        }
    },
  },
  async importBatch(context, batch) {
    for (const { lineNumber, entry } of batch)
      if (entry.hash !== null) context.files.expect(lineNumber, { hash: entry.hash, bytes: entry.bytes });
    await handInFileTableKind.importBatch(context, batch);
  },
};
