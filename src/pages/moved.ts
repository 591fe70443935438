import type { Address } from '../rest/address.ts';
import { type Answer, answer } from '../rest/answer.ts';

export function movedTo(location: string, { search }: Address): Answer {
  return answer(301, { Location: `${location}${search}` });
}
