// The commands, one file each.

import { backupCommand } from './backup.ts';
import { backupKeyCommand } from './backup-key.ts';
import { checkCommand } from './check.ts';
import type { Command } from './command.ts';
import { completionsCommand } from './completions.ts';
import { copyCommand } from './copy.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { introduction, type Program } from './help.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { mailTestCommand } from './mail-test.ts';
import { manualCommand } from './manual.ts';
import { publicDumpCommand } from './public-dump.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { siteCommand } from './site.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';
import { webhookCommand } from './webhook.ts';

const commands: Record<string, Command> = {
  serve: serveCommand,
  import: importCommand,
  export: exportCommand,
  backup: backupCommand,
  'backup-key': backupKeyCommand,
  verify: verifyCommand,
  restore: restoreCommand,
  'public-dump': publicDumpCommand,
  copy: copyCommand,
  check: checkCommand,
  doctor: doctorCommand,
  'mail-test': mailTestCommand,
  user: userCommand,
  key: keyCommand,
  webhook: webhookCommand,
  site: siteCommand,
};
commands.completions = completionsCommand(commands);
commands.man = manualCommand(commands);

export const vitrine: Program = { name: 'vitrine', introduction, commands };
