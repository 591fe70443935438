// /api/v1/changes/: what has happened, in order, for who keeps a copy.

import { z } from 'zod';
import { changesSince, type FeedEntry, feedKinds } from '../gallery/changes/feed.ts';
import { formatInstant } from '../gallery/instant.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const entry = z.object({
  sequence: number,
  at: z.string(),
  action: z.string().describe('What was done; `gone` when the reader may no longer see what it was done to.'),
  kind: z.enum(feedKinds).describe('What it was done to; a rating is told of by its project.'),
  id: number,
  url: z.url(),
});

export const changesAnswer = z
  .object({
    last: number.describe('Ask for what is since this number next.'),
    next: z.url().nullable().describe('The address to go on from; null when this was all for now.'),
    results: z.array(entry),
  })
  .meta({ id: 'Changes', description: 'Changes in the order in which they happened.' });

const most = 1000;
const wanted = (least: number, highest: number) => {
  const sentence = `Enter a whole number from ${least} to ${highest}.`;
  const whole = z
    .string()
    .regex(/^\d{1,16}$/, sentence)
    .transform(Number);
  return whole.refine((value) => value >= least && value <= highest, sentence);
};

export function changesResource({ database, timeZone: zone }: ApiParts): Resource<Viewer> {
  return {
    path: '/api/v1/changes/',
    name: 'Change List',
    description:
      'What has happened in the gallery, in order and without gaps, as far as the reader may see it.',
    operations: {
      GET: {
        summary: 'The changes since one.',
        parameters: {
          since: {
            description: 'The number of the last change that is known; 0 or none for all.',
            schema: wanted(0, Number.MAX_SAFE_INTEGER),
          },
          limit: { description: `How many, up to ${most}; 100 unless given.`, schema: wanted(1, most) },
        },
        permission: needs('read'),
        answer: changesAnswer,
        async handle({ viewer, given, base, path }) {
          const since = (given.get('since')?.value as number | undefined) ?? 0;
          const limit = (given.get('limit')?.value as number | undefined) ?? 100;
          const entries = await changesSince(database, viewer, since, limit + 1);
          const results = entries.slice(0, limit).map((entry) => shown(entry, base, zone));
          const last = results.at(-1)?.sequence ?? since;
          const next = entries.length > limit ? `${base}${path}?limit=${limit}&since=${last}` : null;
          return { data: { last, next, results } };
        },
      },
    },
  };
}

function shown({ sequence, at, action, kind, subject }: FeedEntry, base: string, zone: string) {
  const collection = kind === 'contributor' ? 'contributors' : 'projects';
  return {
    ...{ sequence, at: formatInstant(at, zone), action, kind, id: subject },
    url: `${base}/api/v1/${collection}/${subject}/`,
  };
}
