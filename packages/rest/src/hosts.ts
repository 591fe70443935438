// The host and the client address of a request. A Host header is used in responses only if the operator allows the host;
// X-Forwarded headers count only from configured proxies.

import { isIP } from 'node:net';
import { isServed, Networks } from '../../common/src/networks.ts';

export interface Connections {
  /** The network address of the other end of the connection; undefined in tests, which have no connection. */
  peerAddress(request: Request): string | undefined;
  /** Keeps the connection open for this many seconds without traffic. */
  extendIdleTimeout?(request: Request, seconds: number): void;
}

/** Seconds without traffic after which a connection is closed; requests time out earlier. */
export const idleTimeout = 10;

const hostPattern = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;
const maxCachedHosts = 1000;

export class Hosts {
  #proxies: Networks;
  /** Keys are Host headers as sent. */
  #httpOrigins = new Map<string, string>();
  #httpsOrigins = new Map<string, string>();

  constructor(
    private readonly allowed: readonly string[],
    proxies: readonly string[],
  ) {
    this.#proxies = new Networks(proxies);
  }

  /** Scheme and host for the URLs in responses; undefined for a host that is not allowed. */
  findOrigin(request: Request, headers: Headers, connections: Connections): string | undefined {
    let host = headers.get('Host');
    let origins = this.#httpOrigins;
    if (!this.#proxies.isEmpty && this.#isProxy(connections.peerAddress(request))) {
      host = lastInList(headers.get('X-Forwarded-Host')) ?? host;
      if (lastInList(headers.get('X-Forwarded-Proto')) === 'https') origins = this.#httpsOrigins;
    }
    if (host === null) return undefined;
    const cached = origins.get(host);
    if (cached !== undefined) return cached;
    if (!this.#isAllowed(host)) return undefined;
    const origin = `${origins === this.#httpOrigins ? 'http' : 'https'}://${host.toLowerCase()}`;
    if (origins.size < maxCachedHosts) origins.set(host, origin);
    return origin;
  }

  /**
   * The network address by which limits count: the last one in X-Forwarded-For that is not one of our proxies. Entries
   * before that may be forged, so an entry that is not an address ends the search: its proxy counts instead.
   */
  findClientAddress(request: Request, headers: Headers, connections: Connections): string {
    let address = connections.peerAddress(request) ?? '';
    if (this.#proxies.isEmpty) return toNetwork(address);
    const hops = (headers.get('x-forwarded-for') ?? '').split(',');
    while (this.#isProxy(address)) {
      const hop = parseHop(hops.pop() ?? '');
      if (hop === undefined) break;
      address = hop;
    }
    return toNetwork(address);
  }

  #isProxy(address: string | undefined): boolean {
    return this.#proxies.has(address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '');
  }

  #isAllowed(host: string): boolean {
    const [, hostname, port = '0'] = hostPattern.exec(host) ?? [];
    const name = hostname?.toLowerCase().replace(/\.$/, '');
    return name !== undefined && Number(port) <= 65535 && isServed(name, this.allowed);
  }
}

const maxReported = 20;

/** Reports hosts that are refused, once for each: the response does not say what to do. */
export class RefusedHosts {
  readonly #reported = new Set<string>();

  constructor(private readonly report: (name: string) => void) {}

  add(headers: Headers): void {
    const host = (headers.get('X-Forwarded-Host') ?? headers.get('Host') ?? '').toLowerCase();
    const [, name] = hostPattern.exec(host) ?? [];
    if (name === undefined || this.#reported.has(name) || this.#reported.size >= maxReported) return;
    this.#reported.add(name);
    this.report(name);
  }
}

/**
 * An address with or without a port; undefined for anything else. Some proxies write an element of the header Forwarded
 * (RFC 7239) here, such as `for="[2001:db8::1]:5678"`.
 */
function parseHop(hop: string): string | undefined {
  const [first = ''] = hop.trim().split(';', 1);
  const node = first.replace(/^for=/i, '').replaceAll('"', '').trim();
  if (isIP(node) !== 0) return node;
  const withoutPort = node.replace(/:\d{1,5}$/, '');
  const address = /^\[(.*)\]$/.exec(withoutPort)?.[1] ?? withoutPort;
  return isIP(address) === 0 ? undefined : address;
}

/** The first half of an IPv6 address: one client can use all addresses that differ in the second half. */
function toNetwork(address: string): string {
  if (!address.includes(':') || /^::ffff:\d+\./i.test(address)) return address.replace(/^::ffff:/i, '');
  const [before = '', after] = address.toLowerCase().split('::');
  const head = before.split(':').filter(Boolean);
  const tail = after?.split(':').filter(Boolean) ?? [];
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Each proxy appends its value, so that the last one comes from a proxy that we trust. */
const lastInList = (value: string | null): string | undefined =>
  value?.split(',').at(-1)?.trim() || undefined;
