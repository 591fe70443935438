// Writes of API operations: one transaction, with support for If-Match and Idempotency-Key.

import { z } from 'zod';
import type { Database } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { runOnce } from '../gallery/changes/idempotency.ts';
import { transact } from '../gallery/changes/transact.ts';
import type { VersionCheck, WriteContext } from '../gallery/projects/change.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { hashBody } from '../rest/parsers.ts';
import { headerMatchesVersion } from '../rest/prepared-response.ts';
import type { OperationContext, OperationResult, Parameters } from '../rest/resource.ts';

/** Implemented by `transactOnce`. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': {
    description:
      'If the same request is sent again with the same key, it has no second effect and gets the same response.',
    schema: z.string().min(1).max(255),
  },
} satisfies Parameters;

/** Implemented by `buildVersionCheck`. */
export const ifMatchHeader = {
  'If-Match': {
    description: 'The ETag of the version that you have read. If it has changed since, the request fails.',
    schema: z.string(),
  },
} satisfies Parameters;

export function transactOnce(
  database: Database,
  context: OperationContext<Viewer>,
  work: (write: WriteContext) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { viewer, method } = context;
  const key = method === 'POST' ? readIdempotencyKey(context) : undefined;
  return transact(database, viewer.contributor, (transaction, changeSet) => {
    const run = () => work({ transaction, changeSet, viewer });
    return key ? runOnce(transaction, changeSet.at, key, run) : run();
  });
}

function readIdempotencyKey({ method, headers, viewer, path, body }: OperationContext<Viewer>) {
  const key = headers.get('Idempotency-Key');
  if (key === null || viewer.contributor === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Invalid({
      non_field_errors: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
    });
  const hash = new Bun.CryptoHasher('sha256').update(`${method} ${path.replace(/\/?$/, '/')}\n`);
  hashBody(hash, body, headers.get('Content-Type'));
  return { contributor: viewer.contributor, key, request: hash.digest('hex') };
}

/** Builds the check of If-Match and If-None-Match; without these headers every version passes. */
export function buildVersionCheck({ headers }: OperationContext<Viewer>): VersionCheck {
  const [ifMatch, ifNoneMatch] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (ifMatch === null || headerMatchesVersion(ifMatch, version)) &&
    (ifNoneMatch === null || !headerMatchesVersion(ifNoneMatch, version));
}
