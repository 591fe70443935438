// Sends a request to an address that somebody has entered, without reaching anything inside of the operator's network:
// the connection goes to an address that was checked, and not to whatever the name leads to a moment later.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode } from '../errors.ts';
import type { AddressRules } from '../gallery/webhooks/address-rules.ts';
import { type AttemptError, webhookLimits } from '../gallery/webhooks/webhook.ts';
import { readRetryAfter } from './backoff.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number | null;
  /** Empty after a success. */
  readonly error: AttemptError;
  /** The beginning of the body. */
  readonly text: string;
  /** After how many seconds the receiver wants to be asked again; 0 if it does not say. */
  readonly retryAfter: number;
}

const noAnswer = { status: null, text: '', retryAfter: 0 } as const;

const timeoutMs = 10_000;
const maxBytes = 64 * 1024;

/** `turn` chooses one of several addresses. Throws nothing but what `signal` was aborted with. */
export async function send(
  rules: AddressRules,
  { url, headers, body }: OutgoingRequest,
  turn: number,
  signal: AbortSignal,
): Promise<Answer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const target = new URL(url);
  try {
    const addresses = await orAborted(findAddresses(target, rules), limit);
    const address = addresses[turn % addresses.length];
    if (address === undefined) return { ...noAnswer, error: 'address' };
    const { host, hostname } = target;
    const checked = new URL(target);
    checked.hostname = isIP(address) === 6 ? `[${address}]` : address;
    const response = await fetch(checked, {
      method: 'POST',
      headers: { ...headers, Host: host },
      body,
      redirect: 'manual',
      // Connections are kept by address, and might belong to another name.
      keepalive: false,
      decompress: false,
      signal: limit,
      // A certificate for an address names the address.
      tls: isIP(nameOf(target)) ? {} : { serverName: hostname },
    });
    const text = await readStart(response, limit);
    const retryAfter = readRetryAfter(response.headers.get('Retry-After'));
    return { status: response.status, error: response.ok ? '' : 'status', text, retryAfter };
  } catch (error) {
    signal.throwIfAborted();
    return { ...noAnswer, error: limit.aborted ? 'timeout' : describeError(error) };
  }
}

const nameOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Those to which the request may go. */
async function findAddresses(target: URL, rules: AddressRules): Promise<string[]> {
  const found = await lookup(nameOf(target), { all: true }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => rules.allows(address, target));
}

function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([promise, aborted]);
}

/** The status counts as soon as it is there, so that a body may be endless, or break off. */
async function readStart(response: Response, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  try {
    while (reader && bytes < maxBytes) {
      const { done, value } = await orAborted(reader.read(), signal);
      if (done) break;
      bytes += value.length;
      parts.push(value);
    }
  } catch {
    // What has come is kept.
  } finally {
    void reader?.cancel().catch(() => {});
  }
  return toStoredText(Buffer.concat(parts).subarray(0, webhookLimits.storedBytes));
}

/** PostgreSQL stores no NUL. */
const toStoredText = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');

function describeError(error: unknown): AttemptError {
  return /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(errorCode(error) ?? '') ? 'certificate' : 'connection';
}
