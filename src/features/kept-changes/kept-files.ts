// The files of kept changes: those of the project as they will be, and new ones, which have the position 0 until they are published.

import sql from 'sql-template-tag';
import { Invalid } from '#common/errors.ts';
import type { Reader } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { type PreparedFile, tooManyFiles } from '../../core/files/prepare.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { isShown, type Media } from '../../projects/media/media.ts';
import { isAvailableSql, isKeptSql, loadAllMedia, queryMedia } from '../../projects/media/media-rows.ts';
import type { ProjectRow } from '../../projects/project.ts';
import { type Arrange, deleteRows, insertFiles } from '../../projects/writing/files.ts';

/** In their order. `last` is the highest number that there was: files that came since stand behind them. */
export interface FilePlan {
  readonly files: readonly Pick<Media, 'number' | 'alt' | 'focus'>[];
  readonly last: number;
}

/** Without a plan, as they are. */
function follow(plan: FilePlan | undefined, all: readonly Media[]): readonly Media[] {
  if (!plan) return all.filter(isShown);
  const planned = plan.files.flatMap((wanted) => {
    const file = all.find(({ number }) => number === wanted.number);
    return file ? [{ ...file, alt: wanted.alt, focus: wanted.focus }] : [];
  });
  return [...planned, ...all.filter((file) => isShown(file) && file.number > plan.last)];
}

/** For its maker, and for those who read what the maker keeps. */
export async function loadKeptFiles(reader: Reader, project: number, plan: FilePlan | undefined) {
  const isThere = sql`media.project = ${project} and ((${isAvailableSql}) or ${isKeptSql})`;
  const files = (await queryMedia(reader, isThere)).get(project) ?? [];
  return follow(plan, files).map((file, index) => ({ ...file, position: index + 1, isNew: !isShown(file) }));
}

/** New ones that it leaves out are deleted. */
export async function planFiles(
  write: Write,
  project: ProjectRow,
  plan: FilePlan | undefined,
  arrange: Arrange,
): Promise<FilePlan> {
  const all = await loadAllMedia(write.transaction, project.id);
  const before = follow(plan, all).map((file, index) => ({ ...file, position: index + 1 }));
  const files = arrange(before, project);
  const isGone = (one: Media) => !isShown(one) && !files.some(({ number }) => number === one.number);
  const { gone = [], left = [] } = Object.groupBy(all, (file) => (isGone(file) ? 'gone' : 'left'));
  await deleteRows(write, project.contributor, gone);
  return {
    files: files.map(({ number, alt, focus }) => ({ number, alt, focus })),
    last: Math.max(0, ...left.map(({ number }) => number)),
  };
}

/** Behind the others. */
export async function addToPlan(
  write: WriteContext,
  project: ProjectRow,
  plan: FilePlan | undefined,
  prepared: readonly PreparedFile[],
  alts: readonly string[],
): Promise<FilePlan> {
  const { transaction } = write;
  const before = await loadAllMedia(transaction, project.id);
  const planned = follow(plan, before);
  if (planned.length + prepared.length > mediaLimits.files) throw new Invalid({ file: [tooManyFiles] });
  await insertFiles(write, project, prepared, alts, true);
  const all = await loadAllMedia(transaction, project.id);
  const added = all.filter(({ number }) => !before.some((file) => file.number === number));
  return planFiles(write, project, plan, () => [...planned, ...added]);
}

/** As `arrangeFiles` takes them. */
export const followPlan = async (reader: Reader, project: number, plan: FilePlan) =>
  follow(plan, await loadAllMedia(reader, project));

export async function deleteKeptFiles(write: Write, project: number, contributor: number): Promise<void> {
  const all = await loadAllMedia(write.transaction, project);
  await deleteRows(
    write,
    contributor,
    all.filter((file) => !isShown(file)),
  );
}
