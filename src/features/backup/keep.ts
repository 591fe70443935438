// Which backups stay: the newest of each hour, day, week or month, for so many of them. Then the files that no backup
// needs any more are deleted.

import { removeUnused } from '../../core/files/store.ts';
import type { MadeBackup } from './make-backup.ts';
import { fileNames } from './manifest.ts';
import { type BackupPlace, timeOfBackup } from './place.ts';
import { isShared, readList, readManifest, surveyPlace } from './read-backup.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The first Monday after 1970 began. */
const firstMonday = 4 * dayMs;

/** The number of the hour, day, week or month that a time is in, in UTC. */
const periods = {
  h: (time: Date) => Math.floor(time.getTime() / hourMs),
  d: (time: Date) => Math.floor(time.getTime() / dayMs),
  w: (time: Date) => Math.floor((time.getTime() - firstMonday) / (7 * dayMs)),
  m: (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth(),
};

type KeepRule = readonly { readonly unit: keyof typeof periods; readonly count: number }[];

function chooseKept(backups: readonly string[], rule: KeepRule): Set<string> {
  const newestFirst = backups.toSorted().reverse();
  const kept = new Set<string>();
  for (const { unit, count } of rule) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periods[unit](timeOfBackup(backup));
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return kept;
}

/** Returns a sentence if a damaged backup kept files from being deleted. Those of other galleries stay, with all files. */
export async function deleteOldBackups(
  place: BackupPlace,
  rule: KeepRule,
  { backup: newest, manifest: owner }: MadeBackup,
): Promise<string | undefined> {
  const { own } = await surveyPlace(place, owner);
  const kept = chooseKept(own, rule).add(newest);
  for (const backup of own) if (!kept.has(backup)) await place.remove(backup);
  if (isShared(await surveyPlace(place, owner))) return undefined;
  const used = new Set<string>();
  for (const backup of await place.list()) {
    const read = await readManifest(place, backup);
    if (!read) continue;
    const list = await readList(place, backup);
    // A manifest of a later version does not say what the list must be.
    const isWhole = typeof read.manifest === 'string' || list?.sha256 === read.manifest.list_sha256;
    if (!list?.isIntact || !isWhole)
      return `${backup}/${fileNames.list} is missing or damaged, so files that no backup needs are not deleted: delete this backup.`;
    for (const name of list.names) used.add(name);
  }
  await removeUnused(place.files, Date.now(), async () => used);
  return undefined;
}
