// On which names and from which addresses the site is asked. Nothing of a request's Host reaches an answer unless
// the operator has allowed it, and the X-Forwarded headers count from configured proxies only.

import { BlockList, isIP } from 'node:net';

export interface Peer {
  /** The address at the other end of the connection; undefined where there is no connection, as in tests. */
  address(): string | undefined;
}

const hostPattern = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const hostsRemembered = 1000;

export class Hosts {
  #exact = new Set<string>();
  #suffixes: string[] = [];
  #any = false;
  #proxies = new BlockList();
  #hasProxies: boolean;
  #bases = new Map<string, string>();

  constructor(allowed: readonly string[], proxies: readonly string[]) {
    for (const host of allowed) {
      if (host === '*') this.#any = true;
      else if (host.startsWith('.')) this.#suffixes.push(host);
      else this.#exact.add(host);
    }
    this.#hasProxies = proxies.length > 0;
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(prefix), family);
    }
  }

  /** Scheme and host, as every address in the answer begins; undefined for a host that is not allowed. */
  base(request: Request, peer: Peer): string | undefined {
    const { headers } = request;
    let host = headers.get('host');
    let scheme = 'http';
    if (this.#hasProxies && this.#isProxy(peer.address())) {
      host = last(headers.get('x-forwarded-host')) ?? host;
      if (last(headers.get('x-forwarded-proto')) === 'https') scheme = 'https';
    }
    if (host === null) return undefined;
    const key = `${scheme}://${host}`;
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    if (!this.#isAllowed(host)) return undefined;
    const base = key.toLowerCase();
    if (this.#bases.size < hostsRemembered) this.#bases.set(key, base);
    return base;
  }

  /** The address that limits are counted by: the last one that no proxy of ours has. */
  client(request: Request, peer: Peer): string {
    const address = peer.address() ?? '';
    if (!this.#hasProxies || !this.#isProxy(address)) return address;
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
    return hops.reverse().find((hop) => isIP(hop) !== 0 && !this.#isProxy(hop)) ?? address;
  }

  #isProxy(address: string | undefined): boolean {
    const bare = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
    const version = isIP(bare);
    return version !== 0 && this.#proxies.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  }

  #isAllowed(host: string): boolean {
    const name = hostPattern.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '');
    if (!name) return false;
    return (
      this.#any ||
      this.#exact.has(name) ||
      this.#suffixes.some((suffix) => name === suffix.slice(1) || name.endsWith(suffix))
    );
  }
}

/** Each proxy appends: the last word is that of the one we know. */
function last(value: string | null): string | undefined {
  return value?.split(',').at(-1)?.trim() || undefined;
}
