// Changes the files of a project. This counts as a change of the project: it is authorized, versioned and logged as
// one.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { execute, type Transaction } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { adjustFileUsage, countBytes } from '../../core/changes/usage.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { isCollection } from '../../core/content-types.ts';
import { type PreparedFile, tooManyFiles } from '../../core/files/prepare.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { beforeFiles, findUsedNumbers } from '../hooks.ts';
import { isShown, type Media } from '../media/media.ts';
import { deleteMedia, insertMedia, loadAllMedia } from '../media/media-rows.ts';
import type { Project, ProjectRow } from '../project.ts';
import { loadUnchanged, touchProject } from './change-project.ts';
import { lockChangeableProject } from './changeable.ts';
import { applyTurn, replaceSizes, type TurnedPicture } from './turn-picture.ts';

// Stores the files of a project, for a new project and for one that gets more.

/** After the existing ones. The alternative texts are in the order of the files. */
export async function insertFiles(
  write: WriteContext,
  project: Pick<ProjectRow, 'id' | 'content_type' | 'contributor'>,
  prepared: readonly PreparedFile[],
  alts: readonly string[],
  isKept = false,
): Promise<void> {
  const { transaction, changeSet } = write;
  // Ignores trailing empty texts, as forms send their empty fields too.
  if (alts.findLastIndex((alt) => alt !== '') >= prepared.length)
    throw new Invalid({ alt: [apiText('moreTexts')] });
  if (prepared.length === 0) return;
  if (isCollection(project)) throw new Invalid({ file: [apiText('collectionFile')] });
  if (project.content_type === 'comment') throw new Invalid({ file: [apiText('commentFile')] });
  if (!isKept) await beforeFiles(write, project.id);
  const existing = await loadAllMedia(transaction, project.id);
  const shown = existing.filter(isShown).length;
  if (!isKept && shown + prepared.length > mediaLimits.files) throw new Invalid({ file: [tooManyFiles] });
  const numbers = [
    ...existing.map(({ number }) => number),
    ...(await findUsedNumbers(transaction, project.id)),
  ];
  const lastNumber = Math.max(0, ...numbers);
  const names = new Set(existing.map(({ name }) => name.toLowerCase()));
  const media = prepared.map<Media>(({ type, name, sizes }, index) => ({
    project: project.id,
    number: lastNumber + index + 1,
    position: isKept ? 0 : shown + index + 1,
    type,
    name: chooseName(name, names),
    alt: alts[index] ?? '',
    origin: null,
    focus: 'center',
    sizes,
  }));
  await insertMedia(transaction, media);
  adjustFileUsage(changeSet, project.contributor, countBytes(media));
}

