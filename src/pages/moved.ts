import type { Address } from '../rest/address.ts';
import { type Answer, answer } from '../rest/answer.ts';

export function movedTo(location: string, { search }: Address): Answer {
  return answer(301, { Location: `${location}${search}` });
}

/** After something was done: what the browser is to look at now. */
export function seeOther(path: string, cookies: readonly string[] = []): Answer {
  const given = answer(303, { Location: path, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) given.headers.append('Set-Cookie', cookie);
  return given;
}
