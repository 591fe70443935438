// /api/v1/webhooks/…: the viewer's webhooks, to which the gallery sends changes.

import { booleanField } from '../common/fields.ts';
import { formatInstant } from '../gallery/instant.ts';
import { confirmIdentity, optionalConfirmationFields } from '../gallery/sign-in/sign-in.ts';
import { requireSignedIn, type Viewer } from '../gallery/viewer.ts';
import { redeliveryFields, requireEvents, webhookFields } from '../gallery/webhooks/fields.ts';
import { findWebhook, listAttempts, listDeadLetters, listWebhooks } from '../gallery/webhooks/webhook.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requestRedelivery,
  rotateSecret,
  type WebhookTarget,
} from '../gallery/webhooks/write.ts';
import type { OperationContext, Resource } from '../rest/resource.ts';
import { noStore } from './auth/token.ts';
import type { ApiDependencies } from './dependencies.ts';
import { idParameter, operation, parsePathId } from './operation.ts';
import {
  attemptsSchema,
  newWebhookSchema,
  serializeWebhook,
  webhookSchema,
  webhooksSchema,
} from './webhook-serializer.ts';

const root = '/api/v1/webhooks/';

export function webhookResources(deps: ApiDependencies): Resource<Viewer>[] {
  const pathParameters = idParameter('webhook’s');
  return [
    {
      path: root,
      name: 'Webhook List',
      description: 'Your webhooks.',
      operations: { GET: listOperation(deps), POST: createOperation(deps) },
    },
    {
      path: `${root}:id/`,
      pathParameters,
      name: 'Webhook Instance',
      description: 'One of your webhooks.',
      operations: { GET: readOperation(deps), PATCH: changeOperation(deps), DELETE: deleteOperation(deps) },
    },
    {
      path: `${root}:id/secret/`,
      pathParameters,
      name: 'Webhook Secret',
      description: 'A new secret. For 24 hours, the previous one signs too.',
      operations: { POST: rotateOperation(deps) },
    },
    {
      path: `${root}:id/attempts/`,
      pathParameters,
      name: 'Webhook Attempts',
      description: 'The last hundred requests to the webhook.',
      operations: { GET: attemptsOperation(deps) },
    },
    {
      path: `${root}:id/redeliver/`,
      pathParameters,
      name: 'Webhook Redelivery',
      description: 'Sends events again, or a test.',
      operations: { POST: redeliverOperation(deps) },
    },
  ];
}

function readTarget(context: OperationContext<Viewer>): WebhookTarget {
  const contributor = requireSignedIn(context.viewer);
  return { actor: contributor, contributor, id: parsePathId(context) };
}

const listOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'listWebhooks',
    summary: 'Your webhooks.',
    permission: 'seeAccount',
    responseSchema: webhooksSchema,
    async handle({ viewer }) {
      const webhooks = await listWebhooks(database, requireSignedIn(viewer));
      return { data: webhooks.map((webhook) => serializeWebhook(webhook, timeZone)), headers: noStore };
    },
  });

const createOperation = (deps: ApiDependencies) =>
  operation({
    operationId: 'createWebhook',
    summary: 'Creates a webhook, which gets what happens from now on. This needs a session.',
    status: 201,
    permission: 'changeAccount',
    fields: { ...webhookFields(deps), ...optionalConfirmationFields },
    responseSchema: newWebhookSchema,
    responseHeaders: ['Location'],
    async handle({ viewer, origin, readValues, client }) {
      const { url, events = 'own', filter = '', password } = readValues();
      requireEvents(viewer, events);
      await confirmIdentity(deps.accounts, viewer, { password }, client);
      const contributor = requireSignedIn(viewer);
      const { secret, ...webhook } = await createWebhook(deps.database, contributor, {
        contributor,
        url,
        origin,
        events,
        filter,
      });
      const data = { ...serializeWebhook({ ...webhook, dead_letters: 0 }, deps.timeZone), secret };
      return { status: 201, data, headers: { ...noStore, Location: `${origin}${root}${webhook.id}/` } };
    },
  });

const readOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'getWebhook',
    summary: 'The webhook.',
    permission: 'seeAccount',
    responseSchema: webhookSchema,
    async handle(context) {
      const webhook = await findWebhook(database, readTarget(context));
      return { data: serializeWebhook(webhook, timeZone), headers: noStore };
    },
  });

const changeOperation = (deps: ApiDependencies) =>
  operation({
    operationId: 'updateWebhook',
    summary:
      'Changes the webhook, or switches it on or off. Another URL needs a session. It is tried again at once.',
    permission: 'changeAccount',
    isPartial: true,
    fields: { ...webhookFields(deps), active: booleanField('Active'), ...optionalConfirmationFields },
    responseSchema: webhookSchema,
    async precheck(context) {
      await findWebhook(deps.database, readTarget(context));
    },
    async handle(context) {
      const { password, ...members } = context.readValues();
      const target = readTarget(context);
      requireEvents(context.viewer, members.events ?? 'own');
      if (members.url !== undefined)
        await confirmIdentity(deps.accounts, context.viewer, { password }, context.client);
      await changeWebhook(deps.database, target, members);
      return { data: serializeWebhook(await findWebhook(deps.database, target), deps.timeZone) };
    },
  });

const deleteOperation = ({ database }: ApiDependencies) =>
  operation({
    operationId: 'deleteWebhook',
    summary: 'Deletes the webhook.',
    status: 204,
    permission: 'changeAccount',
    async handle(context) {
      await deleteWebhook(database, readTarget(context));
      return { status: 204 };
    },
  });

const rotateOperation = ({ database, accounts, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'rotateWebhookSecret',
    summary: 'Makes a new secret. For 24 hours, the previous one signs too. This needs a session.',
    permission: 'changeAccount',
    fields: optionalConfirmationFields,
    responseSchema: newWebhookSchema,
    async handle(context) {
      const target = readTarget(context);
      await findWebhook(database, target);
      const { viewer, client } = context;
      await confirmIdentity(accounts, viewer, context.readValues(), client);
      const { secret } = await rotateSecret(database, target);
      const webhook = await findWebhook(database, target);
      return { data: { ...serializeWebhook(webhook, timeZone), secret }, headers: noStore };
    },
  });

const attemptsOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'listWebhookAttempts',
    summary: 'The last hundred requests, the newest first, and the dead letters.',
    permission: 'seeAccount',
    responseSchema: attemptsSchema,
    async handle(context) {
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
  });

const redeliverOperation = ({ database }: ApiDependencies) =>
  operation({
    operationId: 'redeliverToWebhook',
    summary: 'Sends the changes of a range again, in order, until one fails; without a range, a test.',
    status: 204,
    permission: 'changeAccount',
    errors: [409],
    fields: redeliveryFields,
    async handle(context) {
      await requestRedelivery(database, readTarget(context), context.readValues());
      return { status: 204 };
    },
  });
