// The only code that reads flags and the environment, except OpenTelemetry's variables (server/tracing/tracing.ts). Each setting
// is described once, for parsing, `--help` and docs/reference/commands.md (a test compares them). A flag overrides its
// environment variable.

import { parseArgs } from 'node:util';
import { errorMessage, OperatorError } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { suggest } from '#common/mistyped.ts';
import { once, type PlaceOf, placeOf, withAdded } from '../feature.ts';
import {
  hostSettings,
  limitSettings,
  mailSettings,
  mediaSettings,
  metricsSettings,
  playerSettings,
} from './server-settings.ts';
import {
  defineSetting,
  defineSwitch,
  defineText,
  parseAddress,
  parseCacheSize,
  parseChoice,
  parseDuration,
  parseInteger,
  parseLimit,
  parseOptional,
  parseWorkers,
  type Setting,
} from './setting-values.ts';
import { backupSettings, databaseSettings } from './storage-settings.ts';

const ownSettings = {
  port: defineSetting({
    flag: 'port',
    placeholder: 'NUMBER',
    fallback: '8000',
    help: 'The port to listen on; 0 for any free one.',
    read: parseInteger(0, 65535),
  }),
  host: defineSetting({
    flag: 'host',
    placeholder: 'ADDRESS',
    fallback: '127.0.0.1',
    help: 'The address to listen on; 0.0.0.0 for all addresses of this machine.',
    read: parseAddress,
  }),
  ...databaseSettings,
  uploadLimit: defineSetting({
    flag: 'upload-limit',
    placeholder: 'MEGABYTES',
    fallback: '25',
    help: 'The maximum size of the files in one request, in megabytes.',
    read: parseInteger(1, 1000),
  }),
  projectQuota: defineSetting({
    flag: 'project-quota',
    placeholder: 'NUMBER|off',
    fallback: '10000',
    help: 'The maximum number of projects and comments of one account.',
    read: parseLimit,
  }),
  fileQuota: defineSetting({
    flag: 'file-quota',
    placeholder: 'MEGABYTES|off',
    fallback: '1000',
    help: 'The maximum size of all files of one account, in megabytes.',
    read: parseLimit,
  }),
  ...hostSettings,
  timeZone: defineSetting({
    flag: 'time-zone',
    placeholder: 'ZONE',
    fallback: 'UTC',
    help: 'The time zone of all times in responses, such as Europe/Berlin.',
    read: (text) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
      } catch {
        throw new InvalidValue('must be a time zone such as UTC or Europe/Berlin');
      }
    },
  }),
  ...playerSettings,
  passwords: defineSetting({
    flag: 'passwords',
    placeholder: 'on|off',
    fallback: 'on',
    help: 'Whether people can sign in with a password; off where all have an account at the sign-in service.',
    read: parseChoice('on', 'off'),
  }),
  ...limitSettings,
  signUp: defineSetting({
    flag: 'sign-up',
    placeholder: 'open|invitation|closed',
    help: 'Who may create an account: anybody, or only people with an invitation; closed hides the form. By default as the site says.',
    read: parseOptional(parseChoice('open', 'invitation', 'closed')),
  }),
  names: defineSetting({
    flag: 'names',
    placeholder: 'full|username',
    help: 'What others see of people with a new account, until they choose: the full name or the username only. By default as the site says.',
    read: parseOptional(parseChoice('full', 'username')),
  }),
  cacheSize: defineSetting({
    flag: 'cache-size',
    placeholder: 'MEGABYTES|auto',
    fallback: 'auto',
    help: 'The memory for responses and parts of pages that are used again; auto: a 32nd of all, at most 96.',
    read: parseCacheSize,
  }),
  hsts: defineSetting({
    flag: 'hsts',
    placeholder: 'SECONDS',
    fallback: '0',
    help: 'How long browsers use only https for this host (Strict-Transport-Security); 0 sends nothing.',
    read: parseInteger(0, 100_000_000),
  }),
  requiresSecondFactor: defineSwitch(
    'require-second-factor',
    'Moderators and admins are contributors until they have turned on the second factor.',
  ),
  strict: defineSwitch(
    'strict',
    'Reject unknown fields and parameters instead of ignoring them, as Prefer: handling=strict does.',
  ),
  json: defineSwitch('json', 'With commands that list, `doctor` and `version`: print JSON, for programs.'),
  repair: defineSwitch('repair', 'Repair what the check finds.'),
  replaceAccounts: defineSwitch(
    'replace-accounts',
    'Let a dump change accounts, keys and rights in a gallery that has accounts.',
  ),
  checkOnly: defineSwitch(
    'check',
    'List what is broken or unusual in a dump, without importing it.',
    'VITRINE_IMPORT_CHECK',
  ),
  ...backupSettings,
  unlessNewer: defineSetting({
    flag: 'unless-newer',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_UNLESS_NEWER',
    help: 'With `backup`, `public-dump` and `changes`: do nothing if it was done in this time, such as 1h.',
    read: parseDuration,
  }),
  copyFrom: defineText({
    flag: 'from',
    placeholder: 'PATH|URL',
    variable: 'VITRINE_COPY_FROM',
    help: 'With `copy`: the database that is in use.',
  }),
  copyTo: defineText({
    flag: 'to',
    placeholder: 'PATH|URL',
    variable: 'VITRINE_COPY_TO',
    help: 'With `copy`: the new, empty database.',
  }),
  plan: defineSwitch('plan', 'With `migrate`: only say what would be done.', 'VITRINE_MIGRATE_PLAN'),
  noCopy: defineSwitch(
    'no-copy',
    'Migrate a file of SQLite without a copy of before, for which a disk has no room.',
    'VITRINE_NO_COPY',
  ),
  endNow: defineSwitch(
    'now',
    'With `rotate-secrets`: what the earlier secrets have signed is not valid any more.',
    'VITRINE_ROTATE_NOW',
  ),
  undo: defineSwitch('undo', 'With `copy`: let the old database take writes again.', 'VITRINE_COPY_UNDO'),
  siteHost: defineSetting({
    flag: 'host',
    placeholder: 'NAME',
    variable: 'VITRINE_SITE_HOST',
    help: 'With `site`: the host name whose settings are meant; by default those of all hosts.',
    read: (text) => text.toLowerCase(),
  }),
  ...mailSettings,
  ...metricsSettings,
  serverTiming: defineSwitch(
    'server-timing',
    'Tell every client what its request took, in the header Server-Timing; for development.',
  ),
  ...mediaSettings,
  reusePort: defineSwitch('reuse-port', 'Let several processes share the port, to restart them one by one.'),
  workers: defineSetting({
    flag: 'workers',
    placeholder: 'NUMBER|auto',
    fallback: '1',
    help: 'With `serve`: how many processes share the port; auto is one for each processor.',
    read: parseWorkers,
  }),
};

