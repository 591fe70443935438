import type { Reader } from '#sql';
import { type Inspection, inspectDatabase } from '#sql/open';
import { defineCommand } from '../../core/commands/command.ts';
import { listFeatures } from '../../core/feature.ts';
import { schema } from '../../core/schema.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { inspectLeftOut } from '../compare-servers.ts';
import { describeVersions } from '../earlier-versions.ts';
import { inspectFiles, inspectMachine, inspectRedis, inspectSettings } from './inspections.ts';
import { scheduleSettings } from './scheduled-commands.ts';
import { type ServerSettings, serverSettings } from './serve.ts';

type Inspect = (
  settings: ServerSettings & Settings<(typeof scheduleSettings)[number]>,
  reader: Reader | undefined,
) => Promise<Inspection>;

declare module '../../core/feature.ts' {
  interface Feature {
    /** By a name: what `vitrine doctor` looks at, with the content of the gallery if it can be read. */
    readonly inspections?: Readonly<Record<string, Inspect>>;
  }
}

async function inspectServers(reader: Reader): Promise<Inspection> {
  const [leftOut, versions] = await Promise.all([inspectLeftOut(reader), describeVersions(reader)]);
  return { ...leftOut, facts: [...leftOut.facts, ...versions] };
}

async function inspectFeatures(...given: Parameters<Inspect>): Promise<Record<string, Inspection>> {
  const found: Record<string, Inspection> = {};
  for (const { inspections = {} } of listFeatures())
    for (const [name, inspect] of Object.entries(inspections)) found[name] = await inspect(...given);
  return found;
}

export const doctorCommand = defineCommand({
  usage: 'doctor',
  help: 'Looks at settings, database, disk, memory and clock, also while a server runs, and says what to do; takes the options of serve. Exit code 1 if something is wrong, 2 if it cannot look.',
  examples: ['vitrine doctor', 'vitrine doctor --host 0.0.0.0 --allowed-host gallery.example.org'],
  settings: [...serverSettings, 'workers', ...scheduleSettings, 'json'],
  async run(settings) {
    let ofFeatures: Record<string, Inspection> | undefined;
    const inspections: Record<string, Inspection> = {
      Settings: { facts: [], findings: inspectSettings(settings) },
      Database: await inspectDatabase(settings.database, {
        schema,
        ...settings,
        async inspectMore(reader) {
          ofFeatures = await inspectFeatures(settings, reader);
          return inspectServers(reader);
        },
      }),
      Files: await inspectFiles(settings),
      ...(ofFeatures ?? (await inspectFeatures(settings, undefined))),
      ...(settings.redis && { Redis: await inspectRedis(settings) }),
      Machine: inspectMachine(settings),
    };
    const findings = Object.values(inspections).flatMap(({ findings }) => findings);
    if (settings.json) {
      console.log(JSON.stringify(inspections, null, 2));
      return findings.length === 0 ? 0 : 1;
    }
    for (const [name, { facts }] of Object.entries(inspections))
      if (facts.length > 0) console.log(`${name}: ${facts.join(', ')}.`);
    for (const { problem, advice } of findings) console.log(`- ${problem}\n  ${advice}`);
    if (findings.length === 0) console.log('All is well.');
    return findings.length === 0 ? 0 : 1;
  },
});
