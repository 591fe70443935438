// Idempotency-Key: how a client marks a request that it may send again.

import { createHash } from 'node:crypto';
import { Invalid } from '../../common/src/errors.ts';
import { hashBody } from './multipart.ts';
import type { ParsedBody } from './parsers.ts';
import type { RequestContext } from './request-context.ts';

export interface IdempotencyKey {
  readonly key: string;
  /** Identifies the request: its method, path and body. */
  readonly request: string;
}

/** Undefined for other methods than POST, and without the header. */
export async function readIdempotencyKey(
  { method, headers }: RequestContext,
  path: string,
  body: ParsedBody,
): Promise<IdempotencyKey | undefined> {
  const key = method === 'POST' ? headers.get('Idempotency-Key') : null;
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Invalid({
      non_field_errors: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
    });
  const hash = createHash('sha256').update(`${method} ${path.replace(/\/?$/, '/')}\n`);
  await hashBody(hash, body.bytes, headers.get('Content-Type'));
  return { key, request: hash.digest('hex') };
}
