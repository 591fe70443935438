import { deleteOldBackups } from '../backup/keep.ts';
import { makeBackup } from '../backup/make.ts';
import { openPlace } from '../backup/open.ts';
import { readPrivateKey } from '../backup/signature.ts';
import { OperatorError } from '../errors.ts';
import { estimateLineCount } from '../gallery/dump/export.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { describeContent, describeMissing } from './describe-backup.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

const settingNames = ['database', 'files', 'signWith', 'keep'] as const;

export const backupCommand: Command = {
  usage: 'backup FOLDER',
  help: 'Adds a backup of database and files to the folder, also while a server runs.',
  settings: settingNames,
  async run(args, environment) {
    const { settings, operands } = readSettings(settingNames, args, environment);
    const [address, ...extra] = operands;
    if (!address || extra.length) throw new OperatorError('backup needs one folder.');
    const privateKey = settings.signWith ? readPrivateKey(settings.signWith) : undefined;
    const place = await openPlace(address);
    const { database, files } = await openDatabaseAndFiles(settings);
    try {
      const progress = createProgressBar(await estimateLineCount(database));
      const options = { privateKey, progress: progress.show };
      const { backup, manifest, copied } = await makeBackup({ database, files }, place, options).finally(
        progress.end,
      );
      console.log(
        `${place.address}/${backup}: ${describeContent(manifest)}; ${copied} of its files are new there.`,
      );
      const problem = settings.keep.length ? await deleteOldBackups(place, settings.keep, backup) : undefined;
      for (const sentence of [...describeMissing(manifest), ...(problem ? [problem] : [])])
        process.stderr.write(`${sentence}\n`);
    } finally {
      await database.close();
    }
    return 0;
  },
};
