// The settings of the server's hosts and proxies, where the gallery is stored, limits for each client, metrics, and shared
// caches in front of it: see settings.ts.

import {
  defineSetting,
  defineText,
  isHostPattern,
  isNetwork,
  isOriginPattern,
  parseAddress,
  parseChoice,
  parseInteger,
  parseLimit,
  parseList,
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
    read: parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  }),
  webhookNetworks: defineSetting({
    flag: 'webhook-allow-network',
    placeholder: 'NETWORK',
    variable: 'VITRINE_WEBHOOK_ALLOW_NETWORKS',
    help: 'A network inside of yours to which webhooks may send, such as 192.168.4.0/24; at any port, and without TLS.',
    repeatable: true,
    read: parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
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
    variable: 'VITRINE_DATABASE',
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
    variable: 'VITRINE_FILES',
    help: 'The folder for uploaded files, or s3://bucket; by default the database’s path with .files.',
  }),
};

export const limitSettings = {
  readLimit: defineSetting({
    flag: 'read-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_READ_LIMIT',
    fallback: '6000',
    help: 'The maximum number of requests per minute from one person, or from one address without an account.',
    read: parseLimit,
  }),
  writeLimit: defineSetting({
    flag: 'write-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_WRITE_LIMIT',
    fallback: '600',
    help: 'The maximum number of changes per minute by one person.',
    read: parseLimit,
  }),
  streamLimit: defineSetting({
    flag: 'stream-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_STREAM_LIMIT',
    fallback: '100',
    help: 'The maximum number of open streams of one person, or of one address without an account.',
    read: parseLimit,
  }),
  signInLimit: defineSetting({
    flag: 'sign-in-limit',
    placeholder: 'NUMBER',
    variable: 'VITRINE_SIGN_IN_LIMIT',
    fallback: '10',
    help: 'The maximum number of wrong passwords for one name from one address in 15 minutes.',
    read: parseInteger(1, 1_000_000),
  }),
  basic: defineSetting({
    flag: 'basic',
    placeholder: 'keys|passwords',
    variable: 'VITRINE_BASIC',
    fallback: 'keys',
    help: 'What HTTP Basic takes as the password: keys only, or the passwords of accounts too, for clients that move here.',
    read: parseChoice('keys', 'passwords'),
  }),
  sharedNetworks: defineSetting({
    flag: 'shared-network',
    placeholder: 'NETWORK',
    variable: 'VITRINE_SHARED_NETWORKS',
    help: 'A network such as that of a school, where many people share one address: sign-ins are limited by name only.',
    repeatable: true,
    read: parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  }),
};

export const metricsSettings = {
  metricsPort: defineSetting({
    flag: 'metrics-port',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_METRICS_PORT',
    fallback: 'off',
    help: 'With `serve`: the port for Prometheus, which reads /metrics there.',
    read: (text) => (text === 'off' ? undefined : parseInteger(1, 65535)(text)),
  }),
  metricsHost: defineSetting({
    flag: 'metrics-host',
    placeholder: 'ADDRESS',
    variable: 'VITRINE_METRICS_HOST',
    fallback: '127.0.0.1',
    help: 'With `serve`: the address of that port. Everybody who reaches it can read the metrics.',
    read: parseAddress,
  }),
};

export const sharedCacheSettings = {
  publicMaxAge: defineSetting({
    flag: 'public-max-age',
    placeholder: 'SECONDS',
    variable: 'VITRINE_PUBLIC_MAX_AGE',
    fallback: '0',
    help: 'How long shared caches may keep what visitors get, and 10 seconds more to renew it; 0: not at all.',
    read: parseInteger(0, 86_400),
  }),
  purgeUrls: defineSetting({
    flag: 'purge-url',
    placeholder: 'URL',
    variable: 'VITRINE_PURGE_URLS',
    help: 'With `serve`: the address of a shared cache that is told with PURGE what has changed.',
    repeatable: true,
    read: parseWebAddresses,
  }),
};