/** The settings of features: each declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureSettings {}

/** Those that only commands have which name them. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface NamedSettings {}

type OwnSettings = typeof ownSettings;
type AllSettings = OwnSettings & FeatureSettings & NamedSettings;
export type SettingName = keyof AllSettings;
export type Settings<Name extends SettingName = SettingName> = SettingsOf<Pick<AllSettings, Name>>;

export type SettingDefinitions = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<Definitions extends SettingDefinitions> = {
  readonly [Name in keyof Definitions]: ReturnType<Definitions[Name]['read']>;
};

declare module '../feature.ts' {
  interface Feature {
    /** Commands that take the one take those beside it; without a place, those take them that name them. */
    readonly settings?: Partial<PlaceOf<keyof OwnSettings>> & { readonly definitions: SettingDefinitions };
  }
}

const ownAppSettings = [
  'uploadLimit',
  'projectQuota',
  'fileQuota',
  'allowedHosts',
  'trustedProxies',
  'corsOrigins',
  'webhookNetworks',
  'timeZone',
  'playerHosts',
  'filePlayers',
  'readLimit',
  'writeLimit',
  'streamLimit',
  'signInLimit',
  'sharedNetworks',
  'basic',
  'passwords',
  'signUp',
  'smtp',
  'requiresSecondFactor',
  'hsts',
  'cacheSize',
  'mediaUrl',
  'names',
  'strict',
  'without',
  'only',
  'mailFrom',
  'publicUrl',
] as const satisfies readonly SettingName[];

