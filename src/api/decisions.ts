// /api/v1/decisions/: the log of moderation, and the way to take a decision back.

import { z } from 'zod';
import { NotFound } from '../errors.ts';
import { readFields } from '../fields.ts';
import { formatInstant } from '../gallery/instant.ts';
import { actions, whyFields } from '../gallery/moderation/decision.ts';
import { canBeUndone, decisions, type Entry, findDecision } from '../gallery/moderation/log.ts';
import { undo } from '../gallery/moderation/undo.ts';
import { authorize } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier, idParameter } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { numbered } from './reports.ts';
import { countsOnce, transactOnce } from './transact.ts';

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const decisionAnswer = z
  .object({
    id,
    created: z.string(),
    moderator: id.nullable().describe('Whoever decided; null for the operator.'),
    moderator_name: z.string().nullable().describe('Their username.'),
    action: z.enum(actions),
    project: id.nullable().describe('What it was done to; null where it was an account.'),
    contributor: id.describe('Whose that is.'),
    contributor_name: z.string().describe('Their username.'),
    reason: z.string(),
    undoes: id.nullable().describe('The decision that this one takes back.'),
    undone_by: id.nullable().describe('The decision that took this one back.'),
  })
  .meta({ id: 'Decision', description: 'What a moderator did to what is somebody else’s.' });

export const decisionPage = envelope(decisionAnswer).meta({
  id: 'DecisionPage',
  description: 'A page of decisions.',
});

export function decisionResources({ database, timeZone: zone, secret }: ApiParts): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/decisions/',
      name: 'Decision List',
      description: 'What moderators decided, the newest first.',
      operations: {
        GET: {
          summary: 'A page of decisions.',
          parameters: {
            moderator: { description: 'Only those of one moderator, by their id.', schema: numbered },
            project: { description: 'Only those on one thing, by its id.', schema: numbered },
            contributor: { description: 'Only those on one contributor’s, by their id.', schema: numbered },
            ...pageParameters,
          },
          permission: needs('seeReports'),
          answer: decisionPage,
          async handle(call) {
            const given = (name: string) => call.given.get(name)?.value as number | undefined;
            const [moderator, project] = [given('moderator'), given('project')];
            const list = decisions(database, { moderator, project, contributor: given('contributor') });
            const render = (entries: Entry[]) => entries.map((entry) => shown(entry, zone));
            return { data: await paginate(list, call, secret, render) };
          },
        },
      },
    },
    {
      path: '/api/v1/decisions/:id/undo/',
      pathParameters: idParameter('decision’s'),
      name: 'Decision Undo',
      description: 'The way to take a decision back.',
      operations: {
        POST: {
          summary: 'Takes the decision back, and opens the reports that it closed.',
          headers: countsOnce,
          fields: whyFields,
          permission: needs('decide'),
          async allowed(call) {
            const decision = await findDecision(database, identifier(call));
            authorize(call.viewer, 'decide', decision.contributor);
            if (!canBeUndone(decision)) throw new NotFound();
          },
          answer: decisionAnswer,
          handle: (call) =>
            transactOnce(database, call, async (act) => {
              const { reason } = readFields(whyFields, call.body.data, { strict: call.strict });
              await undo({ ...act, reason }, identifier(call));
              return { data: shown(await findDecision(act.transaction, identifier(call)), zone) };
            }),
        },
      },
    },
  ];
}

function shown({ title, uuid, slug, status, ...entry }: Entry, zone: string): z.input<typeof decisionAnswer> {
  const { created, id, moderator, moderator_name, action, project, contributor, contributor_name } = entry;
  const { reason, undoes, undone_by } = entry;
  return {
    ...{ id, created: formatInstant(created, zone), moderator, moderator_name, action, project },
    ...{ contributor, contributor_name, reason, undoes, undone_by },
  };
}
