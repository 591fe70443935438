// How settings are read. The message of an InvalidValue ends a sentence: "must be …".

import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { InvalidValue, type TextInput } from '#common/inputs.ts';

/** settings.ts has all settings. */
export interface Setting<Value> extends Pick<TextInput<Value>, 'read'> {
  readonly flag: string;
  /** Stands for the value in `--help`; a switch has none. */
  readonly placeholder?: string;
  readonly variable: string;
  readonly fallback: string;
  readonly help: string;
  readonly repeatable?: boolean;
  /** Whether the text holds a password: then it is never shown, and only the environment variable may have it. */
  isSecret?(text: string): boolean;
  /** Between the values in the environment variable; a comma by default. */
  readonly separator?: string;
}

type Definition<Value> = Omit<Setting<Value>, 'fallback' | 'variable'> &
  Partial<Pick<Setting<Value>, 'fallback' | 'variable'>>;

/** The environment variable has the name of the flag, unless the definition names another one. */
export const defineSetting = <Value>(definition: Definition<Value>): Setting<Value> => ({
  variable: `VITRINE_${definition.flag.toUpperCase().replaceAll('-', '_')}`,
  fallback: '',
  ...definition,
});

/** A setting whose text is taken as it is. */
export const defineText = (definition: Omit<Definition<string>, 'read'>) =>
  defineSetting({ ...definition, read: (text) => text });

export const defineSwitch = (flag: string, help: string, variable?: string) =>
  defineSetting({ flag, ...(variable && { variable }), fallback: 'false', help, read: parseBoolean });

export const parseInteger = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidValue(`must be a whole number from ${min} to ${max}`);
};

const maxWorkers = 128;

/** `auto`: as many as the processors that this process may use. */
export function parseWorkers(text: string): number {
  if (text === 'auto') return Math.min(maxWorkers, availableParallelism());
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= maxWorkers) return count;
  throw new InvalidValue(`must be auto or a whole number from 1 to ${maxWorkers}`);
}

const parseBoolean = (text: string) => {
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off', ''].includes(text)) return false;
  throw new InvalidValue('must be true or false');
};

export const parseLimit = (text: string) => (text === 'off' ? undefined : parseInteger(1, 999_999_999)(text));

/** Megabytes; `auto` is a part of the memory of the machine or of the container. */
export function parseCacheSize(text: string): number {
  if (text !== 'auto') return parseInteger(0, 100_000)(text);
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(maxAutomaticCache, Math.floor(memory / automaticCacheShare / 1024 / 1024));
}
const maxAutomaticCache = 96;
const automaticCacheShare = 32;

export const parseChoice =
  <const Choice extends string>(...choices: readonly Choice[]) =>
  (text: string): Choice => {
    for (const choice of choices) if (choice === text) return choice;
    throw new InvalidValue(`must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  };

/** Undefined if nothing is set. */
export const parseOptional =
  <Value>(parse: (text: string) => Value) =>
  (text: string): Value | undefined =>
    text === '' ? undefined : parse(text);

/** With their case. */
export const splitValues = (text: string) =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);

export const parseList = (isValid: (value: string) => boolean, expected: string) => (text: string) => {
  const values = splitValues(text.toLowerCase());
  const invalid = values.find((value) => !isValid(value));
  if (invalid === undefined) return values;
  throw new InvalidValue(`must be ${expected}, which ${JSON.stringify(invalid)} is not`);
};

/** Each such as `.sb3=https://player.example/embed?project={url}`. */
export const parseFilePlayers = (text: string) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((player) => {
      const [, ending = '', address = ''] = /^(\.[a-z0-9]{1,10})=(.*)$/i.exec(player) ?? [];
      const url = URL.parse(address.replaceAll('{url}', 'url'));
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname));
      if (!isSafe || !/^https?:\/\/[^/{}@]+\/.*\{url\}/.test(address))
        throw new InvalidValue(
          `must be an ending and the address of a player with {url} for the file, such as .sb3=https://player.example/embed?project={url}, which ${JSON.stringify(player)} is not`,
        );
      return { ending: ending.toLowerCase(), address };
    });

/** For trying a player out. */
const isThisMachine = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);

export const parseMatch = (pattern: RegExp, expected: string) => (text: string) => {
  if (pattern.test(text)) return text;
  throw new InvalidValue(`must be ${expected}`);
};

export const parseAddress = parseMatch(/^[A-Za-z0-9.:_-]+$/, 'an address or a host name');

export function parseWebAddresses(text: string): string[] {
  const addresses = splitValues(text);
  const invalid = addresses.find((address) => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''));
  if (invalid === undefined) return addresses;
  throw new InvalidValue('must be addresses that begin with http:// or https://');
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds; undefined for an empty text. */
export function parseDuration(text: string): number | undefined {
  if (text === '') return undefined;
  const [, count, unit] = /^([1-9]\d{0,6})([mhd])$/.exec(text) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * unitMs[unit];
  throw new InvalidValue('must be a number of minutes, hours or days, such as 30m, 1h or 1d');
}

/** `7d,4w`: the newest of each of 7 days and of each of 4 weeks. */
export const parseKeepRule = (text: string) =>
  text.split(',').flatMap((part) => {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwm])$/.exec(part.trim()) ?? [];
    if (unit === 'h' || unit === 'd' || unit === 'w' || unit === 'm')
      return { unit, count: Number(count) } as const;
    if (text === '') return [];
    throw new InvalidValue('must be numbers of hours, days, weeks and months, such as 24h,7d,4w,12m');
  });

export const isHostPattern = (value: string) =>
  /^(\*|\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/.test(value);

export const isHostName = (value: string) => /^[a-z0-9]/.test(value) && isHostPattern(value);

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

export const parseNetworks = parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8');

/** As browsers send it in the header Origin: without a path, and without the usual port. Apps have schemes of their own. */
export function isOriginPattern(value: string): boolean {
  if (value === '*') return true;
  const url = URL.parse(value);
  if (!url?.hostname || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(value)) return false;
  return !/^https?:$/.test(url.protocol) || url.origin === value;
}

/** The address of a service elsewhere, or none. */
export function parseServiceUrl(text: string): string {
  const { protocol = '', hostname = '', username } = URL.parse(text) ?? {};
  if (text === '' || (/^https?:$/.test(protocol) && hostname && !username && !/[?#\s]/.test(text)))
    return text;
  throw new InvalidValue('must begin with https:// or http:// and have no query');
}

/** A duration as the value of a setting. */
export const inMinutes = (ms: number) => `${Math.ceil(ms / 60_000)}m`;
