// /api/v1/webhooks/…: the viewer's webhooks, to which the gallery sends changes.

import { z } from 'zod';
import { booleanField } from '#rest/fields.ts';
import {
  type ApiContext,
  type ApiResource,
  idParameter,
  noStore,
  operation,
  parsePathId,
} from '../../core/api/operation.ts';
import {
  formatOptionalInstant,
  idSchema,
  numberSchema,
  timestampSchema,
  toRecord,
} from '../../core/api/schemas.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { confirmIdentity, optionalConfirmationFields } from '../sign-in/sign-in.ts';
import {
  attemptErrors,
  type CountedWebhook,
  disabledReasons,
  findWebhook,
  listAttempts,
  listDeadLetters,
  listWebhooks,
  webhookEvents,
} from './webhook.ts';
import { redeliveryFields, requireEvents, webhookFields, webhookPaceFields } from './webhook-fields.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requestRedelivery,
  rotateSecret,
  type WebhookTarget,
} from './write-webhook.ts';

const webhookSchema = z
  .object({
    id: idSchema,
    url: z.url(),
    events: z.enum(webhookEvents).describe('`own`: changes of your projects. `gallery`: all.'),
    filter: z.string().describe('Filters such as `tags=paper`, or empty.'),
    concurrency: numberSchema.describe('How many requests may be under way.'),
    batch_size: numberSchema.describe('How many events a request has at most.'),
    active: z.boolean(),
    disabled: timestampSchema.nullable().describe('Since when it is switched off.'),
    disabled_reason: z.enum(disabledReasons).nullable().describe('Why it is switched off.'),
    created: timestampSchema,
    position: numberSchema.describe('All changes up to this number were delivered, or are dead letters.'),
    failures: numberSchema.describe('How often the next event has failed.'),
    next_attempt: timestampSchema.nullable().describe('When it is tried again; null if it does not fail.'),
    last_success: timestampSchema.nullable(),
    dead_letters: numberSchema.describe('How many events could not be delivered within three days.'),
  })
  .meta({ id: 'Webhook', description: 'An address to which the gallery sends changes.' });
const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Signs the events; it is never shown again.') })
  .meta({ id: 'NewWebhook', description: 'A webhook with a new secret.' });
