// `vitrine site …`: the name, the look and the pages of the site, which admins also set at /admin/site/.

import { OperatorError, systemReason } from '#common/errors.ts';
import type { Database } from '#sql';
import { transact } from '../../core/changes/transact.ts';
import {
  commandWithSubcommands,
  printMessage,
  printTable,
  readChoice,
  type Subcommand,
} from '../../core/commands/command.ts';
import { openFiles } from '../../core/commands/open-files.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { type SettingName, settingNames } from '../../core/site/site-fields.ts';
import { changeSite, loadOwnSettings, prepareLogo } from '../../core/site/site-settings.ts';
import { anonymous } from '../../core/viewer/viewer.ts';

type SiteCommandSettings = Settings<'database' | 'files' | 'siteHost'>;

const subcommands: Readonly<Record<string, Subcommand<'files' | 'siteHost'>>> = {
  show: {
    operands: '',
    help: 'Lists what is set.',
    isList: true,
    async run(database, _, settings) {
      const { siteHost } = settings;
      const texts = await loadOwnSettings(database, siteHost);
      const rows = settingNames.flatMap((name) =>
        texts[name] ? [[name, { value: texts[name], shown: texts[name].replaceAll('\n', ' / ') }]] : [],
      );
      printTable(settings, ['NAME', 'VALUE'], rows);
      printMessage(`${rows.length} of ${settingNames.length} settings, ${describeHost(siteHost)}.`);
    },
  },
  set: {
    operands: 'NAME VALUE',
    help: `Sets one: ${settingNames.join(', ')}. The logo’s value is the path of a picture.`,
    async run(database, [nameText = '', value = ''], settings) {
      const name = parseName(nameText);
      if (!value.trim())
        throw new OperatorError('VALUE is empty. To take the default, see vitrine site reset.');
      await save(
        database,
        settings,
        name,
        name === 'logo' ? await storeLogo(database, settings, value) : value,
      );
      printMessage(`${name} is set, ${describeHost(settings.siteHost)}.`);
    },
  },
  reset: {
    operands: 'NAME',
    help: 'Takes the default again: that of all hosts, or the one that every new gallery has.',
    async run(database, [nameText = ''], settings) {
      const name = parseName(nameText);
      await save(database, settings, name, '');
      printMessage(`${name} has its default again, ${describeHost(settings.siteHost)}.`);
    },
  },
};

export const siteCommand = commandWithSubcommands(
  'site',
  'Changes the name, the look and the pages of the site.',
  ["vitrine site set name 'The Tinkering Shed'", 'vitrine site set look playground --host kids.example.org'],
  subcommands,
  ['files', 'siteHost'],
);

const describeHost = (host: string) => (host ? `for ${host}` : 'for all hosts');

const parseName = (text: string): SettingName => readChoice('NAME', settingNames, text);

const save = (database: Database, { siteHost }: SiteCommandSettings, name: SettingName, value: string) =>
  transact(database, null, (write) => changeSite(write, siteHost, { [name]: value }));

async function storeLogo(database: Database, settings: SiteCommandSettings, path: string): Promise<string> {
  const bytes = await Bun.file(path)
    .bytes()
    .catch((error) => {
      throw new OperatorError(`${path} cannot be read: ${systemReason(error)}.`);
    });
  return prepareLogo({ database, files: await openFiles(settings) }, anonymous, new File([bytes], path));
}
