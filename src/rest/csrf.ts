// A browser sends its cookies with whatever another site makes it send. Who changes something in a session must
// show, beside the cookie, what only our own pages could have told: a token that follows from the session.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { Forbidden } from '../errors.ts';
import type { RequestContext } from './request-context.ts';

export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export class Csrf {
  constructor(private readonly secret: string) {}

  tokenOf(session: string): string {
    return createHmac('sha256', this.secret).update(session).digest('base64url');
  }

  /** The token comes in a header or, from a page without script, in a field of its form. */
  async demand(context: RequestContext, session: string): Promise<void> {
    demandOwnOrigin(context.headers, context.base);
    const token = context.headers.get('X-CSRFToken') ?? (await context.formToken());
    if (token === undefined) throw new Forbidden('CSRF Failed: CSRF token missing.');
    const [given, wanted] = [Buffer.from(token), Buffer.from(this.tokenOf(session))];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      throw new Forbidden('CSRF Failed: CSRF token incorrect.');
  }
}

/** A browser tells where a request comes from; other clients need not. */
export function demandOwnOrigin(headers: Headers, base: string): void {
  if (isOwnOrigin(headers, base)) return;
  const origin = headers.get('Origin');
  throw new Forbidden(`CSRF Failed: Origin checking failed - ${origin} does not match ${base}.`);
}

export function isOwnOrigin(headers: Headers, base: string): boolean {
  const origin = headers.get('Origin');
  return origin === null || origin === base;
}
