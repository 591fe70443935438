// Values that come back from clients, signed so that nobody else can make them.

import { createHmac, timingSafeEqual } from 'node:crypto';

export const sign = (secret: string, ...parts: readonly (string | number)[]): string =>
  createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');

/** The time that it takes says nothing about how much of the text is right. */
export function isSameSecret(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A text that only `openTicket` reads, with the same secret and for the same purpose, until it expires. */
export function sealTicket(secret: string, purpose: string, content: object, seconds: number): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  const expires = Date.now() + seconds * 1000;
  return [text, expires, sign(secret, 'ticket', purpose, text, expires)].join('.');
}

export function openTicket<Content extends object>(
  secret: string,
  purpose: string,
  ticket: string,
): Content | undefined {
  const [text = '', expires = '', signature = ''] = ticket.split('.');
  if (!(Number(expires) > Date.now())) return undefined;
  if (!isSameSecret(signature, sign(secret, 'ticket', purpose, text, expires))) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
