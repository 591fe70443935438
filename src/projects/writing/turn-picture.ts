// Turns a picture of a project. What is stored of it is made anew from its largest size, and nobody gets the old bytes any more.

import sql, { join, raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Invalid } from '#common/errors.ts';
import { all, type Database, execute, integer, pick, qualify } from '#sql';
import { adjustFileUsage, countBytes } from '../../core/changes/usage.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { encodeSizes, type Turn } from '../../core/files/picture.ts';
import { preparePicture } from '../../core/files/prepare.ts';
import { deleteReferences } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import { describeMediaType, type Size } from '../../core/files/stored-files.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { Focus } from '../media/focus.ts';
import type { Media } from '../media/media.ts';
import { copiedFileTables } from '../media/media-rows.ts';
import { mediaSizeTable, mediaTable, projectTable } from '../tables.ts';
import { lockProjects } from './store.ts';
import { nextVersionSql } from './version.ts';

/** Its bytes are stored, but the file does not refer to them yet. */
export interface TurnedPicture {
  readonly turn: Turn;
  /** The largest size that was turned. */
  readonly from: string;
  readonly sizes: readonly Size[];
}

interface TurnDependencies {
  readonly database: Database;
  readonly files: FileStore;
}

/** Only where it was uploaded: a copy would no longer have the file of its source. */
export async function prepareTurned(
  deps: TurnDependencies,
  viewer: Viewer,
  { type, name, origin, sizes }: Media,
  turn: Turn,
): Promise<TurnedPicture> {
  const largest = sizes.at(-1);
  if (!largest || describeMediaType(type).display !== 'picture')
    throw new Invalid({ turn: [apiText('turnOther')] });
  if (origin !== null) throw new Invalid({ turn: [apiText('turnCopy')] });
  const bytes = await deps.files.read(largest.hash, 0, largest.bytes);
  const turned = await preparePicture(
    deps,
    viewer,
    'turn',
    new File([new Uint8Array(bytes)], name),
    (picture, contributor) => encodeSizes(picture, contributor, turn),
  );
  return { turn, from: largest.hash, sizes: turned };
}

/** The outer places, clockwise. */
const ring: readonly Focus[] = [
  ...(['top-left', 'top', 'top-right', 'right'] as const),
  ...(['bottom-right', 'bottom', 'bottom-left', 'left'] as const),
];

const turnFocus = (focus: Focus, turn: Turn): Focus =>
  focus === 'center' ? focus : (ring[(ring.indexOf(focus) + turn / 45) % ring.length] ?? focus);

/** The file with the turned picture. */
export function applyTurn(file: Media, { turn, from, sizes }: TurnedPicture): Media {
  if (file.sizes.at(-1)?.hash !== from) throw new Conflict(apiText('turnedMeanwhile'));
  return { ...file, sizes, focus: turnFocus(file.focus, turn) };
}

/** More are not turned in one transaction. */
const maxCopies = 200;

const copyColumns = {
  ...qualify('media', pick(mediaTable.columns, 'project', 'number')),
  contributor: integer(sql`project.contributor`),
};

/** Copies get the new sizes too: they share the files of their source. `contributor` has the project of the file. */
export async function replaceSizes(
  write: WriteContext,
  contributor: number,
  { project, number, sizes: old }: Media,
  sizes: readonly Size[],
): Promise<void> {
  const { transaction, changeSet } = write;
  const [before, after] = [old.at(-1), sizes.at(-1)];
  if (!before || !after) return;
  const copies = await all(transaction, copyColumns)`from media
    join media_size on media_size.project = media.project and media_size.number = media.number
    join ${raw(projectTable.name)} on project.id = media.project
    where media.origin = ${project} and media_size.hash = ${before.hash} limit ${maxCopies + 1}`;
  if (copies.length > maxCopies) throw new Invalid({ turn: [apiText('turnCopies', { max: maxCopies })] });
  const ids = [...new Set(copies.map((copy) => copy.project))];
  if (ids.length > 0) {
    await lockProjects(transaction, sql`id in (${join(ids)})`);
    await execute(transaction)`update project set record_modified = ${nextVersionSql(changeSet.at)}
      where id in (${join(ids)})`;
  }
  const bytes = countBytes([{ sizes }]) - countBytes([{ sizes: old }]);
  for (const file of [{ project, number, contributor }, ...copies]) {
    await deleteReferences(
      transaction,
      'media_size',
      sql`project = ${file.project} and number = ${file.number}`,
    );
    await transaction.insert(
      mediaSizeTable,
      sizes.map((size) => ({ project: file.project, number: file.number, ...size })),
    );
    adjustFileUsage(changeSet, file.contributor, bytes);
    changeSet.add({ kind: 'media', action: 'removed', subject: file.project });
  }
  // Hand-ins with a file of this project.
  for (const { name, columns } of copiedFileTables())
    if ('hash' in columns)
      await execute(transaction)`update ${raw(name)} set hash = ${after.hash}, bytes = ${after.bytes}
        where origin = ${project} and hash = ${before.hash}`;
}
