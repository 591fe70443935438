// Requests to a URL that reach only addresses which rules allow: the connection goes to the address that was checked, not to
// the one that the name has a moment later.

import { isIP } from 'node:net';
import { dns } from 'bun';
import { withoutBrackets } from '#common/networks.ts';

export interface AddressPolicy {
  /** `address` is the one to which the connection is made. */
  allows(address: string, target: URL): boolean;
}

interface CheckedRequest extends BunFetchRequestInit {
  readonly signal: AbortSignal;
  /** Chooses one of several addresses. */
  readonly turn?: number;
}

/** Undefined if the name has no address, or none that is allowed. A redirect is an answer like others. */
export async function fetchChecked(
  policy: AddressPolicy,
  target: URL,
  { turn = 0, ...init }: CheckedRequest,
): Promise<Response | undefined> {
  const addresses = await orAborted(findAddresses(policy, target), init.signal);
  const address = addresses[turn % addresses.length];
  if (address === undefined) return undefined;
  const checked = new URL(target);
  checked.hostname = isIP(address) === 6 ? `[${address}]` : address;
  const headers = new Headers(init.headers);
  headers.set('Host', target.host);
  return fetch(checked, {
    ...init,
    headers,
    redirect: 'manual',
    // A certificate for an address names the address.
    tls: isIP(withoutBrackets(target)) ? {} : { serverName: target.hostname },
  });
}

/**
 * The usual `getaddrinfo` has a few threads, so that a few names whose servers never answer would hold up all others.
 */
async function findAddresses(policy: AddressPolicy, target: URL): Promise<string[]> {
  const found = await dns.lookup(withoutBrackets(target), { backend: 'c-ares' }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => policy.allows(address, target));
}

export function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([promise, aborted]);
}
