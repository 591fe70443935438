// Values that come back from clients, signed so that nobody else can make them.

import { createHmac, timingSafeEqual } from 'node:crypto';

/** One, or a list that may change, of which the first signs and all are accepted. */
export type Secret = string | (() => readonly [string, ...string[]]);

type Parts = readonly (string | number)[];

export const sign = (secret: Secret, ...parts: Parts): string => signaturesOf(secret, ...parts)[0];

/** All that are accepted; the first is the one that is made now. */
export function signaturesOf(secret: Secret, ...parts: Parts): [string, ...string[]] {
  const [current, ...others] = typeof secret === 'string' ? ([secret] as const) : secret();
  const signWith = (one: string) => createHmac('sha256', one).update(parts.join('\n')).digest('base64url');
  return [signWith(current), ...others.map(signWith)];
}

export const isSignature = (signature: string, secret: Secret, ...parts: Parts): boolean =>
  signaturesOf(secret, ...parts).some((accepted) => isSameSecret(signature, accepted));

/** The time that it takes says nothing about how much of the text is right. */
export function isSameSecret(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A text that only `openTicket` reads, with the same secret and for the same purpose, until it expires. */
export function sealTicket(secret: Secret, purpose: string, content: object, seconds: number): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  const expires = Date.now() + seconds * 1000;
  return [text, expires, sign(secret, 'ticket', purpose, text, expires)].join('.');
}

export function openTicket<Content extends object>(
  secret: Secret,
  purpose: string,
  ticket: string,
): Content | undefined {
  const [text = '', expires = '', signature = ''] = ticket.split('.');
  if (!(Number(expires) > Date.now())) return undefined;
  if (!isSignature(signature, secret, 'ticket', purpose, text, expires)) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
