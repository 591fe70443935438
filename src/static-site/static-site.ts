// Makes the folder from begin to end: a private copy of the gallery, the pages, what the gallery does not have, and the sums.
// The copy and the progress are beside the folder until it is finished, never in it.

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../common/errors.ts';
import { privateFolderMode } from '../common/private-files.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { openGallery } from '../gallery/open.ts';
import type { CopyProgress } from '../import-export/copy/copy.ts';
import { toFile } from './addresses.ts';
import { copyForVisitors } from './gallery-copy.ts';
import { StaticSiteMaker } from './make.ts';
import { writeOwnFiles } from './own-files.ts';
import { Progress } from './progress.ts';
import { writeWarc } from './warc.ts';

export interface StaticSiteJob {
  readonly folder: string;
  readonly origin: string;
  readonly withLookedAfter: boolean;
  /** The path of a web archive; empty for none. */
  readonly warc: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: CopyProgress;
  readonly openSource: () => Promise<{ readonly database: Database } & AsyncDisposable>;
  readonly files: FileStore;
}

export interface StaticSiteResult {
  readonly files: number;
  readonly projects: number;
  readonly missing: readonly { readonly url: string; readonly problem: string }[];
  /** Why there is no search. */
  readonly searchProblem?: string | undefined;
}

const sums = 'SHA256SUMS';

export async function makeStaticSite(job: StaticSiteJob): Promise<StaticSiteResult> {
  const { folder, origin, withLookedAfter, warc, files } = job;
  const work = `${folder.replace(/\/+$/, '')}.unfinished`;
  if (warc && !existsSync(dirname(warc)))
    throw new OperatorError(`There is no folder ${dirname(warc)} for the web archive.`);
  takeFolder(folder);
  mkdirSync(work, { recursive: true, mode: privateFolderMode });
  const copy = join(work, 'gallery.sqlite');
  const progress = new Progress(join(work, 'progress.sqlite'));
  try {
    const wanted = `${origin}${withLookedAfter ? ' with works of accounts that classes look after' : ''}`;
    const begun = progress.setting('wanted', wanted);
    if (begun !== wanted)
      throw new OperatorError(
        `${work} was begun for ${begun}: repeat that command, or delete this folder to begin again.`,
      );
    if (!progress.has('archived')) {
      for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
      await using source = await job.openSource();
      await copyForVisitors(source.database, copy, job);
    }
    const archived = new Date(progress.setting('archived', new Date().toISOString()));
    const database = await openGallery(copy, undefined, { mustExist: true });
    try {
      const report = (done: number, total: number) => job.progress('Making the pages.', done, total);
      const options = { ...job, database, files, progress, archived, report };
      const site = await StaticSiteMaker.open(options);
      await site.make();
      job.progress('Making search, sums and what hosts need.', 0);
      const searchProblem = await writeOwnFiles(site);
      writeSums(folder, progress);
      removeOthers(folder, progress);
      if (warc) await writeWarc(warc, progress.written(), { folder, origin, archived });
      const missing = progress.missing();
      const result = {
        files: progress.countWritten(),
        projects: progress.projectCount,
        missing,
        searchProblem,
      };
      rmSync(work, { recursive: true });
      return result;
    } finally {
      await database.close();
    }
  } finally {
    progress.close();
  }
}

/** Marks a folder as ours: all else in it is removed. */
const mark = '.vitrine-static';

/** Nothing is written into a folder with files of others. */
function takeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, mark)) && readdirSync(folder).length > 0)
    throw new OperatorError(
      `The folder ${folder} has other files: give an empty one, or one that does not exist.`,
    );
  writeFileSync(join(folder, mark), 'vitrine static makes this folder, and removes what it has not made.\n');
}

function writeSums(folder: string, progress: Progress): void {
  const list = openSync(join(folder, sums), 'w');
  try {
    progress.transact(() => {
      for (const { address, sha256 } of progress.written()) {
        const file = toFile(address);
        progress.addFile(file);
        writeSync(list, `${sha256}  ${file}\n`);
      }
    });
  } finally {
    closeSync(list);
  }
}

/** What an earlier run has made, and what is no longer public. Nothing outside of the folder: links are not followed. */
function removeOthers(folder: string, progress: Progress, below = ''): void {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const file = join(below, entry.name);
    if (entry.isDirectory()) {
      removeOthers(folder, progress, file);
      if (readdirSync(join(folder, file)).length === 0) rmdirSync(join(folder, file));
    } else if (![mark, sums].includes(file) && !progress.hasFile(file)) unlinkSync(join(folder, file));
  }
}
