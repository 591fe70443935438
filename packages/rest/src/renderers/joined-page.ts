// A page of a list whose records are JSON already.

import { toJson } from '../../../common/src/json.ts';
import type { Bytes } from '../prepared-response.ts';

const comma = Buffer.from(',');

/** The bytes of `toJson({ ...page, results })`. */
export function joinPage(page: object, results: readonly Bytes[]): Bytes {
  const [start, end] = toJson({ ...page, results: [] }).split(/(?<="results":\[)/);
  const parts = results.flatMap((json, index) => (index ? [comma, json] : [json]));
  return Buffer.concat([Buffer.from(start ?? ''), ...parts, Buffer.from(end ?? '')]);
}
