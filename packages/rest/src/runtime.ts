// Functions of Bun that are faster than standard code, which does the same on Node.

import { createHash } from 'node:crypto';

export const isBun = typeof Bun !== 'undefined';

const entities: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
};

export const escapeHtml: (text: string) => string = isBun
  ? Bun.escapeHTML
  : (text) => text.replace(/["&'<>]/g, (sign) => entities[sign] ?? sign);

/** Nobody who does not know the seed can find texts with the same hash. */
export const hash64 = (content: string | Uint8Array<ArrayBuffer>, seed = 0n): bigint =>
  isBun
    ? BigInt(Bun.hash(content, seed))
    : createHash('sha256').update(String(seed)).update(content).digest().readBigUInt64LE();
