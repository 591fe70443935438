// /api/v1/changes/: all changes in order, for clients that keep a copy of the gallery.

import { z } from 'zod';
import { type FeedEntry, findChangeHead, listChangesSince } from '../gallery/change-feed.ts';
import { feedKinds, subjectOf } from '../gallery/changes/kinds.ts';
import { formatInstant } from '../gallery/instant.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { findListColumns } from '../rest/list-formats.ts';
import type { Resource } from '../rest/resource.ts';
import { noStore } from './auth/token.ts';
import type { ApiDependencies } from './index.ts';
import { operation } from './operation.ts';
import { timestampSchema } from './timestamp.ts';

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const changeSchema = z
  .object({
    sequence: number,
    at: timestampSchema,
    action: z.string().describe('What was done; `gone` if you may no longer see its subject.'),
    kind: z.enum(feedKinds).describe('The kind of the subject; a rating is a change of its project.'),
    id: number,
    url: z.url(),
  })
  .meta({ id: 'Change', description: 'A change of a project or a contributor.' });

export const changesSchema = z
  .object({
    last: number.describe('The value of `since` for the next request.'),
    next: z.url().nullable().describe('The URL of the next changes; null if there are no more yet.'),
    results: z.array(changeSchema),
  })
  .meta({ id: 'Changes', description: 'Changes in the order in which they happened.' });

export const changeHeadSchema = z
  .object({
    sequence: number.describe('The number of the last change; 0 before the first.'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Covers all changes up to this number, also those that you may not see.'),
  })
  .meta({ id: 'ChangeHead', description: 'How far the log of changes goes.' });

const maxLimit = 1000;
/** Of all changes, so many are read at a time. */
const batchSize = 200;
const integerParameter = (min: number, max: number) => {
  const message = `Enter a whole number from ${min} to ${max}.`;
  const digits = z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number);
  return digits
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
};

export function changesResource({ database, timeZone }: ApiDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/changes/',
    name: 'Change List',
    description: 'All changes that you may see, in order and without gaps.',
    operations: {
      GET: operation({
        operationId: 'listChanges',
        summary: 'The changes since a number.',
        parameters: {
          since: {
            description: 'The number of the last change that you know; by default 0, for all changes.',
            schema: integerParameter(0, Number.MAX_SAFE_INTEGER),
          },
          limit: {
            description: `The maximum number of changes, up to ${maxLimit}; by default 100.`,
            schema: integerParameter(1, maxLimit),
            isForPages: true,
          },
        },
        permission: 'read',
        responseSchema: changesSchema,
        errors: [410],
        async handle({ viewer, parameters, origin, path }) {
          const { since = 0, limit = 100 } = parameters;
          const { entries, last, hasMore } = await listChangesSince(database, viewer, since, limit);
          const results = entries.map((entry) => serializeChange(entry, origin, timeZone));
          const next = hasMore ? `${origin}${path}?limit=${limit}&since=${last}` : null;
          return { data: { last, next, results } };
        },
        async list({ viewer, parameters, origin }) {
          async function* batches() {
            for (let page = { last: parameters.since ?? 0, hasMore: true }; page.hasMore; ) {
              const { entries, ...next } = await listChangesSince(database, viewer, page.last, batchSize);
              yield entries.map((entry) => serializeChange(entry, origin, timeZone));
              page = next;
            }
          }
          return { columns: findListColumns(changeSchema), batches: batches() };
        },
      }),
    },
  };
}

/** The hash of the log is hashed once more: with two of those, somebody could guess the private change between them. */
const hashForEverybody = (hash: string) =>
  new Bun.CryptoHasher('sha256').update(`head|${hash}`).digest('hex');

export function changeHeadResource({ database }: ApiDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/changes/head/',
    name: 'Change Head',
    description:
      'The last change, and a hash of all changes: a person who notes it can prove later that none was cut out.',
    operations: {
      GET: operation({
        operationId: 'getChangeHead',
        summary: 'The number and the hash of the last change.',
        permission: 'read',
        responseSchema: changeHeadSchema,
        async handle() {
          const { last, hash } = await findChangeHead(database);
          return { data: { sequence: last, hash: hashForEverybody(hash) }, headers: noStore };
        },
      }),
    },
  };
}

function serializeChange(
  { sequence, at, action, kind, subject }: FeedEntry,
  origin: string,
  timeZone: string,
) {
  return {
    sequence,
    at: formatInstant(at, timeZone),
    action,
    kind,
    id: subject,
    url: `${origin}/api/v1/${subjectOf(kind)}s/${subject}/`,
  };
}
