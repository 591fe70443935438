// The settings that say for which hosts, behind which proxies and for whose pages the server works: see settings.ts.

import { defineSetting } from './define-setting.ts';
import { isHostPattern, isNetwork, isOriginPattern, parseList } from './setting-values.ts';

export const hostSettings = {
  allowedHosts: defineSetting({
    flag: 'allowed-host',
    placeholder: 'HOST',
    variable: 'VITRINE_ALLOWED_HOSTS',
    fallback: 'localhost,.localhost,127.0.0.1,[::1]',
    help: 'A host name to serve; .example.org includes its subdomains, * allows any host.',
    repeatable: true,
    parse: parseList(isHostPattern, 'host names without a port'),
  }),
  trustedProxies: defineSetting({
    flag: 'trusted-proxy',
    placeholder: 'ADDRESS',
    variable: 'VITRINE_TRUSTED_PROXIES',
    help: 'The address or network of a proxy whose X-Forwarded headers are trusted.',
    repeatable: true,
    parse: parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  }),
  webhookNetworks: defineSetting({
    flag: 'webhook-allow-network',
    placeholder: 'NETWORK',
    variable: 'VITRINE_WEBHOOK_ALLOW_NETWORKS',
    help: 'A network inside of yours to which webhooks may send, such as 192.168.4.0/24; at any port, and without TLS.',
    repeatable: true,
    parse: parseList(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  }),
  corsOrigins: defineSetting({
    flag: 'cors-origin',
    placeholder: 'ORIGIN',
    variable: 'VITRINE_CORS_ORIGINS',
    help: 'Another website whose pages may write with keys, such as https://app.example.org; * for any.',
    repeatable: true,
    parse: parseList(isOriginPattern, 'origins such as https://app.example.org, without a path, or *'),
  }),
};
