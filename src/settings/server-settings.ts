// The settings of the server's hosts and proxies, where the gallery is stored, limits for each client, backups, mails, metrics,
// and shared caches in front of it: see settings.ts.

import { InvalidValue } from '../common/inputs.ts';
import { isRedisAddress } from '../common/shared-limits.ts';
import { emailPattern } from '../common/text-rules.ts';
import {
  defineSetting,
  defineSwitch,
  defineText,
  isHostPattern,
  isOriginPattern,
  parseAddress,
  parseChoice,
  parseDuration,
  parseInteger,
  parseKeepRule,
  parseLimit,
  parseList,
  parseNetworks,
  parseWebAddresses,
} from './setting-values.ts';

export const hostSettings = {
  allowedHosts: defineSetting({
    flag: 'allowed-host',
    placeholder: 'HOST',
    variable: 'VITRINE_ALLOWED_HOSTS',
    fallback: 'localhost,.localhost,127.0.0.1,[::1]',
    help: 'A host name to serve; .example.org includes its subdomains, * allows any host.',
    repeatable: true,
    read: parseList(isHostPattern, 'host names without a port'),
  }),
  trustedProxies: defineSetting({
    flag: 'trusted-proxy',
    placeholder: 'ADDRESS',
    variable: 'VITRINE_TRUSTED_PROXIES',
    help: 'The address or network of a proxy whose X-Forwarded headers are trusted.',
    repeatable: true,
    read: parseNetworks,
  }),
  webhookNetworks: defineSetting({
    flag: 'webhook-allow-network',
    placeholder: 'NETWORK',
    variable: 'VITRINE_WEBHOOK_ALLOW_NETWORKS',
    help: 'A network inside of yours to which webhooks may send, such as 192.168.4.0/24; at any port, and without TLS.',
    repeatable: true,
    read: parseNetworks,
  }),
  corsOrigins: defineSetting({
    flag: 'cors-origin',
    placeholder: 'ORIGIN',
    variable: 'VITRINE_CORS_ORIGINS',
    help: 'Another website whose pages may write with keys, such as https://app.example.org; * for any.',
    repeatable: true,
    read: parseList(isOriginPattern, 'origins such as https://app.example.org, without a path, or *'),
  }),
};

export const databaseSettings = {
  database: defineText({
    flag: 'database',
    placeholder: 'PATH|URL',
    fallback: 'vitrine.sqlite',
    help: 'A file for SQLite, or postgres://user:password@host/name.',
  }),
  replicas: defineSetting({
    flag: 'replica',
    placeholder: 'URL',
    variable: 'VITRINE_REPLICAS',
    help: 'A replica of the PostgreSQL database that requests read from; postgres://user:password@host/name.',
    repeatable: true,
    read: (text) => text.split(/,(?=postgres(?:ql)?:\/\/)/).filter(Boolean),
  }),
  files: defineText({
    flag: 'files',
    placeholder: 'FOLDER|URL',
    help: 'The folder for uploaded files, or s3://bucket; by default the database’s path with .files.',
  }),
  keepChanges: defineSetting({
    flag: 'keep-changes',
    placeholder: 'TIME',
    help: 'Move changes that are older, such as 400d, from the database into compressed files; at least 30d.',
    read: (text) => {
      const ms = parseDuration(text);
      if (ms === undefined || ms >= 30 * 24 * 3_600_000) return ms;
      throw new InvalidValue('must be at least 30d');
    },
  }),
};

export const natsSettings = {
  nats: defineSetting({
    flag: 'nats',
    placeholder: 'URL',
    help: 'With `changes publish`: the NATS server, such as nats://host:4222 or tls://…; one with user:password@ or token@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      if (text === '' || (/^(nats|tls):\/\/[^/]/.test(text) && URL.parse(text)?.hostname)) return text;
      throw new InvalidValue('must be an address such as nats://user:password@host:4222');
    },
  }),
  natsPrefix: defineSetting({
    flag: 'nats-prefix',
    placeholder: 'NAME',
    fallback: 'vitrine',
    help: 'With `changes publish`: the beginning of the subjects; the stream has the same name.',
    read(text) {
      if (/^[\w-]{1,30}(\.[\w-]{1,30}){0,5}$/.test(text)) return text;
      throw new InvalidValue('must be words with dots between them, such as sites.gallery');
    },
  }),
  once: defineSwitch(
    'once',
    'With `changes publish`: stop when all changes are published.',
    'VITRINE_NATS_ONCE',
  ),
};

