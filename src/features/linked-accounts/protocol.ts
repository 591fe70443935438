// The parts that OpenID Connect and LTI share: requests to the other site, and values that only the browser that began can
// have.

import type * as oidc from 'openid-client';
import { SignInServiceDown } from '#common/errors.ts';
import { sign } from '#common/signature.ts';
import { timeLimits } from '#common/time-limits.ts';
import { type AddressPolicy, fetchChecked } from '../../core/checked-fetch.ts';
import { type PersonNames, subjectPattern } from './linked-account.ts';

/** Clocks are not quite right. */
export const toleranceSeconds = 30;

/** The other site repeats these. The challenge is random, and stays with the browser. */
export const stateOf = (challenge: string) => sign(challenge, 'state');
export const nonceOf = (challenge: string) => sign(challenge, 'nonce');

const maxTries = 2;

/** For the library, which checks what comes back. `label` names the other site to people. */
export const createFetch =
  (policy: AddressPolicy, label: string): oidc.CustomFetch =>
  async (url, { signal = AbortSignal.timeout(timeLimits.signInService), ...request }) => {
    const target = new URL(url);
    for (let turn = 0; ; turn++)
      try {
        const response = await fetchChecked(policy, target, { ...(request as RequestInit), signal, turn });
        if (response) return await readAll(response);
        throw new Error(`${target.host} has no address that --webhook-allow-network allows.`);
      } catch (error) {
        // Of several addresses, one may not answer.
        if (turn + 1 === maxTries || signal.aborted) throw new SignInServiceDown(error, label);
      }
  };

const maxResponseBytes = 1024 * 1024;

async function readAll(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxResponseBytes) throw new Error('The answer is larger than a megabyte.');
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response(Buffer.concat(parts), { status, headers });
}

/** The failure of a request among the causes of an error, as the library hides it there. */
export function findRequestFailure(error: unknown): SignInServiceDown | undefined {
  if (error instanceof SignInServiceDown) return error;
  return error instanceof Error && error.cause !== undefined ? findRequestFailure(error.cause) : undefined;
}

/** Throws for a name of the person that cannot be stored. */
export function toSubject({ iss, sub }: oidc.IDToken, label: string): string {
  const subject = `${iss} ${sub}`;
  if (!subjectPattern.test(subject))
    throw new SignInServiceDown('The subject of a token is too long or odd.', label);
  return subject;
}

export const readText = (value: unknown) => (typeof value === 'string' ? value : '');

/** They go into a cookie. */
const maxNameLength = 80;

const readName = (value: unknown) => [...readText(value).toWellFormed()].slice(0, maxNameLength).join('');

export const readNames = (claims: Readonly<Record<string, unknown>>): PersonNames => ({
  username: readName(claims.preferred_username),
  first_name: readName(claims.given_name),
  last_name: readName(claims.family_name),
});
