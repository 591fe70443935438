import { createKeyFiles } from '../import-export/backup/signature.ts';
import { defineCommand, printMessage } from './command.ts';

export const backupKeyCommand = defineCommand({
  usage: 'backup-key FILE',
  help: 'Makes a key that signs backups, and its public key in FILE.pub, which verifies them.',
  examples: ['vitrine backup-key backup.key'],
  settings: [],
  operand: 'one file, for the private key',
  async run(_, file) {
    const { publicPath } = createKeyFiles(file);
    printMessage(
      `${file} signs backups: keep it secret. ${publicPath} verifies them: keep it elsewhere, too.`,
    );
    return 0;
  },
});
