// The rules for addresses of webhooks: https to the public internet, and everything in the networks that the operator
// allows.

import { isIP } from 'node:net';
import { apiText } from '../../common/api-text.ts';
import { InvalidValue } from '../../common/fields.ts';
import { Networks, withoutBrackets } from '../../common/networks.ts';
import { isPublicAddress, normalizeAddress } from './addresses.ts';

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
    if (!url?.hostname || !/^https?:$/.test(url.protocol)) throw new InvalidValue(apiText('webhook.noUrl'));
    if (url.username || url.password) throw new InvalidValue(apiText('webhook.password'));
    if (url.hash || text.includes('#')) throw new InvalidValue(apiText('webhook.fragment'));
    if (this.#allowed.isEmpty) requirePublicTarget(url);
    const address = withoutBrackets(url);
    const isAllowed = isIP(address)
      ? this.allows(address, url)
      : !this.#allowed.isEmpty || isPublicName(address);
    if (!isAllowed) throw new InvalidValue(apiText('webhook.inside'));
    return url.href;
  }
}

/** Ports below 1024 belong to services that speak something else than HTTP. */
const isWebPort = ({ port }: Target) => port === '' || port === '443' || Number(port) >= 1024;
const isPublicTarget = (target: Target) => target.protocol === 'https:' && isWebPort(target);

function requirePublicTarget(target: Target): void {
  if (target.protocol !== 'https:') throw new InvalidValue(apiText('webhook.https'));
  if (!isWebPort(target)) throw new InvalidValue(apiText('webhook.port'));
}

/** Names without a dot, and those of RFC 6761 and 6762, belong to private networks. */
const isPublicName = (name: string) =>
  /^[^.]+(\.[^.]+)+\.?$/.test(name) && !/\.(localhost|local|internal|lan|home\.arpa)\.?$/.test(name);
