// Networks of addresses, such as 10.0.0.0/8, and names of hosts.

import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The host of a URL. An IPv6 address has brackets in a URL, and none elsewhere. */
export const withoutBrackets = ({ hostname }: Pick<URL, 'hostname'>): string =>
  hostname.replace(/^\[|\]$/g, '');

export class Networks {
  readonly #list = new BlockList();

  /** Of networks, or single addresses. */
  constructor(private readonly networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      if (prefix === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(prefix), familyOf(address));
    }
  }

  get isEmpty(): boolean {
    return this.networks.length === 0;
  }

  /** False for a text that is no address. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

/**
 * Whether a site serves a host, in lower case and without its port. Allowed are names, names with a dot before them for all
 * their subdomains too, or * for all.
 */
export const isServed = (host: string, allowed: readonly string[]) =>
  allowed.some(
    (name) => name === '*' || name === host || (name.startsWith('.') && `.${host}`.endsWith(name)),
  );
