// Dump lines for avatars: one line for each contributor who has one, then the bytes of its sizes.

import sql, { join } from 'sql-template-tag';
import { all, pick, type Reader } from '#sql';
import { deleteAvatars, iterateAvatars } from '../../core/contributors/avatar.ts';
import { avatarSizeTable, contributorTable } from '../../core/contributors/tables.ts';
import { defineLine, id, type LineOf, objects, sha256, wholeNumber } from '../../core/dump/line-format.ts';
import type { ImportContext } from './import-context.ts';
import { type Batch, keepLast } from './import-log.ts';
import type { ExportFile, LineKind } from './kind.ts';
import { rightsAdvice } from './table-kind.ts';

/** The bytes of the sizes follow it, as they follow the line of a project's file. */
export const avatarLine = defineLine('avatar', {
  contributor: id,
  sizes: objects(
    { width: wholeNumber(1), hash: sha256('a SHA-256'), bytes: wholeNumber(1) },
    { minItems: 1, maxItems: 10 },
  ),
});

type AvatarLine = LineOf<typeof avatarLine>;

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
    await requireSameAvatars(context, batch);
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

/** Of people with an account: everybody sees it, and moderators remove it. */
async function requireSameAvatars(context: ImportContext, batch: Batch<AvatarLine>): Promise<void> {
  const accounts = await context.findAccounts(batch.map(({ entry }) => entry.contributor));
  if (accounts.size === 0) return;
  const rows = await all(
    context.transaction,
    pick(avatarSizeTable.columns, 'contributor', 'hash'),
  )`from avatar_size
    where contributor in (${join([...accounts.keys()])})`;
  for (const { lineNumber, entry } of batch) {
    const { contributor, sizes } = entry;
    const isThere = ({ hash }: { readonly hash: string }) =>
      rows.some((row) => row.contributor === contributor && row.hash === hash);
    if (accounts.has(contributor) && !sizes.every(isThere))
      context.refuse(lineNumber, `contributor: ${contributor} has another avatar, or none. ${rightsAdvice}`);
  }
}

async function* exportLines(reader: Reader, exportFile: ExportFile): AsyncGenerator<string[]> {
  for await (const avatar of iterateAvatars(reader)) {
    yield [avatarLine.stringify(avatar)];
    for (const size of avatar.sizes) for await (const line of exportFile(size)) yield [line];
  }
}
