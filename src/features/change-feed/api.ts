// /api/v1/changes/: all changes in order, for clients that keep a copy of the gallery.

import { z } from 'zod';
import { Invalid, NotSignedIn } from '#common/errors.ts';
import { choiceText, numberText } from '#common/inputs.ts';
import { findListColumns } from '#rest/list-formats.ts';
import type { Parameters } from '#rest/resource.ts';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import { type ApiContext, type ApiResource, noStore, operation } from '../../core/api/operation.ts';
import { numberSchema, timestampSchema } from '../../core/api/schemas.ts';
import { feedKinds, subjectOf } from '../../core/changes/change-kinds.ts';
import { findChangeHead } from '../../core/changes/head.ts';
import { formatInstant } from '../../core/instant.ts';
import type { ViewerAuthenticator } from '../../core/viewer/authenticator.ts';
import { type FeedEntry, listChangesSince } from '../../projects/changes/change-feed.ts';
import { projectFilters } from '../../projects/reading/filters.ts';
import type { AppliedFilters } from '../../projects/reading/tagged-projects.ts';
import { listArchivedSince } from './archive.ts';

const changeSchema = z
  .object({
    sequence: numberSchema,
    at: timestampSchema,
    action: z.string().describe('What was done; `gone` if you may no longer see its subject.'),
    kind: z.enum(feedKinds).describe('The kind of the subject; a rating is a change of its project.'),
    id: numberSchema,
    url: z.url(),
  })
  .meta({ id: 'Change', description: 'A change of a project or a contributor.' });

const changesSchema = z
  .object({
    last: numberSchema.describe('The value of `since` for the next request.'),
    next: z.url().nullable().describe('The URL of the next changes; null if there are no more yet.'),
    results: z.array(changeSchema),
  })
  .meta({ id: 'Changes', description: 'Changes in the order in which they happened.' });

