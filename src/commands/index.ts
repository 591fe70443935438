// The commands, one file each.

import { backupCommand, backupKeyCommand, restoreCommand, verifyCommand } from './backup.ts';
import { changesCommand } from './changes.ts';
import { checkCommand, stripFilesCommand } from './check.ts';
import type { Command } from './command.ts';
import { completionsCommand } from './completions.ts';
import { copyCommand } from './copy.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand, mailTestCommand } from './doctor.ts';
import { exportCommand, importCommand } from './export-import.ts';
import { introduction, manualCommand, type Program } from './help.ts';
import { importTableCommand } from './import-table.ts';
import { keyCommand } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { publicDumpCommand } from './public-dump.ts';
import { serveCommand } from './serve.ts';
import { setupCommand } from './setup.ts';
import { siteCommand } from './site.ts';
import { staticCommand } from './static.ts';
import { userCommand } from './user.ts';
import { versionCommand } from './version.ts';
import { webhookCommand } from './webhook.ts';

const commands: Record<string, Command> = {
  serve: serveCommand,
  setup: setupCommand,
  import: importCommand,
  'import-table': importTableCommand,
  export: exportCommand,
  backup: backupCommand,
  'backup-key': backupKeyCommand,
  verify: verifyCommand,
  restore: restoreCommand,
  'public-dump': publicDumpCommand,
  static: staticCommand,
  changes: changesCommand,
  copy: copyCommand,
  migrate: migrateCommand,
  check: checkCommand,
  'strip-files': stripFilesCommand,
  doctor: doctorCommand,
  'mail-test': mailTestCommand,
  user: userCommand,
  key: keyCommand,
  webhook: webhookCommand,
  site: siteCommand,
  version: versionCommand,
  demo: demoCommand,
};
commands.completions = completionsCommand(commands);
commands.man = manualCommand(commands);

export const vitrine: Program = { name: 'vitrine', introduction, commands };