export const limitSettings = {
  readLimit: defineSetting({
    flag: 'read-limit',
    placeholder: 'NUMBER|off',
    fallback: '6000',
    help: 'The maximum number of requests per minute from one person, or from one address without an account.',
    read: parseLimit,
  }),
  writeLimit: defineSetting({
    flag: 'write-limit',
    placeholder: 'NUMBER|off',
    fallback: '600',
    help: 'The maximum number of changes per minute by one person.',
    read: parseLimit,
  }),
  streamLimit: defineSetting({
    flag: 'stream-limit',
    placeholder: 'NUMBER|off',
    fallback: '100',
    help: 'The maximum number of open streams of one person, or of one address without an account.',
    read: parseLimit,
  }),
  signInLimit: defineSetting({
    flag: 'sign-in-limit',
    placeholder: 'NUMBER',
    fallback: '10',
    help: 'The maximum number of wrong passwords for one name from one address in 15 minutes.',
    read: parseInteger(1, 1_000_000),
  }),
  basic: defineSetting({
    flag: 'basic',
    placeholder: 'keys|passwords',
    fallback: 'keys',
    help: 'What HTTP Basic takes as the password: keys only, or the passwords of accounts too, for clients that move here.',
    read: parseChoice('keys', 'passwords'),
  }),
  redis: defineSetting({
    flag: 'redis',
    placeholder: 'URL',
    help: 'A Redis or Valkey server, such as redis://host:6379, in which several servers count limits together; one with user:password@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      if (text === '' || isRedisAddress(text)) return text;
      throw new InvalidValue('must be an address such as redis://user:password@host:6379 or rediss://…');
    },
  }),
  sharedNetworks: defineSetting({
    flag: 'shared-network',
    placeholder: 'NETWORK',
    variable: 'VITRINE_SHARED_NETWORKS',
    help: 'A network such as that of a school, where many people share one address: sign-ins are limited by name only.',
    repeatable: true,
    read: parseNetworks,
  }),
};

export const metricsSettings = {
  metricsPort: defineSetting({
    flag: 'metrics-port',
    placeholder: 'NUMBER|off',
    fallback: 'off',
    help: 'With `serve`: the port for Prometheus, which reads /metrics there.',
    read: (text) => (text === 'off' ? undefined : parseInteger(1, 65535)(text)),
  }),
  metricsHost: defineSetting({
    flag: 'metrics-host',
    placeholder: 'ADDRESS',
    fallback: '127.0.0.1',
    help: 'With `serve`: the address of that port. Everybody who reaches it can read the metrics.',
    read: parseAddress,
  }),
};

export const sharedCacheSettings = {
  mediaUrl: defineSetting({
    flag: 'media-url',
    placeholder: 'URL|signed',
    help: 'Where clients are sent for public files: a CDN in front of this server, such as https://media.example.org, or signed addresses of the S3 bucket.',
    read: (text) => (text === 'signed' ? text : parseOrigin(text)),
  }),
  publicMaxAge: defineSetting({
    flag: 'public-max-age',
    placeholder: 'SECONDS',
    fallback: '0',
    help: 'How long shared caches may keep what visitors get, and 10 seconds more to renew it; 0: not at all.',
    read: parseInteger(0, 86_400),
  }),
  purgeUrls: defineSetting({
    flag: 'purge-url',
    placeholder: 'URL',
    variable: 'VITRINE_PURGE_URLS',
    help: 'With `serve`: the address of a shared cache that is told what has changed; of a CDN only in the variable, with its token.',
    repeatable: true,
    isSecret: (text) => text.includes('@'),
    read: parseWebAddresses,
  }),
};

export const backupSettings = {
  backupEvery: defineSetting({
    flag: 'backup-every',
    placeholder: 'TIME',
    help: 'With `serve`: make backups this often, such as 30m, 1h or 1d.',
    read: parseDuration,
  }),
  backupTo: defineText({
    flag: 'backup-to',
    placeholder: 'FOLDER|URL',
    help: 'With `serve`: where these backups are made.',
  }),
  unlessNewer: defineSetting({
    flag: 'unless-newer',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_UNLESS_NEWER',
    help: 'With `backup`, `public-dump` and `changes`: do nothing if it was done in this time, such as 1h.',
    read: parseDuration,
  }),
  keep: defineSetting({
    flag: 'keep',
    placeholder: 'RULE',
    variable: 'VITRINE_BACKUP_KEEP',
    help: 'Which backups stay, such as 24h,7d,4w,12m: the newest of this many hours, days, weeks, months; by default all.',
    read: parseKeepRule,
  }),
  signWith: defineText({
    flag: 'sign-with',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_SIGN_WITH',
    help: 'The private key that signs backups; `vitrine backup-key` makes one.',
  }),
  publicKey: defineText({
    flag: 'public-key',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_PUBLIC_KEY',
    help: 'The public key that a backup must be signed for.',
  }),
};

function parseOrigin(text: string): string {
  const { protocol = '', origin = '', pathname, username } = URL.parse(text) ?? {};
  if (text === '') return text;
  if (/^https?:$/.test(protocol) && pathname === '/' && !username && !/[?#]/.test(text)) return origin;
  throw new InvalidValue('must begin with http:// or https:// and have no path');
}

const isSmtpUrl = (text: string) => /^smtps?:\/\/[^/\s]+\/?$/.test(text) && URL.canParse(text);

export const mailSettings = {
  smtp: defineSetting({
    flag: 'smtp',
    placeholder: 'URL',
    help: 'The server that takes mails, such as smtp://mail.example.org:587; one with user:password@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      if (text === '') return undefined;
      if (!isSmtpUrl(text))
        throw new InvalidValue(
          'must be an address such as smtp://user:password@mail.example.org:587 or smtps://…',
        );
      return text;
    },
  }),
  mailFrom: defineSetting({
    flag: 'mail-from',
    placeholder: 'ADDRESS',
    help: 'The email address that mails come from.',
    read(text) {
      if (text === '' || emailPattern.test(text)) return text;
      throw new InvalidValue('must be an email address such as gallery@example.org');
    },
  }),
  publicUrl: defineSetting({
    flag: 'public-url',
    placeholder: 'URL',
    help: 'The address of the site for links in mails, such as https://gallery.example.org.',
    read: parseOrigin,
  }),
};