/** Texts name pictures, so that two files of a project need two names. Browsers call each pasted picture the same. */
function chooseName(name: string, names: Set<string>): string {
  const dot = name.lastIndexOf('.');
  let chosen = name;
  for (let number = 2; names.has(chosen.toLowerCase()); number++)
    chosen = `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
  names.add(chosen.toLowerCase());
  return chosen;
}

/** Adds files after the existing ones; the alternative texts are in the order of the files. */
export async function addFiles(
  write: WriteContext,
  id: number,
  prepared: readonly PreparedFile[],
  alts: readonly string[] = [],
): Promise<Project> {
  const before = await lockChangeableProject(write, id);
  await insertFiles(write, before, prepared, alts);
  return touchProject(write, before);
}

/** Omitted values stay; the other files move to make room. `read` is called once the viewer is authorized. */
export function changeMedia(
  write: WriteContext,
  id: number,
  number: number,
  read: () => Partial<FileChange>,
): Promise<Project> {
  return arrangeFiles(write, id, (files) => withChange(files, number, read()));
}

export const removeFile = (write: WriteContext, id: number, number: number): Promise<Project> =>
  arrangeFiles(write, id, (files) => withoutFile(files, number));

export function withChange(
  files: readonly Media[],
  number: number,
  { position, turned, ...changes }: Partial<FileChange>,
): readonly Media[] {
  const file = findByNumber(files, number);
  const place = position ?? file.position;
  if (place > files.length) throw new Invalid({ position: [apiText('max', { max: files.length })] });
  return withoutFile(files, number).toSpliced(place - 1, 0, {
    ...(turned ? applyTurn(file, turned) : file),
    ...changes,
  });
}

export function withoutFile(files: readonly Media[], number: number): readonly Media[] {
  const file = findByNumber(files, number);
  return files.filter((other) => other !== file);
}

type FileChange = Pick<Media, 'alt' | 'position' | 'focus'> & { readonly turned: TurnedPicture | undefined };

export type Arrange = (files: readonly Media[], project: ProjectRow) => readonly Media[];

/**
 * `arrange` returns the files that stay, in their new order, with their new descriptions, focuses and sizes, and those that are no longer
 * kept for later.
 */
export async function arrangeFiles(write: WriteContext, id: number, arrange: Arrange): Promise<Project> {
  const { transaction, changeSet } = write;
  const before = await lockChangeableProject(write, id);
  await beforeFiles(write, id);
  const all = await loadAllMedia(transaction, id);
  const files = all.filter(isShown);
  const arranged = arrange(files, before);
  const changed = arranged.filter((file) => {
    const { number, alt, focus } = file;
    const stored = findByNumber(all, number);
    return stored.alt !== alt || stored.focus !== focus || hashOf(stored) !== hashOf(file);
  });
  const isSameOrder =
    arranged.length === files.length &&
    files.every(({ number }, index) => arranged[index]?.number === number);
  if (isSameOrder && changed.length === 0) return loadUnchanged(write, before);
  if (arranged.length > Math.max(mediaLimits.files, files.length))
    throw new Invalid({ file: [tooManyFiles] });
  const removed = files.filter(({ number }) => !arranged.some((file) => file.number === number));
  if (removed.length > 0) {
    await deleteRows(write, before.contributor, removed);
    // Copies lose the files too.
    changeSet.add({ kind: 'media', action: 'removed', subject: id });
  }
  for (const file of changed) {
    const { alt, focus, number } = file;
    const stored = findByNumber(all, number);
    if (hashOf(stored) !== hashOf(file)) await replaceSizes(write, before.contributor, stored, file.sizes);
    await execute(transaction)`update media set alt = ${alt}, focus = ${focus}
      where project = ${id} and number = ${number}`;
  }
  await saveOrder(transaction, arranged);
  return touchProject(write, before);
}

const hashOf = ({ sizes }: Media) => sizes.at(-1)?.hash;

/** `files` are all files of one project of the contributor; those with these numbers are deleted. */
export async function deleteFiles(
  write: Write,
  contributor: number,
  files: readonly Media[],
  numbers: readonly number[],
): Promise<void> {
  const isDeleted = ({ number }: Media) => numbers.includes(number);
  await deleteRows(write, contributor, files.filter(isDeleted));
  await saveOrder(
    write.transaction,
    files.filter((file) => !isDeleted(file)),
  );
}

/** Of one contributor. */
export async function deleteRows(
  { transaction, changeSet }: Write,
  contributor: number,
  files: readonly Media[],
): Promise<void> {
  adjustFileUsage(changeSet, contributor, -countBytes(files));
  for (const { project, number } of files)
    await deleteMedia(transaction, sql`project = ${project} and number = ${number}`);
}

function findByNumber(files: readonly Media[], number: number): Media {
  const file = files.find((candidate) => candidate.number === number);
  if (!file) throw new NotFound();
  return file;
}

async function saveOrder(transaction: Transaction, files: readonly Media[]): Promise<void> {
  for (const [index, { project, number, position }] of files.entries()) {
    if (position !== index + 1)
      await execute(transaction)`update media set position = ${index + 1}
        where project = ${project} and number = ${number}`;
  }
}
