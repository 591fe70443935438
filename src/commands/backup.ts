import { OperatorError } from '../common/errors.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { runJob } from '../gallery/scheduled-jobs.ts';
import { deleteOldBackups } from '../import-export/backup/keep.ts';
import { makeBackup } from '../import-export/backup/make.ts';
import { openPlace } from '../import-export/backup/open.ts';
import type { BackupPlace } from '../import-export/backup/place.ts';
import { readPrivateKey } from '../import-export/backup/signature.ts';
import { estimateLineCount } from '../import-export/dump/export.ts';
import type { Settings } from '../settings/settings.ts';
import { defineCommand } from './command.ts';
import { describeContent, describeMissing } from './describe-backup.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

/** The name of the job: two processes never write to one place at the same time. */
export const backupJob = (address: string): string => `backup to ${address}`;

export const backupCommand = defineCommand({
  usage: 'backup FOLDER|URL',
  help: 'Adds a backup of database and files to the folder or bucket, also while a server runs.',
  examples: [
    'vitrine backup /mnt/backups --sign-with backup.key --keep 7d,4w,12m',
    "vitrine backup 's3://bucket/folder?region=eu-1' --unless-newer 1h",
  ],
  settings: ['database', 'files', 'signWith', 'keep', 'unlessNewer'],
  operand: 'one folder or bucket',
  async run(settings, address) {
    const privateKey = settings.signWith ? readPrivateKey(settings.signWith) : undefined;
    const place = await openPlace(address);
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    using progress = createProgressBar(await estimateLineCount(database));
    const outcome = await runJob(database, backupJob(place.address), settings.unlessNewer ?? 0, (confirm) =>
      backUp(gallery, place, settings.keep, { privateKey, confirm, progress: progress.show }),
    );
    progress.end();
    if (outcome === 'running' && settings.unlessNewer === undefined)
      throw new OperatorError(
        'Another process makes a backup there, or was killed some seconds ago. Try again in half a minute.',
      );
    if (outcome === 'running') console.log('Another process makes a backup there.');
    else if (outcome === 'recent') console.log('There is a newer backup.');
    else for (const sentence of outcome) console.log(sentence);
    return 0;
  },
});

/** Returns sentences about what was made. */
async function backUp(
  gallery: { database: Database; files: FileStore },
  place: BackupPlace,
  keep: Settings<'keep'>['keep'],
  options: Parameters<typeof makeBackup>[2],
): Promise<string[]> {
  const made = await makeBackup(gallery, place, options);
  const { backup, manifest, copied } = made;
  const problem = keep.length ? await deleteOldBackups(place, keep, made) : undefined;
  const sentence = `${place.addressOf(backup)}: ${describeContent(manifest)}; ${copied} of its files are new there.`;
  return [sentence, ...describeMissing(manifest), ...(problem ? [problem] : [])];
}
