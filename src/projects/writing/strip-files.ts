// Takes out of stored files what they tell about people. Files that were stored by an earlier version may tell more than those of
// today. New bytes have a new name: nobody gets the old ones any more, and they are deleted.

import sql, { join } from 'sql-template-tag';
import { InvalidValue } from '#common/inputs.ts';
import { all, type Database, execute, integer, pick, text } from '#sql';
import { transact } from '../../core/changes/transact.ts';
import { adjustFileUsage } from '../../core/changes/usage.ts';
import { chunks } from '../../core/chunks.ts';
import { hashFile } from '../../core/files/prepare.ts';
import { expectReference } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import type { MediaType } from '../../core/files/stored-files.ts';
import { stripMetadata } from '../../core/files/strip.ts';
import { addJobs } from '../../core/jobs/jobs.ts';
import { mediaSizeTable } from '../tables.ts';
import { lockProjects } from './store.ts';
import { nextVersionSql } from './version.ts';

const filesAtATime = 100;
const projectsAtATime = 100;

const fileColumns = {
  hash: text(sql`media_size.hash`),
  type: text(sql`min(media.type)`).narrow<MediaType>(),
  bytes: integer(sql`min(media_size.bytes)`),
};
const projectColumn = { project: integer(sql`distinct project`) };
const sizeColumns = pick(mediaSizeTable.columns, 'project', 'bytes');

interface StrippedFiles {
  read: number;
  changed: number;
  /** Projects with files that cannot be read: they stay as they are. */
  readonly unreadable: Set<number>;
}

interface Gallery {
  readonly database: Database;
  readonly files: FileStore;
}

/** A file that was stripped stays as it is, so that a run that was interrupted can be started again. */
export async function stripStoredFiles(
  gallery: Gallery,
  report: (read: number) => void,
): Promise<StrippedFiles> {
  const outcome: StrippedFiles = { read: 0, changed: 0, unreadable: new Set() };
  for (let after = ''; ; ) {
    const files = await all(gallery.database, fileColumns)`from media_size
      join media on media.project = media_size.project and media.number = media_size.number
      where media_size.hash > ${after} group by media_size.hash order by media_size.hash limit ${filesAtATime}`;
    for (const file of files) {
      const isChanged = await stripStoredFile(gallery, file);
      if (isChanged) outcome.changed += 1;
      if (isChanged === undefined)
        for (const id of await findProjects(gallery.database, file.hash)) outcome.unreadable.add(id);
      report(++outcome.read);
      after = file.hash;
    }
    if (files.length < filesAtATime) return outcome;
  }
}

/** Whether it changed; undefined if it cannot be read. */
async function stripStoredFile(
  { database, files }: Gallery,
  { hash, type, bytes: length }: { hash: string; type: MediaType; bytes: number },
): Promise<boolean | undefined> {
  if ((await files.size(hash)) !== length) return undefined;
  try {
    const { bytes } = await stripMetadata({ type, bytes: await files.read(hash, 0, length) }, null);
    const stripped = await hashFile(bytes);
    if (stripped === hash) return false;
    await expectReference(database, [stripped]);
    await files.put(stripped, bytes);
    await replaceFile(database, hash, { hash: stripped, bytes: bytes.length });
    return true;
  } catch (error) {
    if (error instanceof InvalidValue) return undefined;
    throw error;
  }
}

const findProjects = async (database: Database, hash: string): Promise<number[]> =>
  (await all(database, projectColumn)`from media_size where hash = ${hash} order by project`).map(
    ({ project }) => project,
  );

/** In all projects that have it. */
async function replaceFile(
  database: Database,
  hash: string,
  stripped: { readonly hash: string; readonly bytes: number },
): Promise<void> {
  for (const ids of chunks(await findProjects(database, hash), projectsAtATime))
    await transact(database, null, async ({ transaction, changeSet }) => {
      const projects = await lockProjects(transaction, sql`id in (${join(ids)})`);
      const sizes = await all(transaction, sizeColumns)`from media_size
        where hash = ${hash} and project in (${join(ids)})`;
      await addJobs(transaction, 'unused_file', sql`select ${hash} as name`);
      await execute(transaction)`update media_size set hash = ${stripped.hash}, bytes = ${stripped.bytes}
        where hash = ${hash} and project in (${join(ids)})`;
      await execute(transaction)`update project set record_modified = ${nextVersionSql(changeSet.at)}
        where id in (${join(ids)})`;
      for (const { id, contributor } of projects) {
        for (const { project, bytes } of sizes)
          if (project === id) adjustFileUsage(changeSet, contributor, stripped.bytes - bytes);
        changeSet.add({ kind: 'media', action: 'removed', subject: id });
      }
    });
}
