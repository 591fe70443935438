// A browser sends its cookies also with requests that another site makes it send. A write in a session therefore needs
// a token that only our own pages have. The token is derived from the session.

import { apiText } from '../../common/src/api-text.ts';
import { Forbidden } from '../../common/src/errors.ts';
import { isSignature, type Secret, sign } from '../../common/src/signature.ts';
import type { RequestContext } from './request-context.ts';

export class Csrf {
  constructor(private readonly secret: Secret) {}

  tokenFor(session: string): string {
    return sign(this.secret, session);
  }

  /** The token is in a header or, from a page without script, in a form field. */
  async verify(context: RequestContext, session: string): Promise<void> {
    requireOwnOrigin(context.headers, context.origin);
    const token = context.headers.get('X-CSRFToken') ?? (await context.readCsrfToken());
    if (token === undefined) throw new Forbidden(apiText('csrfMissing'));
    if (!isSignature(token, this.secret, session)) throw new Forbidden(apiText('csrfWrong'));
  }
}

/** Browsers send the Origin header; other clients need not. */
export function requireOwnOrigin(headers: Headers, origin: string): void {
  if (isOwnOrigin(headers, origin)) return;
  throw new Forbidden(apiText('csrfOrigin', { sent: String(headers.get('Origin')), origin }));
}

export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const sentOrigin = headers.get('Origin');
  return sentOrigin === null || sentOrigin === origin;
}
