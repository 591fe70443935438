import { createKeyFiles } from '../backup/signature.ts';
import { OperatorError } from '../errors.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { printMessage } from './user.ts';

export const backupKeyCommand: Command = {
  usage: 'backup-key FILE',
  help: 'Makes a key that signs backups, and its public key in FILE.pub, which verifies them.',
  settings: [],
  async run(args, environment) {
    const { operands } = readSettings([], args, environment);
    const [file, ...extra] = operands;
    if (!file || extra.length) throw new OperatorError('backup-key needs one file, for the private key.');
    const { publicPath } = createKeyFiles(file);
    printMessage(
      `${file} signs backups: keep it secret. ${publicPath} verifies them: keep it elsewhere, too.`,
    );
    return 0;
  },
};
