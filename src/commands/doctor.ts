import { inspectDatabase } from '../database/open.ts';
import { inspectFiles, inspectMachine } from '../doctor/machine.ts';
import { inspectMail } from '../doctor/mail.ts';
import { inspectSettings } from '../doctor/settings.ts';
import { defineCommand } from './command.ts';
import { scheduleSettings } from './scheduled-commands.ts';
import { serverSettings } from './serve.ts';

export const doctorCommand = defineCommand({
  usage: 'doctor',
  help: 'Looks at settings, database, disk, memory and clock, also while a server runs, and says what to do; takes the options of serve. Exit code 1 if something is wrong, 2 if it cannot look.',
  examples: ['vitrine doctor', 'vitrine doctor --host 0.0.0.0 --allowed-host gallery.example.org'],
  settings: [...serverSettings, ...scheduleSettings],
  async run(settings) {
    const inspections = {
      Settings: { facts: [], findings: inspectSettings(settings) },
      Database: await inspectDatabase(settings.database, settings.replicas),
      Files: await inspectFiles(settings),
      Mail: await inspectMail(settings),
      Machine: inspectMachine(settings),
    };
    for (const [name, { facts }] of Object.entries(inspections))
      if (facts.length > 0) console.log(`${name}: ${facts.join(', ')}.`);
    const findings = Object.values(inspections).flatMap(({ findings }) => findings);
    for (const { problem, advice } of findings) console.log(`- ${problem}\n  ${advice}`);
    if (findings.length === 0) console.log('All is well.');
    return findings.length === 0 ? 0 : 1;
  },
});
