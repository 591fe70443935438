import { findSharedPaths, makePrivate } from '#common/private-files.ts';
import { defineCommand, plural, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { createProgressBar } from '../../core/commands/progress-bar.ts';
import { findContributorsWithMissingAvatar } from '../../core/contributors/avatar.ts';
import { listFeatures } from '../../core/feature.ts';
import { defaultFolder } from '../../core/files/open-store.ts';
import { countUnusedFiles, findUsedHashes, graceMs } from '../../core/files/references.ts';
import { removeUnused } from '../../core/files/store.ts';
import type { Gallery } from '../../core/jobs/jobs.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { checkGallery } from '../../projects/check/check.ts';
import { findProjectsWithMissingFiles } from '../../projects/media/media-rows.ts';
import { stripStoredFiles } from '../../projects/writing/strip-files.ts';

const maxShownIds = 20;

function formatIds(ids: readonly number[]): string {
  const rest = ids.length > maxShownIds ? ` and ${ids.length - maxShownIds} more` : '';
  return ids.slice(0, maxShownIds).join(', ') + rest;
}

/** A database on a server and a bucket have no such paths. */
function listPrivatePaths({ database, files }: Settings<'database' | 'files'>): string[] {
  return [database, `${database}-wal`, `${database}-shm`, files || defaultFolder(database)];
}

declare module '../../core/feature.ts' {
  interface Feature {
    /** Sentences about what is wrong. */
    check?(gallery: Gallery): Promise<readonly string[]>;
  }
}

export const checkCommand = defineCommand({
  usage: 'check',
  help: 'Compares derived data with its sources, and files with what refers to them; exit code 1 if something is wrong.',
  examples: ['vitrine check', 'vitrine check --repair'],
  settings: ['database', 'files', 'repair'],
  async run(settings) {
    await using gallery = await openDatabaseAndFiles(settings);
    const { database, files } = gallery;
    const runChecks = async (repair: boolean) => {
      const findings = await checkGallery(database, repair);
      for (const { check } of listFeatures())
        for (const problem of (await check?.(gallery)) ?? []) findings.push({ problem, projects: [] });
      const projects = await findProjectsWithMissingFiles(database, files);
      if (projects.length) findings.push({ problem: 'the bytes of a file are missing', projects });
      const contributors = await findContributorsWithMissingAvatar(database, files);
      if (contributors.length)
        findings.push({
          problem: `the bytes of an avatar are missing, of the contributors ${formatIds(contributors)}`,
          projects: [],
        });
      const unused = await removeUnused(
        files,
        Date.now() - graceMs,
        (names) => findUsedHashes(database, names),
        { isTrial: !repair },
      );
      if (unused)
        findings.push({ problem: `nothing refers to ${plural(unused, 'stored file')}`, projects: [] });
      for (const path of findSharedPaths(listPrivatePaths(settings))) {
        findings.push({ problem: `other users of this machine may open ${path}`, projects: [] });
        if (repair) makePrivate(path);
      }
      return findings;
    };
    const findings = await runChecks(settings.repair);
    for (const { problem, projects } of findings)
      console.log(projects.length ? `${problem}: ${formatIds(projects)}` : problem);
    const unused = await countUnusedFiles(database);
    if (unused)
      printMessage(
        `Nothing refers to ${plural(unused, 'newer file')}: the server deletes what is a day old.`,
      );
    if (findings.length === 0) console.log('All is well.');
    if (findings.length === 0 || !settings.repair) return findings.length ? 1 : 0;
    const remaining = await runChecks(false);
    for (const { problem } of remaining) console.log(`This could not be put right: ${problem}.`);
    if (remaining.length === 0) console.log('Repaired.');
    return remaining.length ? 1 : 0;
  },
});

export const stripFilesCommand = defineCommand({
  usage: 'strip-files',
  help: 'Takes names, places and times out of files that an earlier version stored; exit code 1 if some cannot be read.',
  examples: ['vitrine strip-files'],
  settings: ['database', 'files'],
  async run(settings) {
    await using gallery = await openDatabaseAndFiles(settings);
    using progress = createProgressBar(undefined);
    const { read, changed, unreadable } = await stripStoredFiles(gallery, (done) => progress.show(done));
    progress.end();
    console.log(`${read} files read, ${changed} changed.`);
    if (unreadable.size === 0) return 0;
    const shown = formatIds([...unreadable]);
    console.log(`These projects have files that cannot be read, and stay as they are: ${shown}.`);
    return 1;
  },
});
