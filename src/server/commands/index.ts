// The commands, one file each.

import type { Command } from '../../core/commands/command.ts';
import type { OpenOwnApp } from '../../core/commands/own-app.ts';
import { withAdded } from '../../core/feature.ts';
import { features } from '../../features/index.ts';
import { copyCommand } from '../copy-database/command.ts';
import { checkCommand, stripFilesCommand } from './check.ts';
import { completionsCommand } from './completions.ts';
import { doctorCommand } from './doctor.ts';
import { featuresCommand } from './features.ts';
import { introduction, manualCommand, type Program } from './help.ts';
import { migrateCommand } from './migrate.ts';
import { noticesCommand } from './notices.ts';
import { rotateSecretsCommand } from './rotate-secrets.ts';
import { serveCommand } from './serve.ts';
import { versionCommand } from './version.ts';

const ownCommands: Record<string, Command> = {
  serve: serveCommand,
  copy: copyCommand,
  migrate: migrateCommand,
  check: checkCommand,
  'strip-files': stripFilesCommand,
  'rotate-secrets': rotateSecretsCommand,
  doctor: doctorCommand,
  features: featuresCommand,
  version: versionCommand,
  notices: noticesCommand,
};
declare module '../../core/feature.ts' {
  interface Feature {
    /** Each stands before or behind another one. */
    readonly commands?: readonly (Place & {
      readonly name: string;
      /** Or makes it, for one that asks the gallery's own server. */
      readonly command: Command | ((openApp: OpenOwnApp) => Command);
    })[];
  }
}

const openOwnApp: OpenOwnApp = async (...given) => (await import('../own-app.ts')).openOwnApp(...given);

const added = features.flatMap(({ commands = [] }) =>
  commands.map(({ name, command, ...place }) => {
    const made = typeof command === 'function' ? command(openOwnApp) : command;
    return { ...place, entries: [[name, made] as const] };
  }),
);
const commands: Record<string, Command> = Object.fromEntries(
  withAdded<readonly [string, Command]>(Object.entries(ownCommands), ([name]) => name, added),
);
commands.completions = completionsCommand(commands);
commands.man = manualCommand(commands);

export const vitrine: Program = { name: 'vitrine', introduction, commands };
