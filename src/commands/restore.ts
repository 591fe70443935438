import { findBackup } from '../backup/open.ts';
import { restoreBackup } from '../backup/restore.ts';
import { OperatorError } from '../errors.ts';
import { requireEmpty } from '../gallery/dump/import.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { verify } from './verify.ts';

const settingNames = ['database', 'files', 'publicKey'] as const;

export const restoreCommand: Command = {
  usage: 'restore BACKUP',
  help: 'Verifies a backup, or the newest one of a folder or bucket, and restores it into an empty database with its files.',
  settings: settingNames,
  async run(args, environment) {
    const { settings, operands } = readSettings(settingNames, args, environment);
    const [address, ...extra] = operands;
    if (!address || extra.length)
      throw new OperatorError('restore needs one backup, or the place of backups.');
    const found = await findBackup(address);
    const { database, files } = await openDatabaseAndFiles(settings);
    try {
      await requireEmpty(database);
      const verified = await verify(found, settings);
      if (!verified) {
        console.log('Nothing was restored.');
        return 1;
      }
      await restoreBackup({ database, files }, found, verified);
      console.log('It is restored.');
      return 0;
    } finally {
      await database.close();
    }
  },
};
