// The tags by which shared caches purge responses: those of a response, and those that a change makes stale.

import sql, { join } from 'sql-template-tag';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import type { RequestUrl } from '#rest/request-url.ts';
import { SharedCaching } from '#rest/shared-caching.ts';
import { pick, type Reader, select } from '#sql';
import { invalidationOf } from '../../core/changes/change-kinds.ts';
import type { CreateSharedCaching } from '../../projects/background-work.ts';
import { projectTable } from '../../projects/tables.ts';

/** Every response has it. */
export const everything = 'all';
/** Responses that can show anything: every change purges them. */
const anything = 'any';
/** With more, the headers would not fit what proxies expect. */
const maxProjects = 100;

const tagOfId = (id: number) => `project-${id}`;
/** Shorter than the uuid. If two projects share it, more is purged than has to be. */
const tagOfUuid = (uuid: string) => `c-${Bun.hash(uuid).toString(36).slice(-7)}`;

/**
 * A response names the projects that it links to. All pages, feeds and records link to what they show, except records with
 * chosen members.
 */
export function findCacheTags(
  { path, query }: Pick<RequestUrl, 'path' | 'query'>,
  { headers, body, subjectId, streamBody }: PreparedResponse,
) {
  // Programs that poll it want to know at once.
  if (path.startsWith('/api/v1/changes/')) return undefined;
  if (streamBody || headers.get('Cache-Control')?.startsWith('public')) return everything;
  const uuids = new Set<string>();
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  // Not in the query: there, anybody can write an address.
  for (const part of [path, headers.get('Location') ?? '', text])
    for (const [, uuid = ''] of part.matchAll(/\/content\/([A-Za-z0-9]{4,40})\b/g))
      uuids.add(tagOfUuid(uuid));
  const tags = [everything, ...(subjectId === undefined ? [] : [tagOfId(subjectId)])];
  const hasChosenMembers = query.has('fields') || query.has('omit');
  const showsAnything = subjectId === undefined && (uuids.size === 0 || hasChosenMembers);
  if (showsAnything || uuids.size > maxProjects) tags.push(anything);
  return [...tags, ...(uuids.size > maxProjects ? [] : uuids)].join(' ');
}

export const createSharedCaching: CreateSharedCaching = ({ publicMaxAge }) =>
  publicMaxAge ? new SharedCaching(publicMaxAge, findCacheTags) : undefined;

interface Change {
  readonly kind: string;
  readonly action: string;
  readonly subject: number;
}

/** The tags of all responses that may be stale after these changes. */
export async function findStaleTags(reader: Reader, changes: readonly Change[]): Promise<string[]> {
  const ids = new Set<number>();
  let isListed = false;
  for (const { kind, action, subject } of changes) {
    const invalidation = invalidationOf(kind, action);
    if (invalidation === 'everything') return [everything];
    if (invalidation === 'project') ids.add(subject);
    isListed ||= invalidation !== 'nothing';
  }
  if (ids.size > maxProjects) return [everything];
  if (!isListed) return [];
  const query = sql`from project where id in (${join(ids.size ? [...ids] : [0])})`;
  const projects = await reader.all(select(pick(projectTable.columns, 'uuid'), query));
  return [anything, ...[...ids].map(tagOfId), ...projects.map(({ uuid }) => tagOfUuid(uuid))];
}
