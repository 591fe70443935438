// The rules for addresses to which the server sends requests, such as those of webhooks: https to the public internet, and everything in the networks that the operator
// allows.

import { isIP } from 'node:net';
import { apiText } from './api-text.ts';
import { InvalidValue } from './inputs.ts';
import { Networks, withoutBrackets } from './networks.ts';

type Target = Pick<URL, 'protocol' | 'port'>;

export class AddressRules {
  readonly #allowed: Networks;

  /** Of networks such as 192.168.4.0/24, beside the public internet. */
  constructor(networks: readonly string[]) {
    this.#allowed = new Networks(networks);
  }

  /** `address` is the one to which the connection is made: a name may lead elsewhere later. */
  allows(address: string, target: Target): boolean {
    const normal = normalizeAddress(address);
    return this.#allowed.has(normal) || (isPublicTarget(target) && isPublicAddress(normal));
  }

  /** Returns the usual form of a URL, or throws InvalidValue. The addresses of its name are checked at each attempt. */
  readUrl(text: string): string {
    const url = URL.parse(text);
    if (!url?.hostname || !/^https?:$/.test(url.protocol)) throw new InvalidValue(apiText('address.noUrl'));
    if (url.username || url.password) throw new InvalidValue(apiText('address.password'));
    if (url.hash || text.includes('#')) throw new InvalidValue(apiText('address.fragment'));
    if (this.#allowed.isEmpty) requirePublicTarget(url);
    const address = withoutBrackets(url);
    const isAllowed = isIP(address)
      ? this.allows(address, url)
      : !this.#allowed.isEmpty || isPublicName(address);
    if (!isAllowed) throw new InvalidValue(apiText('address.inside'));
    return url.href;
  }
}

/** Ports below 1024 belong to services that speak something else than HTTP. */
const isWebPort = ({ port }: Target) => port === '' || port === '443' || Number(port) >= 1024;
const isPublicTarget = (target: Target) => target.protocol === 'https:' && isWebPort(target);

function requirePublicTarget(target: Target): void {
  if (target.protocol !== 'https:') throw new InvalidValue(apiText('address.https'));
  if (!isWebPort(target)) throw new InvalidValue(apiText('address.port'));
}

/** Names without a dot, and those of RFC 6761 and 6762, belong to private networks. */
const isPublicName = (name: string) =>
  /^[^.]+(\.[^.]+)+\.?$/.test(name) && !/\.(localhost|local|internal|lan|home\.arpa)\.?$/.test(name);

// Public network addresses. Nobody may reach the operator's own network through the gallery, unless the operator allows it.

/** Everything that is not public in IPv4 (RFC 6890), and the address of a service that Azure offers to its own machines. */
const insideIpv4 = new Networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16',
]);
const publicIpv6 = new Networks(['2000::/3']);
/** Parts of `publicIpv6` that are not public, or lead to IPv4: Teredo and 6to4. */
const insideIpv6 = new Networks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** IPv6 with an IPv4 address in the last 32 bits: mapped, and NAT64. */
const embeddedIpv4 = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** The IPv4 address that an IPv6 address stands for, or the address itself in its usual form. */
function normalizeAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const normal = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  // An address with the name of a network interface.
  if (normal === undefined) return '';
  const [, high, low] = embeddedIpv4.exec(normal) ?? [];
  if (high === undefined || low === undefined) return normal;
  const bits = [high, low].map((part) => Number.parseInt(part, 16));
  return bits.flatMap((part) => [part >> 8, part & 255]).join('.');
}

function isPublicAddress(address: string): boolean {
  const normal = normalizeAddress(address);
  const version = isIP(normal);
  if (version === 4) return !insideIpv4.has(normal);
  return version === 6 && publicIpv6.has(normal) && !insideIpv6.has(normal);
}
