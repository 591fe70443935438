// The settings of the server's hosts and proxies, limits for each client, mails, metrics, and shared caches in front of it:
// see settings.ts.

import { InvalidValue } from '#common/inputs.ts';
import { isRedisAddress } from '#common/shared-limits.ts';
import { emailPattern } from '#common/text-rules.ts';
import {
  defineSetting,
  isHostName,
  isHostPattern,
  isOriginPattern,
  parseAddress,
  parseChoice,
  parseFilePlayers,
  parseInteger,
  parseLimit,
  parseList,
  parseNetworks,
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
    help: 'A network inside of yours to which webhooks may send, and where a sign-in service may be, such as 192.168.4.0/24; at any port, and without TLS.',
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

/** Sites that play videos and programs on the pages of projects. */
export const playerSettings = {
  without: defineSetting({
    flag: 'without',
    placeholder: 'FEATURE',
    help: 'A feature to leave out, such as bookmarks; `vitrine features` lists them. Its pages and its part of the API are gone, its data stays.',
    repeatable: true,
    read: parseList((name) => /^[a-z-]+$/.test(name), 'names of features'),
  }),
  only: defineSetting({
    flag: 'only',
    placeholder: 'api',
    help: 'api: serve the API and media files, and no page; without the features that a gallery can be without.',
    read(text) {
      if (text === '' || text === 'api') return text;
      throw new InvalidValue('must be api');
    },
  }),
  playerHosts: defineSetting({
    flag: 'player-host',
    placeholder: 'HOST|off',
    variable: 'VITRINE_PLAYER_HOSTS',
    fallback: 'www.youtube-nocookie.com,player.vimeo.com',
    help: 'A host whose player may play linked videos on their pages after a click; a PeerTube host, too.',
    repeatable: true,
    read: (text) => (text === 'off' ? [] : parseList(isHostName, 'host names')(text)),
  }),
  filePlayers: defineSetting({
    flag: 'file-player',
    placeholder: 'ENDING=URL',
    variable: 'VITRINE_FILE_PLAYERS',
    separator: ' ',
    help: 'A site that plays files with this ending on the pages of projects after a click, such as .sb3=https://turbowarp.org/embed?project_url={url}.',
    repeatable: true,
    read: parseFilePlayers,
  }),
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
  searchEngine: defineSetting({
    flag: 'search-engine',
    placeholder: 'URL',
    help: 'The index of OpenSearch that large galleries search in, such as https://host:9200/vitrine, which `changes publish` fills; one with user:password@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      const { protocol = '', pathname = '', search } = URL.parse(text) ?? {};
      const isIndex = /^https?:$/.test(protocol) && /^\/[a-z0-9][a-z0-9_.-]{0,99}$/.test(pathname) && !search;
      if (text === '' || isIndex) return text;
      throw new InvalidValue(
        'must be the address of an index such as https://user:password@host:9200/vitrine',
      );
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

export const mediaSettings = {
  mediaUrl: defineSetting({
    flag: 'media-url',
    placeholder: 'URL|signed',
    help: 'Where clients are sent for public files: a CDN in front of this server, such as https://media.example.org, or signed addresses of the S3 bucket.',
    read: (text) => (text === 'signed' ? text : parseOrigin(text)),
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
