import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure, systemReason } from '#common/errors.ts';
import { first, integer, type Reader } from '#sql';
import type { Finding, Inspection } from '#sql/open';
import { plural } from '../../core/commands/command.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { findOwner, nobody } from './origins.ts';
import { type BackupPlace, createFolderPlace, isBucket, openS3Place, timeOfBackup } from './place.ts';
import { describeUnreadable, surveyPlace, unreadableAdvice } from './read-backup.ts';

type BackupSettings = Settings<'backupEvery' | 'backupTo'>;

/** Writes there, as a backup will. Without a reader, it is not known which backups are of this gallery. */
export async function inspectBackups(
  { backupEvery: everyMs, backupTo }: BackupSettings,
  reader: Reader | undefined,
): Promise<Inspection> {
  if (backupTo === '') return { facts: [], findings: [] };
  if (isBucket(backupTo)) return inspectBucket(backupTo, everyMs, reader);
  const folder = resolve(backupTo);
  const place = createFolderPlace(folder);
  const unwritable = findUnwritable(folder, place);
  return unwritable ? { facts: [], findings: [unwritable] } : inspectPlace(place, everyMs, reader);
}

async function inspectBucket(address: string, everyMs: number | undefined, reader: Reader | undefined) {
  try {
    return await inspectPlace(await openS3Place(address), everyMs, reader);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const advice = 'Run doctor with the settings of the server, and look at the bucket and its key.';
    return { facts: [], findings: [{ problem: error.message, advice }] };
  }
}

async function inspectPlace(
  place: BackupPlace,
  everyMs: number | undefined,
  reader: Reader | undefined,
): Promise<Inspection> {
  const { own, unreadable } = await surveyPlace(place, reader ? await findOwner(reader) : nobody);
  const findings: Finding[] = [];
  if (unreadable.length > 0)
    findings.push({ problem: describeUnreadable(place, unreadable), advice: unreadableAdvice });
  if (!reader) return { facts: [], findings };
  const newest = own.at(-1);
  const ageMs = newest === undefined ? undefined : Date.now() - timeOfBackup(newest).getTime();
  if (everyMs !== undefined && Math.min(ageMs ?? Infinity, await findAgeOfGallery(reader)) > 2 * everyMs)
    findings.push({
      problem:
        ageMs === undefined
          ? `There is no finished backup of this gallery in ${place.address}.`
          : `The newest backup in ${place.address} is ${formatAge(ageMs)} old, and --backup-every says one in ${formatAge(everyMs)}.`,
      advice: 'The log of the server says why backups fail: look for "The backup failed".',
    });
  return { facts: ageMs === undefined ? [] : [`the newest is ${formatAge(ageMs)} old`], findings };
}

function findUnwritable(folder: string, { files }: BackupPlace): Finding | undefined {
  const advice =
    'Make the folder for the user of the server. If systemd runs it, name the folder in ReadWritePaths=.';
  if (!existsSync(folder)) return { problem: `There is no folder ${folder} for the backups.`, advice };
  const probes = {
    [folder]: () => rmdirSync(mkdtempSync(join(folder, '.probe-'))),
    [join(folder, 'files')]: () => files.requireWritable?.(),
  };
  for (const [path, probe] of Object.entries(probes))
    try {
      probe();
    } catch (error) {
      return { problem: `The backups in ${path} cannot be written: ${systemReason(error)}.`, advice };
    }
  return undefined;
}

/** Since its first change, in milliseconds. */
async function findAgeOfGallery(reader: Reader): Promise<number> {
  const oldest = await first(reader, { at: integer() })`from change order by sequence limit 1`;
  return oldest ? Date.now() - oldest.at / 1000 : 0;
}

const minuteMs = 60_000;

function formatAge(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day');
}
