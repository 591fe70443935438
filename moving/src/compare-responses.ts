// Compares the text of a response with that of the old site: a record, or a page of a listing with its order.

import { isJsonObject } from '../../packages/common/src/json.ts';
import { type Difference, normalize } from './compare.ts';

/** With the id of the record, if the response is a listing. */
export type ResponseDifference = Difference & { readonly id?: unknown };

export function compareResponses(old: unknown, ours: unknown): ResponseDifference[] {
  if (!isJsonObject(old) || !isJsonObject(ours)) return compareMembers({ body: old }, { body: ours });
  const { results: oldResults, ...oldPage } = old;
  const { results, ...page } = ours;
  if (!Array.isArray(oldResults) || !Array.isArray(results)) return compareMembers(old, ours);
  return [...compareMembers(oldPage, page), ...compareResults(oldResults, results)];
}

function compareResults(old: readonly unknown[], ours: readonly unknown[]): ResponseDifference[] {
  const oldIds = old.map(idOf);
  const ids = ours.map(idOf);
  const ownRecords = new Map(ours.map((record) => [idOf(record), record]));
  const differences: ResponseDifference[] = old.flatMap((oldRecord) => {
    const id = idOf(oldRecord);
    const record = ownRecords.get(id);
    if (!isJsonObject(oldRecord) || !isJsonObject(record)) return [];
    return compareMembers(oldRecord, record).map((difference) => ({ id, ...difference }));
  });
  if (Bun.deepEquals(oldIds, ids)) return differences;
  const isSameSet = Bun.deepEquals(new Set(oldIds), new Set(ids));
  return [{ member: isSameSet ? 'order' : 'results', old: oldIds, new: ids }, ...differences];
}

const idOf = (record: unknown): unknown => (isJsonObject(record) ? record.id : undefined);

function compareMembers(old: Record<string, unknown>, ours: Record<string, unknown>): Difference[] {
  return [...new Set([...Object.keys(old), ...Object.keys(ours)])]
    .filter((member) => !isEqual(member, old[member], ours[member]))
    .map((member) => ({ member, old: old[member], new: ours[member] }));
}

function isEqual(member: string, old: unknown, ours: unknown): boolean {
  // The addresses of the neighboring pages have no host either.
  const kind = member === 'next' || member === 'previous' ? 'url' : member;
  return Bun.deepEquals(normalize(kind, old), normalize(kind, ours), true);
}