const attemptSchema = z
  .object({
    id: idSchema,
    sequence: numberSchema.describe('The number of the change; 0 for a test.'),
    at: timestampSchema,
    status: z.int().nullable().describe('Of the response; null without one.'),
    error: z.enum(attemptErrors).describe('What went wrong; empty after a success.'),
    milliseconds: numberSchema,
    request: z.string().describe('The headers and the body as JSON.'),
    response: z.string().describe('The beginning of the body.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'A request to a webhook.' });
const attemptsSchema = z
  .object({
    results: z.array(attemptSchema),
    dead_letters: z.array(z.object({ sequence: numberSchema, at: timestampSchema })),
  })
  .meta({ id: 'WebhookAttempts', description: 'The last requests, the newest first, and all dead letters.' });

const root = '/api/v1/webhooks/';

const pathParameters = idParameter('webhook’s');

export const resources: ApiResource[] = [
  {
    path: root,
    name: 'Webhook List',
    description: 'Your webhooks.',
    GET: operation({
      operationId: 'listWebhooks',
      summary: 'Your webhooks.',
      permission: 'seeAccount',
      responseSchema: z.array(webhookSchema).meta({ id: 'Webhooks', description: 'All your webhooks.' }),
      async handle({ viewer }, { database, timeZone }) {
        const webhooks = await listWebhooks(database, requireSignedIn(viewer));
        return { data: webhooks.map((webhook) => serializeWebhook(webhook, timeZone)), headers: noStore };
      },
    }),
    POST: operation({
      operationId: 'createWebhook',
      summary: 'Creates a webhook, which gets what happens from now on. This needs a session.',
      status: 201,
      permission: 'changeAccount',
      fields: { ...webhookFields, ...webhookPaceFields, ...optionalConfirmationFields },
      responseSchema: newWebhookSchema,
      responseHeaders: ['Location'],
      async handle({ viewer, origin, readValues, client }, { database, timeZone, accounts }) {
        const { url, events = 'own', filter = '', password, ...pace } = readValues();
        requireEvents(viewer, events);
        await confirmIdentity(accounts, viewer, { password }, client);
        const contributor = requireSignedIn(viewer);
        const definition = { contributor, url, origin, events, filter, ...pace };
        const { secret, ...webhook } = await createWebhook(database, contributor, definition);
        const data = { ...serializeWebhook({ ...webhook, dead_letters: 0 }, timeZone), secret };
        return { data, headers: { ...noStore, Location: `${origin}${root}${webhook.id}/` } };
      },
    }),
  },
  {
    path: `${root}:id/`,
    pathParameters,
    name: 'Webhook Instance',
    description: 'One of your webhooks.',
    GET: operation({
      operationId: 'getWebhook',
      summary: 'The webhook.',
      permission: 'seeAccount',
      responseSchema: webhookSchema,
      async handle(context, { database, timeZone }) {
        const webhook = await findWebhook(database, readTarget(context));
        return { data: serializeWebhook(webhook, timeZone), headers: noStore };
      },
    }),
    PATCH: operation({
      operationId: 'updateWebhook',
      summary:
        'Changes the webhook, or switches it on or off. Another URL needs a session. It is tried again at once.',
      permission: 'changeAccount',
      isPartial: true,
      fields: {
        ...webhookFields,
        ...webhookPaceFields,
        active: booleanField('Active'),
        ...optionalConfirmationFields,
      },
      responseSchema: webhookSchema,
      precheck: (context, { database }) => findWebhook(database, readTarget(context)),
      async handle(context, { database, timeZone, accounts }) {
        const { password, ...members } = context.readValues();
        const target = readTarget(context);
        requireEvents(context.viewer, members.events ?? 'own');
        if (members.url !== undefined)
          await confirmIdentity(accounts, context.viewer, { password }, context.client);
        await changeWebhook(database, target, members);
        return { data: serializeWebhook(await findWebhook(database, target), timeZone) };
      },
    }),
    DELETE: operation({
      operationId: 'deleteWebhook',
      summary: 'Deletes the webhook.',
      status: 204,
      permission: 'changeAccount',
      handle: (context, { database }) => deleteWebhook(database, readTarget(context)),
    }),
  },
  {
    path: `${root}:id/secret/`,
    pathParameters,
    name: 'Webhook Secret',
    description: 'A new secret. For 24 hours, the previous one signs too.',
    POST: operation({
      operationId: 'rotateWebhookSecret',
      summary: 'Makes a new secret. For 24 hours, the previous one signs too. This needs a session.',
      permission: 'changeAccount',
      fields: optionalConfirmationFields,
      responseSchema: newWebhookSchema,
      async handle(context, { database, timeZone, accounts }) {
        const target = readTarget(context);
        await findWebhook(database, target);
        const { viewer, client } = context;
        await confirmIdentity(accounts, viewer, context.readValues(), client);
        const { secret } = await rotateSecret(database, target);
        const webhook = await findWebhook(database, target);
        return { data: { ...serializeWebhook(webhook, timeZone), secret }, headers: noStore };
      },
    }),
  },
  {
    path: `${root}:id/attempts/`,
    pathParameters,
    name: 'Webhook Attempts',
    description: 'The last hundred requests to the webhook.',
    GET: operation({
      operationId: 'listWebhookAttempts',
      summary: 'The last hundred requests, the newest first, and the dead letters.',
      permission: 'seeAccount',
      responseSchema: attemptsSchema,
      async handle(context, { database, timeZone }) {
        const { id } = await findWebhook(database, readTarget(context));
        const results = (await listAttempts(database, id)).map(({ webhook, at, ...attempt }) => ({
          ...attempt,
          at: formatInstant(at, timeZone),
        }));
        const dead_letters = (await listDeadLetters(database, id)).map(({ sequence, at }) => ({
          sequence,
          at: formatInstant(at, timeZone),
        }));
        return { data: { results, dead_letters }, headers: noStore };
      },
    }),
  },
  {
    path: `${root}:id/redeliver/`,
    pathParameters,
    name: 'Webhook Redelivery',
    description: 'Sends events again, or a test.',
    POST: operation({
      operationId: 'redeliverToWebhook',
      summary: 'Sends the changes of a range again, in order, until one fails; without a range, a test.',
      status: 204,
      permission: 'changeAccount',
      errors: [409],
      fields: redeliveryFields,
      handle: (context, { database }) =>
        requestRedelivery(database, readTarget(context), context.readValues()),
    }),
  },
];

function readTarget(context: ApiContext): WebhookTarget {
  const contributor = requireSignedIn(context.viewer);
  return { actor: contributor, contributor, id: parsePathId(context) };
}

function serializeWebhook(webhook: Omit<CountedWebhook, 'secret'>, timeZone: string) {
  const formatTime = (instant: Instant | null) => formatOptionalInstant(instant || null, timeZone);
  return toRecord(webhookSchema, webhook, {
    active: webhook.disabled === null,
    disabled: formatTime(webhook.disabled),
    created: formatInstant(webhook.created, timeZone),
    next_attempt: formatTime(webhook.next_attempt),
    last_success: formatTime(webhook.last_success),
  });
}
