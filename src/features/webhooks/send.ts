// Sends a request to a URL that somebody has entered, without reaching anything inside the operator's network.

import { createHmac } from 'node:crypto';
import type { AddressRules } from '#common/address-rules.ts';
import { errorCode } from '#common/errors.ts';
import { timeLimits } from '#common/time-limits.ts';
import { fetchChecked, orAborted } from '../../core/checked-fetch.ts';
import type { Instant } from '../../core/instant.ts';
import { readRetryAfter } from './retry-delay.ts';
import { type AttemptError, type Webhook, webhookLimits } from './webhook.ts';

// Requests and their signatures, as Standard Webhooks (www.standardwebhooks.com) has them.

export interface Event {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly at: Instant;
  readonly data: object;
}

const formatTime = (at: Instant) => new Date(at / 1000).toISOString();

/** `sequence` is the number of the first event. A receiver that takes several events at a time always gets a list. */
export function formatRequest(
  { batch_size }: Pick<Webhook, 'batch_size'>,
  events: readonly Event[],
  at: Instant,
): { readonly id: string; readonly sequence: number; readonly content: object } {
  const [first, last] = [events[0] as Event, events.at(-1) as Event];
  const format = ({ type, at, data }: Event) => ({ type, timestamp: formatTime(at), data });
  if (batch_size === 1) return { ...first, content: format(first) };
  const id = first === last ? first.id : `${first.id}-${last.sequence}`;
  const listed = events.map((event) => ({ id: event.id, ...format(event) }));
  const content = { type: 'events', timestamp: formatTime(at), data: { events: listed } };
  return { id, sequence: first.sequence, content };
}

type Secrets = Pick<Webhook, 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** The headers of an event. After a change of the secret there are two signatures. */
export function signEvent(secrets: Secrets, id: string, at: Instant, body: string): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000_000));
  const signatures = findSecrets(secrets, at).map((secret) => {
    const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

function findSecrets({ secret, previous_secret, previous_secret_until }: Secrets, at: Instant): string[] {
  const isOverlap = previous_secret !== null && (previous_secret_until ?? 0) > at;
  return isOverlap ? [secret, previous_secret] : [secret];
}

interface OutgoingRequest {
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
  /** Seconds of the Retry-After header; 0 without one. */
  readonly retryAfter: number;
}

const noAnswer = { status: null, text: '', retryAfter: 0 } as const;

const maxBytes = 64 * 1024;

/** `turn` chooses one of several addresses. Throws only the reason of `signal`. */
export async function send(
  rules: AddressRules,
  { url, headers, body }: OutgoingRequest,
  turn: number,
  signal: AbortSignal,
  keepalive = true,
): Promise<Answer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimits.webhook)]);
  try {
    const response = await fetchChecked(rules, new URL(url), {
      method: 'POST',
      headers,
      body,
      // Bun keeps connections by address and, with TLS, by name: a test says so.
      keepalive,
      decompress: false,
      signal: limit,
      turn,
    });
    if (!response) return { ...noAnswer, error: 'address' };
    const text = await readStart(response, limit);
    const retryAfter = readRetryAfter(response.headers.get('Retry-After'));
    return { status: response.status, error: response.ok ? '' : 'status', text, retryAfter };
  } catch (error) {
    signal.throwIfAborted();
    // The receiver may have closed a kept connection at this moment: a new one shows whether it is there.
    if (keepalive && !limit.aborted && errorCode(error) === 'ECONNRESET')
      return send(rules, { url, headers, body }, turn, signal, false);
    return { ...noAnswer, error: limit.aborted ? 'timeout' : describeError(error) };
  }
}

/** Only the status decides: a body may be endless, or break off. */
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
    // The part that has arrived is kept.
  } finally {
    void reader?.cancel().catch(() => {});
  }
  return toStoredText(Buffer.concat(parts).subarray(0, webhookLimits.storedBytes));
}

/** PostgreSQL stores no NUL. */
const toStoredText = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');

const describeError = (error: unknown): AttemptError =>
  /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(errorCode(error) ?? '') ? 'certificate' : 'connection';
