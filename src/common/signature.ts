// Values that come back from clients, signed so that nobody else can make them.

import { createHmac, timingSafeEqual } from 'node:crypto';

export const sign = (secret: string, ...parts: readonly (string | number)[]): string =>
  createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');

/** The time that it takes says nothing about how much of the text is right. */
export function isSameSecret(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
