// The request headers of operations that write.

import { anyText } from '../common/inputs.ts';
import type { VersionCheck } from '../gallery/changes/write.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { headerMatchesVersion } from '../rest/prepared-response.ts';
import type { OperationContext, Parameters } from '../rest/resource.ts';

/** Implemented by `transactOnce`. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': {
    description:
      'If the same request is sent again with the same key, it has no second effect and gets the same response.',
    ...anyText,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} satisfies Parameters;

/** Implemented by `buildVersionCheck`. */
export const ifMatchHeader = {
  'If-Match': {
    description: 'The ETag of the version that you have read. If it has changed since, the request fails.',
    ...anyText,
  },
} satisfies Parameters;

/** Builds the check of If-Match and If-None-Match; without these headers every version passes. */
export function buildVersionCheck({ headers }: Pick<OperationContext<Viewer>, 'headers'>): VersionCheck {
  const [ifMatch, ifNoneMatch] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (ifMatch === null || headerMatchesVersion(ifMatch, version)) &&
    (ifNoneMatch === null || !headerMatchesVersion(ifNoneMatch, version));
}
