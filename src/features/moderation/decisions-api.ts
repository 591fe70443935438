// /api/v1/decisions/: the moderation log, and undoing a decision.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { idText } from '#common/inputs.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  idParameter,
  listOperation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { decisionActions } from '../../core/decisions/actions.ts';
import { optionalReasonFields } from '../../core/decisions/decision.ts';
import { once } from '../../core/feature.ts';
import { formatInstant } from '../../core/instant.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { undoDecision } from './decide.ts';
import { canBeUndone, type DecisionLogEntry, findDecision, listDecisions } from './log.ts';

/** Not before somebody asks: features add actions. */
const decisionSchema = once(() =>
  z
    .object({
      id: idSchema,
      created: timestampSchema,
      moderator: idSchema.nullable().describe('The moderator who decided; null for the operator.'),
      moderator_name: z.string().nullable().describe('Their username.'),
      action: z.enum(decisionActions()),
      project: idSchema
        .nullable()
        .describe('The project or comment that it is about; null if it is about an account.'),
      contributor: idSchema.describe('The owner of that project or account.'),
      contributor_name: z.string().describe('Their username.'),
      reason: z.string(),
      undoes: idSchema.nullable().describe('The decision that this one undoes.'),
      undone_by: idSchema.nullable().describe('The decision that undid this one.'),
    })
    .meta({
      id: 'Decision',
      description: 'What a moderator decided about somebody else’s project or account.',
    }),
);

export const decisionResources = (): ApiResource[] => [
  {
    path: '/api/v1/decisions/',
    name: 'Decision List',
    description: 'The decisions of moderators, newest first.',
    GET: listOperation({
      operationId: 'listDecisions',
      summary: 'A page of decisions.',
      parameters: {
        moderator: { description: 'Only decisions of one moderator, by id.', ...idText() },
        project: { description: 'Only decisions on one project or comment, by id.', ...idText() },
        contributor: {
          description: 'Only decisions on one contributor’s projects and account, by id.',
          ...idText(),
        },
        ...pageParameters,
      },
      permission: 'seeReports',
      responseSchema: pageSchema(decisionSchema(), {
        id: 'DecisionPage',
        description: 'A page of decisions.',
      }),
      findListing({ parameters: { moderator, project, contributor } }, { database, timeZone }) {
        const listing = listDecisions(database, { moderator, project, contributor });
        return createRecordListing(listing, decisionSchema(), (entries) =>
          entries.map((entry) => serializeDecision(entry, timeZone)),
        );
      },
    }),
  },
  {
    path: '/api/v1/decisions/:id/undo/',
    pathParameters: idParameter('decision’s'),
    name: 'Decision Undo',
    description: 'Undoes a decision.',
    POST: writeOperation({
      operationId: 'undoDecision',
      summary: 'Undoes the decision and reopens the reports that it closed.',
      headers: idempotencyKeyHeader,
      errors: [409],
      fields: optionalReasonFields,
      permission: 'decide',
      async precheck(context, { database }) {
        const decision = await findDecision(database, parsePathId(context));
        authorize(context.viewer, 'decide', decision.contributor);
        if (!canBeUndone(decision)) throw new NotFound();
      },
      responseSchema: decisionSchema(),
      async write(write, context, { timeZone }) {
        const { reason } = context.readValues();
        await undoDecision({ ...write, reason }, parsePathId(context));
        return {
          data: serializeDecision(await findDecision(write.transaction, parsePathId(context)), timeZone),
        };
      },
    }),
  },
];

const serializeDecision = (entry: DecisionLogEntry, timeZone: string) =>
  toRecord(decisionSchema(), entry, { created: formatInstant(entry.created, timeZone) });
