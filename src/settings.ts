// The only reader of flags and of the environment. Each setting is described once: `--help`, docs/running.md's
// table (a test compares them) and the messages come from here. A flag wins over its variable.

import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { OperatorError } from './errors.ts';

interface Setting<Value> {
  readonly flag: string;
  /** What stands for the value in `--help`; none for a switch. */
  readonly argument?: string;
  readonly variable: string;
  readonly fallback: string;
  readonly help: string;
  readonly repeatable?: boolean;
  readonly short?: string;
  /** Reads the value or throws a sentence's end: "must be …". */
  read(text: string): Value;
}

const setting = <Value>(definition: Setting<Value>) => definition;

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new OperatorError(`must be a whole number from ${least} to ${most}`);
};

const onOff = (text: string) => {
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off', ''].includes(text)) return false;
  throw new OperatorError('must be true or false');
};

const limit = (text: string) => (text === 'off' ? undefined : wholeNumber(1, 999_999_999)(text));

const signUps = ['open', 'invitation', 'closed'] as const;

const list = (fits: (value: string) => boolean, wanted: string) => (text: string) => {
  const values = text
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter(Boolean);
  const wrong = values.find((value) => !fits(value));
  if (wrong === undefined) return values;
  throw new OperatorError(`must be ${wanted}, which ${JSON.stringify(wrong)} is not`);
};

const isHost = (value: string) => /^(\*|\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/.test(value);

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

export const settings = {
  port: setting({
    flag: 'port',
    argument: 'NUMBER',
    variable: 'VITRINE_PORT',
    fallback: '8000',
    help: 'The port to listen on; 0 for any free one.',
    read: wholeNumber(0, 65535),
  }),
  host: setting({
    flag: 'host',
    argument: 'ADDRESS',
    variable: 'VITRINE_HOST',
    fallback: '127.0.0.1',
    help: 'The address to listen on; 0.0.0.0 for all of this machine.',
    read: (text) => {
      if (/^[A-Za-z0-9.:_-]+$/.test(text)) return text;
      throw new OperatorError('must be an address or a host name');
    },
  }),
  database: setting({
    flag: 'database',
    argument: 'PATH|URL',
    variable: 'VITRINE_DATABASE',
    fallback: 'vitrine.sqlite',
    help: 'A file for SQLite, or postgres://user:password@host/name.',
    read: (text) => text,
  }),
  files: setting({
    flag: 'files',
    argument: 'FOLDER|URL',
    variable: 'VITRINE_FILES',
    fallback: '',
    help: 'A folder for files, or s3://bucket; the database’s path with .files unless given.',
    read: (text) => text,
  }),
  uploadLimit: setting({
    flag: 'upload-limit',
    argument: 'MEGABYTES',
    variable: 'VITRINE_UPLOAD_LIMIT',
    fallback: '25',
    help: 'How many megabytes of files a request may bring.',
    read: wholeNumber(1, 1000),
  }),
  allowedHosts: setting({
    flag: 'allowed-host',
    argument: 'HOST',
    variable: 'VITRINE_ALLOWED_HOSTS',
    fallback: 'localhost,.localhost,127.0.0.1,[::1]',
    help: 'A host name to answer on; .example.org with its subdomains, * any.',
    repeatable: true,
    read: list(isHost, 'host names without a port'),
  }),
  trustedProxies: setting({
    flag: 'trusted-proxy',
    argument: 'ADDRESS',
    variable: 'VITRINE_TRUSTED_PROXIES',
    fallback: '',
    help: 'An address or network whose X-Forwarded headers count.',
    repeatable: true,
    read: list(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  }),
  timeZone: setting({
    flag: 'time-zone',
    argument: 'ZONE',
    variable: 'VITRINE_TIME_ZONE',
    fallback: 'UTC',
    help: 'The zone in which times are written, such as Europe/Berlin.',
    read: (text) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
      } catch {
        throw new OperatorError('must be a time zone such as UTC or Europe/Berlin');
      }
    },
  }),
  readLimit: setting({
    flag: 'read-limit',
    argument: 'NUMBER|off',
    variable: 'VITRINE_READ_LIMIT',
    fallback: '6000',
    help: 'How many requests an address, a key or a session may make in a minute.',
    read: limit,
  }),
  writeLimit: setting({
    flag: 'write-limit',
    argument: 'NUMBER|off',
    variable: 'VITRINE_WRITE_LIMIT',
    fallback: '600',
    help: 'How many changes a key or a session may ask for in a minute.',
    read: limit,
  }),
  signInLimit: setting({
    flag: 'sign-in-limit',
    argument: 'NUMBER',
    variable: 'VITRINE_SIGN_IN_LIMIT',
    fallback: '10',
    help: 'How many wrong passwords an address may give for a name in 15 minutes.',
    read: wholeNumber(1, 1_000_000),
  }),
  signUp: setting({
    flag: 'sign-up',
    argument: 'open|invitation|closed',
    variable: 'VITRINE_SIGN_UP',
    fallback: 'closed',
    help: 'Who may make an account: anybody, who is invited, or nobody.',
    read: (text) => {
      const found = signUps.find((choice) => choice === text);
      if (found) return found;
      throw new OperatorError('must be open, invitation or closed');
    },
  }),
  strict: setting({
    flag: 'strict',
    variable: 'VITRINE_STRICT',
    fallback: 'false',
    help: 'Refuse what is otherwise dropped, as Prefer: handling=strict asks.',
    read: onOff,
  }),
  demo: setting({
    flag: 'demo',
    variable: 'VITRINE_DEMO',
    fallback: 'false',
    help: 'Fill an empty database with a small gallery.',
    read: onOff,
  }),
  repair: setting({
    flag: 'repair',
    variable: 'VITRINE_REPAIR',
    fallback: 'false',
    help: 'Put right what a check finds.',
    read: onOff,
  }),
  reusePort: setting({
    flag: 'reuse-port',
    variable: 'VITRINE_REUSE_PORT',
    fallback: 'false',
    help: 'Let several processes share the port, to restart one by one.',
    read: onOff,
  }),
};

type All = typeof settings;
export type SettingName = keyof All;
export type Settings<Name extends SettingName = SettingName> = {
  readonly [Key in Name]: ReturnType<All[Key]['read']>;
};

export interface Given<Name extends SettingName> {
  readonly settings: Settings<Name>;
  readonly operands: string[];
}

/** Reads the settings that a command knows; any other flag is refused. */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  args: string[],
  environment: Record<string, string | undefined>,
): Given<Name> {
  const { values, positionals } = parseFlags(names, args);
  const read = Object.fromEntries(
    names.map((name) => {
      const { flag, variable, fallback, read } = settings[name];
      const given = values[flag];
      const [text, source] =
        given !== undefined
          ? [Array.isArray(given) ? given.join(',') : String(given), `--${flag}`]
          : [environment[variable] || fallback, variable];
      try {
        return [name, read(text)];
      } catch (error) {
        throw new OperatorError(`${source} ${(error as Error).message}; it was ${JSON.stringify(text)}.`);
      }
    }),
  );
  return { settings: Object.freeze(read) as Settings<Name>, operands: positionals };
}

function parseFlags(names: readonly SettingName[], args: string[]) {
  const options = Object.fromEntries(
    names.map((name) => {
      const { flag, argument, repeatable } = settings[name] as Setting<unknown>;
      return [
        flag,
        { type: argument ? ('string' as const) : ('boolean' as const), multiple: repeatable ?? false },
      ];
    }),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new OperatorError(`${sentence.replace(/\.$/, '')}. See vitrine help.`);
  }
}