const changeHeadSchema = z
  .object({
    sequence: numberSchema.describe('The number of the last change; 0 before the first.'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Covers all changes up to this number, also those that you may not see.'),
  })
  .meta({ id: 'ChangeHead', description: 'How far the log of changes goes.' });

const maxLimit = 1000;
/** Of all changes, this many are read at a time. */
const batchSize = 200;
export const sinceParameter = {
  description: 'The number of the last change that you know; by default 0, for all changes.',
  ...numberText(0, Number.MAX_SAFE_INTEGER),
};

const maxWaitSeconds = 30;
/** The filters of one stream or waiting request stay in memory. */
const maxFilterLength = 2000;

/** Those of a listing of projects that can be asked of each project by itself. */
export const changeFilterParameters: Parameters = Object.fromEntries(
  Object.entries(projectFilters).filter(([, { matches }]) => matches),
);

/** `me` is the id of the viewer. */
export function readChangeFilters(
  { projects }: Pick<ApiDependencies, 'projects'>,
  { viewer, parameters, query }: Pick<ApiContext, 'viewer' | 'parameters' | 'query'>,
): AppliedFilters {
  if (String(query).length > maxFilterLength)
    throw new Invalid({ non_field_errors: [`The query has more than ${maxFilterLength} characters.`] });
  const filters = projects.toAppliedFilters(parameters, query);
  if (parameters.contributor !== 'me') return filters;
  if (viewer.contributor === null) throw new NotSignedIn();
  return new Map([...filters, ...projects.parseFilter('contributor', String(viewer.contributor))]);
}

/** The name by which responses that stay open are counted. */
export const findOwner = (
  authenticator: ViewerAuthenticator,
  { viewer, client }: Pick<ApiContext, 'viewer' | 'client'>,
) => (viewer.contributor === null ? client.address : authenticator.idOf(viewer));

interface ChangePage {
  readonly entries: readonly FeedEntry[];
  readonly last: number;
  readonly hasMore: boolean;
}

export const changesResource: ApiResource = {
  path: '/api/v1/changes/',
  name: 'Change List',
  description: 'All changes that you may see, in order and without gaps.',
  GET: operation({
    operationId: 'listChanges',
    summary: 'The changes since a number.',
    parameters: {
      since: sinceParameter,
      limit: {
        description: `The maximum number of changes, up to ${maxLimit}; by default 100.`,
        ...numberText(1, maxLimit),
        isForPages: true,
      },
      wait: {
        description: `If there is no change yet, wait for one: so many seconds, up to ${maxWaitSeconds}; by default 0.`,
        ...numberText(0, maxWaitSeconds),
        isForPages: true,
      },
      archived: {
        description:
          'With `true`, the changes that are too old for the list; after the last, `next` is null.',
        ...choiceText(['true']),
        isForPages: true,
      },
      ...changeFilterParameters,
    },
    permission: 'read',
    responseSchema: changesSchema,
    errors: [410],
    async handle(context, deps) {
      const { viewer, parameters, origin, path, query } = context;
      const { since = 0, limit = 100, wait = 0, archived } = parameters;
      const filters = readChangeFilters(deps, context);
      const which = [viewer, since, limit, filters] as const;
      const found = archived
        ? await listArchivedSince(deps, ...which)
        : await listChangesSince(deps.database, ...which);
      const isEnd = !archived && found.entries.length === 0 && !found.hasMore;
      const page = wait > 0 && isEnd ? await waitForPage(deps, context, filters, found) : found;
      const { entries, last, hasMore } = page;
      const nextQuery = new URLSearchParams({ limit: String(limit), since: String(last) });
      for (const [name, value] of query)
        if (filters.has(name) || name === 'archived') nextQuery.set(name, value);
      const next = hasMore ? `${origin}${path}?${nextQuery}` : null;
      const results = entries.map((entry) => serializeChange(entry, origin, deps.timeZone));
      // The same request later has to wait again.
      return { data: { last, next, results }, ...(wait > 0 && { headers: noStore }) };
    },
    async list({ origin, ...context }, deps) {
      const { viewer, parameters } = context;
      const filters = readChangeFilters(deps, context);
      const read = (since: number) => listChangesSince(deps.database, viewer, since, batchSize, filters);
      async function* batches() {
        for (let page = { last: parameters.since ?? 0, hasMore: true }; page.hasMore; ) {
          const { entries, ...next } = await read(page.last);
          yield entries.map((entry) => serializeChange(entry, origin, deps.timeZone));
          page = next;
        }
      }
      return { columns: findListColumns(changeSchema), batches: batches() };
    },
  }),
};

/** Waits for changes after an empty page. Without any, it is the answer. */
async function waitForPage(
  { openResponses, changeSubscriptions, authenticator }: ApiDependencies,
  context: Pick<ApiContext, 'viewer' | 'client'> & {
    readonly parameters: { readonly wait?: number; readonly limit?: number };
  },
  filters: AppliedFilters,
  empty: ChangePage & { readonly reached: number },
): Promise<ChangePage> {
  const { viewer, parameters } = context;
  const { wait = 0, limit = 100 } = parameters;
  const owner = findOwner(authenticator, context);
  await openResponses.requireRoom(owner);
  const found = await openResponses.wait<readonly FeedEntry[]>(owner, wait, (resolve) => {
    const request = { viewer, owner, filters, since: empty.reached };
    const end = () => resolve(undefined);
    const subscription = changeSubscriptions.subscribe(request, { hasRoom: true, deliver: resolve, end });
    return () => subscription.close();
  });
  const entries = found?.slice(0, limit) ?? [];
  return {
    entries,
    last: entries.at(-1)?.sequence ?? empty.last,
    hasMore: (found?.length ?? 0) > entries.length,
  };
}

/** The hash of the log is hashed once more: with two of those, somebody could guess the private change between them. */
const hashForEverybody = (hash: string) =>
  new Bun.CryptoHasher('sha256').update(`head|${hash}`).digest('hex');

export const changeHeadResource: ApiResource = {
  path: '/api/v1/changes/head/',
  name: 'Change Head',
  description:
    'The last change, and a hash of all changes: a person who notes it can prove later that none was cut out.',
  GET: operation({
    operationId: 'getChangeHead',
    summary: 'The number and the hash of the last change.',
    permission: 'read',
    responseSchema: changeHeadSchema,
    async handle(_, { database }) {
      const { last, hash } = await findChangeHead(database);
      return { data: { sequence: last, hash: hashForEverybody(hash) }, headers: noStore };
    },
  }),
};

export const serializeChange = (
  { sequence, at, action, kind, subject }: FeedEntry,
  origin: string,
  timeZone: string,
) => ({
  sequence,
  at: formatInstant(at, timeZone),
  action,
  kind,
  id: subject,
  url: `${origin}/api/v1/${subjectOf(kind)}s/${subject}/`,
});