/** The settings that requests depend on, with those of features. */
export const appSettings: readonly ((typeof ownAppSettings)[number] | keyof FeatureSettings)[] =
  ownAppSettings;

export type AppSettings = Settings<(typeof appSettings)[number]>;

const featureSettings = once((features) => features.flatMap(({ settings = [] }) => settings));

export const listSettings = once(
  (): AllSettings =>
    Object.assign({}, ownSettings, ...featureSettings().map(({ definitions }) => definitions)),
);

/** The settings of these names, and those of features that stand behind one of them. */
export function pickSettings<Name extends SettingName>(names: readonly Name[]): Pick<AllSettings, Name> {
  const added = featureSettings().flatMap(({ definitions, ...feature }) => {
    const place = placeOf(feature);
    const isTaken = names.some((name) => name === (place?.after ?? place?.before));
    return place && isTaken ? [{ ...place, entries: Object.entries(definitions) }] : [];
  });
  const own = names.map((name): [string, Setting<unknown>] => [name, listSettings()[name]]);
  return Object.fromEntries(withAdded(own, ([name]) => name, added)) as Pick<AllSettings, Name>;
}

/** A mistake in the words of a command: the help says what is right. */
export class UsageError extends OperatorError {}

/** Reads the settings that a command knows; any other flag is an error. */
export function readSettings<Definitions extends SettingDefinitions>(
  definitions: Definitions,
  args: string[],
  environment: Record<string, string | undefined>,
): { settings: SettingsOf<Definitions>; operands: string[] } {
  const { values, positionals } = parseFlags(definitions, args);
  const read = Object.entries(definitions).map(([name, definition]) => [
    name,
    readSetting(definition, values[definition.flag], environment),
  ]);
  return { settings: Object.freeze(Object.fromEntries(read)), operands: positionals };
}

function readSetting(
  { flag, variable, fallback, separator = ',', isSecret, read }: Setting<unknown>,
  flagValue: unknown,
  environment: Record<string, string | undefined>,
): unknown {
  const [text, source] =
    flagValue !== undefined
      ? [Array.isArray(flagValue) ? flagValue.join(separator) : String(flagValue), `--${flag}`]
      : [environment[variable] || fallback, variable];
  if (flagValue !== undefined && isSecret?.(text))
    throw new OperatorError(
      `--${flag} holds a password, which others on this machine could read: set ${variable} instead.`,
    );
  try {
    return read(text);
  } catch (error) {
    const shown = isSecret ? '' : `; it was ${JSON.stringify(text)}`;
    throw new OperatorError(`${source} ${errorMessage(error)}${shown}.`);
  }
}

function parseFlags(definitions: SettingDefinitions, args: string[]) {
  const options = Object.fromEntries(
    Object.values(definitions).map(({ flag, placeholder, repeatable }) => [
      flag,
      { type: placeholder ? ('string' as const) : ('boolean' as const), multiple: repeatable ?? false },
    ]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = errorMessage(error).split(/\. |\n/);
    const [, unknown] = /^Unknown option '(--[^']*)'/.exec(sentence) ?? [];
    const flags = Object.keys(options).map((flag) => `--${flag}`);
    throw new UsageError(`${sentence.replace(/\.$/, '')}.${unknown ? suggest(unknown, flags, '--') : ''}`);
  }
}
