import { findBackup } from '../import-export/backup/open.ts';
import { restoreBackup } from '../import-export/backup/restore.ts';
import { requireEmpty } from '../import-export/dump/import.ts';
import { defineCommand } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { oneBackup, verify } from './verify.ts';

export const restoreCommand = defineCommand({
  usage: 'restore BACKUP',
  help: 'Verifies a backup, or the newest one of a folder or bucket, and restores it into an empty database with its files.',
  examples: ['vitrine restore /mnt/backups --database new.sqlite'],
  settings: ['database', 'files', 'publicKey'],
  operand: oneBackup,
  async run(settings, address) {
    const found = await findBackup(address);
    await using gallery = await openDatabaseAndFiles(settings);
    await requireEmpty(gallery.database);
    const verified = await verify(found, settings);
    if (!verified) {
      console.log('Nothing was restored.');
      return 1;
    }
    await restoreBackup(gallery, found, verified);
    console.log('It is restored.');
    return 0;
  },
});
