// Deletion in the background: by one of several processes, so much at a time, and without a look at everything.

import { expect, test } from 'bun:test';
import sql, { join } from 'sql-template-tag';
import { count } from '#sql';
import { expectReference } from '../../src/core/files/references.ts';
import type { FileStore } from '../../src/core/files/store.ts';
import { addDays, now } from '../../src/core/instant.ts';
import { addJobs, doJobs } from '../../src/core/jobs/jobs.ts';
import { doDueJobs, doTasks } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { refusalOf, waitFor } from '../support/waiting.ts';

const gallery = dump(adasLine, project(1), project(2));
const day = 24 * 3600_000;

/** A store that cannot be listed, with what was removed; all files are old. */
function watchFiles(files: FileStore): { readonly files: FileStore; readonly removed: string[] } {
  const removed: string[] = [];
  const watched = Object.create(files) as FileStore;
  watched.listOld = () => {
    throw new Error('nothing lists the store');
  };
  watched.removeOld = (name) => {
    removed.push(name);
    return files.removeOld(name, Date.now() + day);
  };
  return { files: watched, removed };
}

const nameOf = (number: number) => number.toString(16).padStart(64, '0');

const addUnusedFiles = ({ database }: Site, files: number) =>
  database.transaction(async (transaction) => {
    const rows = Array.from({ length: files }, (_, number) => sql`(${nameOf(number)})`);
    await addJobs(
      transaction,
      'unused_file',
      sql`select column1 as name from (values ${join(rows)}) as names`,
    );
  });

const countWaiting = ({ database }: Site) => count(database, sql`from job where kind = 'unused_file'`);

onBothDatabases((kind) => {
  test('a file that no row refers to a day later is deleted, and the store is never listed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const { files, removed } = watchFiles(site.files);
    const form = new FormData();
    form.append('file', new File(['abc'], 'a.txt'));
    expect((await ada.request('POST', '/api/v1/projects/1/media/', form)).status).toBe(201);
    // As if the process had been killed between the bytes and the row.
    const lost = nameOf(1);
    await expectReference(site.database, [lost]);
    await site.files.put(lost, new Uint8Array([1]));

    await doDueJobs({ database: site.database, files });
    expect([removed, await countWaiting(site)]).toEqual([[], 2]);
    await makeJobsDue(site);
    await doDueJobs({ database: site.database, files });
    expect([removed, await site.files.size(lost), await countWaiting(site)]).toEqual([[lost], undefined, 0]);
  });

  test('two processes share what is due, each thing is done once, and a run ends after a thousand', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const other = await siteAt(site.address);
    await addUnusedFiles(site, 1040);
    const stores = [watchFiles(site.files), watchFiles(other.files)];
    await doDueJobs({ database: site.database, files: watchFiles(site.files).files });
    expect(await countWaiting(site)).toBe(40);
    await Promise.all(
      [site, other].map(({ database }, index) =>
        doDueJobs({ database, files: stores[index]?.files ?? site.files }),
      ),
    );
    const removed = stores.flatMap((store) => store.removed);
    expect([removed.length, new Set(removed).size, await countWaiting(site)]).toEqual([40, 40, 0]);
  });

  test('what a process had begun when it was killed is done by another one, and what fails is tried later', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await addUnusedFiles(site, 2);
    const { files, removed } = watchFiles(site.files);
    // It never comes back.
    const killed = doJobs(site.database, 'unused_file', () => new Promise<never>(() => {}), { maxJobs: 1 });
    await waitFor(() => count(site.database, sql`from job where held_by <> ''`));
    await doDueJobs({ database: site.database, files });
    expect([removed.length, await countWaiting(site)]).toEqual([1, 1]);
    await makeJobsDue(site);
    const fail = async () => {
      throw new Error('the bucket does not answer');
    };
    expect(await refusalOf(doJobs(site.database, 'unused_file', fail))).toContain('the bucket');
    await doDueJobs({ database: site.database, files });
    expect([removed.length, await countWaiting(site)]).toEqual([1, 1]);
    await makeJobsDue(site);
    await doDueJobs({ database: site.database, files });
    expect([removed.length, await countWaiting(site)]).toEqual([2, 0]);
    void killed;
  });

  test('the trash is emptied by one of two processes, and not again within five minutes', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const other = await siteAt(site.address);
    const ada = await person(site, 'ada');
    const trash = async (id: number) => {
      await ada.delete(`/api/v1/projects/${id}/`);
      await site.database.transaction((transaction) =>
        transaction.run(sql`update project set trashed = ${addDays(now(), -31)} where trashed is not null`),
      );
    };
    const erased = () => count(site.database, sql`from change where action = 'erased'`);
    const logError = (error: unknown) => {
      throw error;
    };
    await trash(1);
    await Promise.all([site, other].map(({ database }) => doTasks(database, logError)));
    expect(await erased()).toBe(1);
    await trash(2);
    await doTasks(other.database, logError);
    expect(await erased()).toBe(1);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update job set finished = finished - 301000000 where name = 'trash'`),
    );
    await doTasks(other.database, logError);
    expect(await erased()).toBe(2);
  });
});
