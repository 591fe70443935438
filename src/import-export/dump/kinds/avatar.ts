// Dump lines for avatars: one line for each contributor who has one, then the bytes of its sizes.

import sql from 'sql-template-tag';
import type { Reader } from '../../../database/database.ts';
import { avatarSizeTable, contributorTable } from '../../../database/schema.ts';
import { deleteAvatars, iterateAvatars } from '../../../gallery/profiles/avatar.ts';
import { type AvatarLine, avatarLine } from '../../../gallery/profiles/avatar-line.ts';
import { type ExportFile, keepLast, type LineKind } from '../kind.ts';

export const avatarKind: LineKind<AvatarLine> = {
  format: avatarLine,
  exporter: { count: sql`select count(*) from avatar_size`, exportLines },

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', contributorTable);
    for (const { lineNumber, entry } of batch) {
      if (new Set(entry.sizes.map(({ width }) => width)).size < entry.sizes.length)
        context.refuse(lineNumber, 'sizes: must not hold one width twice.');
      for (const size of entry.sizes) context.files.expect(lineNumber, size);
    }
    const entries = keepLast(batch, ({ contributor }) => contributor);
    await deleteAvatars(
      context.transaction,
      entries.map(({ contributor }) => contributor),
    );
    await context.transaction.insert(
      avatarSizeTable,
      entries.flatMap(({ contributor, sizes }) => sizes.map((size) => ({ contributor, ...size }))),
    );
  },

  describeChange: ({ contributor }) => ({ subject: contributor }),
};

async function* exportLines(reader: Reader, exportFile: ExportFile): AsyncGenerator<string[]> {
  for await (const avatar of iterateAvatars(reader)) {
    yield [avatarLine.stringify(avatar)];
    for (const size of avatar.sizes) for await (const line of exportFile(size)) yield [line];
  }
}
