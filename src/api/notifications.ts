// /api/v1/me/notifications/: what concerns the viewer, and what of it is read.

import { z } from 'zod';
import { NotFound } from '../common/errors.ts';
import { booleanField, integerField } from '../common/fields.ts';
import { choiceText } from '../common/inputs.ts';
import type { Reader } from '../database/database.ts';
import {
  maxNotifications,
  type Notification,
  notificationDays,
  notificationKinds,
} from '../gallery/changes/kinds.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { decisionActions } from '../gallery/decisions/decision.ts';
import { formatInstant } from '../gallery/instant.ts';
import {
  findNotification,
  listNotifications,
  loadDetails,
  markRead,
  type NotificationDetails,
  notificationSorting,
  setRead,
} from '../gallery/notifications/find.ts';
import { contributorPath, projectPath } from '../gallery/paths.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { findListColumns } from '../rest/list-formats.ts';
import { createRecordListing, pageParameters, pageSchema } from '../rest/pagination.ts';
import type { OperationContext, Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import {
  idParameter,
  idSchema,
  listOperation,
  operation,
  orderingParameter,
  parsePathId,
} from './operation.ts';
import { timestampSchema } from './timestamp.ts';
import { idempotencyKeyHeader } from './write-headers.ts';

export const notificationSchema = z
  .object({
    id: idSchema.describe('The number of the change that it tells of.'),
    url: z.url().describe('The API’s URL of this notification.'),
    created: timestampSchema,
    kind: z.enum(notificationKinds),
    is_read: z.boolean(),
    contributor: idSchema.nullable().describe('Who did it; null for ratings and decisions.'),
    contributor_name: z.string().nullable().describe('Their display name.'),
    contributor_html_url: z.url().nullable().describe('Their page.'),
    project: idSchema
      .nullable()
      .describe('What was commented on, copied, rated or decided on; null if you may not see it.'),
    title: z.string().nullable().describe('The title of that project.'),
    subject: idSchema.nullable().describe('The id of the comment or the copy; otherwise null.'),
    html_url: z.url().nullable().describe('The page of the comment, the copy or the project.'),
    action: z.enum(decisionActions).nullable().describe('What was decided.'),
    reason: z.string().nullable().describe('Why, for decisions about what is yours.'),
  })
  .meta({ id: 'Notification', description: 'Something that concerns you.' });

export const notificationPageSchema = pageSchema(notificationSchema).meta({
  id: 'NotificationPage',
  description: 'A page of notifications.',
});

const path = '/api/v1/me/notifications/';

export function notificationResources(deps: ApiDependencies): Resource<Viewer>[] {
  return [
    {
      path,
      name: 'Notification List',
      description: `What concerns you, newest first: the latest ${maxNotifications} of the last ${notificationDays} days.`,
      operations: { GET: notificationsOperation(deps) },
    },
    {
      path: `${path}mark-read/`,
      name: 'Notification Mark Read',
      heading: 'Mark as read',
      description: 'Marks your notifications as read.',
      operations: { POST: markReadOperation(deps) },
    },
    {
      path: `${path}:id/`,
      pathParameters: idParameter('notification’s'),
      name: 'Notification Instance',
      description: 'One of your notifications.',
      operations: { GET: getOperation(deps), PATCH: updateOperation(deps) },
    },
  ];
}

const notificationsOperation = (deps: ApiDependencies) =>
  listOperation(deps, {
    operationId: 'listNotifications',
    summary: 'A page of your notifications.',
    parameters: {
      kind: { description: 'Only notifications of this kind.', ...choiceText(notificationKinds) },
      is_read: {
        description: 'Only those that are read, or only those that are not.',
        ...choiceText(['true', 'false']),
      },
      ...orderingParameter(notificationSorting, 'By default `-id`, the newest first.'),
      ...pageParameters,
    },
    permission: 'seeAccount',
    responseSchema: notificationPageSchema,
    findListing({ viewer, parameters: { kind, is_read, ordering: order }, origin }) {
      const isRead = is_read && is_read === 'true';
      const listing = listNotifications(deps.database, viewer, { kind, isRead, order });
      return createRecordListing(listing, findListColumns(notificationSchema), async (notifications) =>
        (await loadDetails(deps.database, viewer, notifications)).map((notification) =>
          serializeNotification(notification, viewer, origin, deps.timeZone),
        ),
      );
    },
  });

const getOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'getNotification',
    summary: 'The notification.',
    permission: 'seeAccount',
    responseSchema: notificationSchema,
    async handle(context) {
      const notification = await findNotification(database, context.viewer, parsePathId(context));
      return { data: await serializeOne(database, notification, context, timeZone) };
    },
  });

const updateOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'updateNotification',
    summary: 'Marks the notification as read or as unread.',
    fields: { is_read: booleanField('Is read') },
    isPartial: true,
    permission: 'changeAccount',
    async precheck(context) {
      await findNotification(database, context.viewer, parsePathId(context));
    },
    responseSchema: notificationSchema,
    handle: (context) =>
      transactOnce(database, context, async ({ transaction }) => {
        const { is_read } = context.readValues();
        const notification = await setRead(transaction, context.viewer, parsePathId(context), is_read);
        return { data: await serializeOne(transaction, notification, context, timeZone) };
      }),
  });

const markReadOperation = ({ database }: ApiDependencies) =>
  operation({
    operationId: 'markNotificationsRead',
    summary: 'Marks all notifications as read, or those up to one.',
    headers: idempotencyKeyHeader,
    fields: {
      up_to: integerField({
        label: 'Up to',
        help: 'The id of the newest notification that you have seen. Later ones stay unread.',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
      }),
    },
    permission: 'changeAccount',
    status: 204,
    handle: (context) =>
      transactOnce(database, context, async ({ transaction }) => {
        await markRead(transaction, context.viewer, context.readValues().up_to);
        return { status: 204 };
      }),
  });

async function serializeOne(
  reader: Reader,
  notification: Notification,
  { viewer, origin }: Pick<OperationContext<Viewer>, 'viewer' | 'origin'>,
  timeZone: string,
): Promise<z.input<typeof notificationSchema>> {
  const [details] = await loadDetails(reader, viewer, [notification]);
  if (!details) throw new NotFound();
  return serializeNotification(details, viewer, origin, timeZone);
}

function serializeNotification(
  { number, kind, created, is_read, by, newProject, project, linkedProject, decision }: NotificationDetails,
  viewer: Viewer,
  origin: string,
  timeZone: string,
): z.input<typeof notificationSchema> {
  return {
    id: number,
    url: `${origin}${path}${number}/`,
    created: formatInstant(created, timeZone),
    kind,
    is_read: is_read === 1,
    contributor: by?.id ?? null,
    contributor_name: by ? displayName(by) : null,
    contributor_html_url: by ? `${origin}${contributorPath(by.id, by.username)}` : null,
    project: project?.id ?? null,
    title: project?.title ?? null,
    subject: newProject?.id ?? null,
    html_url: linkedProject ? `${origin}${projectPath(linkedProject)}` : null,
    action: decision?.action ?? null,
    reason: decision && decision.contributor === viewer.contributor ? decision.reason : null,
  };
}
