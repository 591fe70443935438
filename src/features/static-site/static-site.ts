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
import { OperatorError } from '#common/errors.ts';
import { privateFolderMode } from '#common/private-files.ts';
import type { Database } from '#sql';
import type { OpenOwnApp } from '../../core/commands/own-app.ts';
import type { PhaseProgress } from '../../core/commands/progress-bar.ts';
import type { FileStore } from '../../core/files/store.ts';
import { openGallery } from '../../core/open-gallery.ts';
import { toFile } from './addresses.ts';
import { Checkpoint } from './checkpoint.ts';
import { copyForVisitors } from './gallery-copy.ts';
import { StaticSiteMaker } from './make-site.ts';
import { writeOwnFiles } from './own-files.ts';
import { writeWarc } from './warc.ts';

export interface StaticSiteJob {
  readonly folder: string;
  readonly origin: string;
  readonly withLookedAfter: boolean;
  /** The path of a web archive; empty for none. */
  readonly warc: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: PhaseProgress;
  readonly openSource: () => Promise<{ readonly database: Database } & AsyncDisposable>;
  readonly files: FileStore;
  readonly openApp: OpenOwnApp;
}

export interface StaticSiteResult {
  readonly files: number;
  readonly projects: number;
  readonly missing: readonly { readonly url: string; readonly problem: string }[];
  /** Why there is no search. */
  readonly searchProblem?: string | undefined;
}

const sumsFile = 'SHA256SUMS';

export async function makeStaticSite(job: StaticSiteJob): Promise<StaticSiteResult> {
  const { folder, origin, withLookedAfter, warc, files } = job;
  const work = `${folder.replace(/\/+$/, '')}.unfinished`;
  if (warc && !existsSync(dirname(warc)))
    throw new OperatorError(`There is no folder ${dirname(warc)} for the web archive.`);
  takeFolder(folder);
  mkdirSync(work, { recursive: true, mode: privateFolderMode });
  const copy = join(work, 'gallery.sqlite');
  const checkpoint = new Checkpoint(join(work, 'checkpoint.sqlite'));
  try {
    const purpose = `${origin}${withLookedAfter ? ' with projects of accounts that classes look after' : ''}`;
    const earlierPurpose = checkpoint.setting('purpose', purpose);
    if (earlierPurpose !== purpose)
      throw new OperatorError(
        `${work} was begun for ${earlierPurpose}: repeat that command, or delete this folder to begin again.`,
      );
    if (!checkpoint.has('archived')) {
      for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
      await using source = await job.openSource();
      await copyForVisitors(source.database, copy, job);
    }
    const archived = new Date(checkpoint.setting('archived', new Date().toISOString()));
    const database = await openGallery(copy, undefined, { mustExist: true });
    try {
      const report = (done: number, total: number) => job.progress('Making the pages.', done, total);
      const options = { ...job, database, files, checkpoint, archived, report };
      const site = await StaticSiteMaker.open(options);
      await site.make();
      job.progress('Making search, sums and what hosts need.', 0);
      const searchProblem = await writeOwnFiles(site);
      writeSums(folder, checkpoint);
      removeOthers(folder, checkpoint);
      if (warc) await writeWarc(warc, checkpoint.written(), { folder, origin, archived });
      const missing = checkpoint.missing();
      const result = {
        files: checkpoint.countWritten(),
        projects: checkpoint.projectCount,
        missing,
        searchProblem,
      };
      rmSync(work, { recursive: true });
      return result;
    } finally {
      await database.close();
    }
  } finally {
    checkpoint.close();
  }
}

/** Marks a folder as ours: all else in it is removed. */
const markFile = '.vitrine-static';

/** Nothing is written into a folder with files of others. */
function takeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, markFile)) && readdirSync(folder).length > 0)
    throw new OperatorError(
      `The folder ${folder} has other files: give an empty one, or one that does not exist.`,
    );
  writeFileSync(
    join(folder, markFile),
    'vitrine static makes this folder, and removes what it has not made.\n',
  );
}

function writeSums(folder: string, checkpoint: Checkpoint): void {
  const list = openSync(join(folder, sumsFile), 'w');
  try {
    checkpoint.transact(() => {
      for (const { address, sha256 } of checkpoint.written()) {
        const file = toFile(address);
        checkpoint.addFile(file);
        writeSync(list, `${sha256}  ${file}\n`);
      }
    });
  } finally {
    closeSync(list);
  }
}

/** Files of an earlier run, and of projects that are no longer public. Links are not followed out of the folder. */
function removeOthers(folder: string, checkpoint: Checkpoint, below = ''): void {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const file = join(below, entry.name);
    if (entry.isDirectory()) {
      removeOthers(folder, checkpoint, file);
      if (readdirSync(join(folder, file)).length === 0) rmdirSync(join(folder, file));
    } else if (![markFile, sumsFile].includes(file) && !checkpoint.hasFile(file))
      unlinkSync(join(folder, file));
  }
}
