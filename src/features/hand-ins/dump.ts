import sql from 'sql-template-tag';
import { first, pick } from '#sql';
import { count, id, instant, nullable, optional, sha256, text } from '../../core/dump/line-format.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { mediaSizeTable } from '../../projects/tables.ts';
import { collectionDueTable, handInFileTable } from './tables.ts';

export const dueKind = tableKind(
  collectionDueTable,
  { collection: id, due: instant, created: instant },
  {
    ownData: false,
    describeChange: null,
    // Teachers see the version of that time.
    rights: {
      name: 'date',
      columns: [],
      isFree: (context, { collection }) => context.isNewProject(collection),
    },
  },
);

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
    origin: optional(id),
  },
  {
    ownData: false,
    describeChange: null,
    // Teachers see it.
    rights: {
      name: 'file',
      columns: ['hash', 'name', 'alt'],
      isFree: (context, { project }) => context.isNewProject(project),
    },
  },
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
