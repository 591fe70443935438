// What people do to the files of a project. A change of its files is a change of the project: it is asked for, versioned
// and logged as one.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { changing, type Fits, touched, untouched, type WriteContext } from '../projects/change.ts';
import type { Project } from '../projects/project.ts';
import type { Stored } from '../projects/stored.ts';
import { limits, type Media } from './media.ts';
import { type Prepared, tooMany } from './prepare.ts';
import { insertMedia, ownMedia } from './rows.ts';

/** Adds files behind those that are there; the first text tells of the first file, and so on. */
export async function attach(
  write: WriteContext,
  id: number,
  fits: Fits,
  prepared: readonly Prepared[],
  alts: readonly string[] = [],
): Promise<Project> {
  const before = await changing(write, id, fits);
  await add(write.transaction, before, prepared, alts);
  return touched(write, before);
}

/** The same to a project that the transaction has just made. */
export async function add(
  transaction: Transaction,
  project: Pick<Stored, 'id' | 'content_type'>,
  prepared: readonly Prepared[],
  alts: readonly string[],
): Promise<void> {
  // A form sends its empty fields too.
  if (alts.findLastIndex((alt) => alt !== '') >= prepared.length)
    throw new Invalid({ alt: ['There are more texts than files.'] });
  if (prepared.length === 0) return;
  if (project.content_type === 'comment') throw new Invalid({ file: ['A comment has no files.'] });
  const present = await ownMedia(transaction, project.id);
  if (present.length + prepared.length > limits.files) throw new Invalid({ file: [tooMany] });
  const number = Math.max(0, ...present.map((media) => media.number));
  const media = prepared.map<Media>(({ type, name, sizes }, index) => ({
    ...{ project: project.id, number: number + index + 1, position: present.length + index + 1 },
    ...{ type, name, alt: alts[index] ?? '', sizes },
  }));
  await insertMedia(transaction, media);
}

interface MediaValues {
  readonly alt?: string;
  readonly position?: number;
}

/** Only what is given changes; the others make room. `read` gives it once it is known that the reader may. */
export async function changeMedia(
  write: WriteContext,
  id: number,
  number: number,
  fits: Fits,
  read: () => MediaValues,
): Promise<Project> {
  const { transaction } = write;
  const before = await changing(write, id, fits);
  const media = await ownMedia(transaction, id);
  const one = named(media, number);
  const { alt = one.alt, position = one.position } = read();
  if (position > media.length)
    throw new Invalid({ position: [`Ensure this value is less than or equal to ${media.length}.`] });
  if (alt === one.alt && position === one.position) return untouched(write, before);
  await transaction.run(sql`update media set alt = ${alt} where project = ${id} and number = ${number}`);
  const others = media.filter((each) => each !== one);
  await stand(transaction, [...others.slice(0, position - 1), one, ...others.slice(position - 1)]);
  return touched(write, before);
}

export async function detach(write: WriteContext, id: number, number: number, fits: Fits): Promise<Project> {
  const { transaction } = write;
  const before = await changing(write, id, fits);
  const media = await ownMedia(transaction, id);
  const one = named(media, number);
  for (const table of [sql`media_size`, sql`media`])
    await transaction.run(sql`delete from ${table} where project = ${id} and number = ${number}`);
  await stand(
    transaction,
    media.filter((each) => each !== one),
  );
  return touched(write, before);
}

function named(media: readonly Media[], number: number): Media {
  const one = media.find((each) => each.number === number);
  if (!one) throw new NotFound();
  return one;
}

async function stand(transaction: Transaction, media: readonly Media[]): Promise<void> {
  for (const [index, { project, number, position }] of media.entries()) {
    if (position !== index + 1)
      await transaction.run(
        sql`update media set position = ${index + 1} where project = ${project} and number = ${number}`,
      );
  }
}
