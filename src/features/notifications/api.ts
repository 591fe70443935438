// /api/v1/me/notifications/: what concerns the viewer, and what of it is read.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { choiceText } from '#common/inputs.ts';
import { booleanField, integerField } from '#rest/fields.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import type { OperationContext } from '#rest/resource.ts';
import type { Reader } from '#sql';
import {
  type ApiResource,
  idempotencyKeyHeader,
  idParameter,
  listOperation,
  operation,
  orderingParameter,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema } from '../../core/api/schemas.ts';
import {
  maxNotifications,
  type Notification,
  notificationDays,
  notificationKinds,
} from '../../core/changes/change-kinds.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { decisionActions } from '../../core/decisions/actions.ts';
import { once } from '../../core/feature.ts';
import { formatInstant } from '../../core/instant.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import {
  findNotification,
  listNotifications,
  loadDetails,
  markRead,
  type NotificationDetails,
  notificationSorting,
  setRead,
} from './find-notifications.ts';

/** Not before somebody asks: features add kinds. */
const notificationSchema = once(() =>
  z
    .object({
      id: idSchema.describe('The number of the change that it tells of.'),
      url: z.url().describe('The API’s URL of this notification.'),
      created: timestampSchema,
      kind: z.enum(notificationKinds()),
      is_read: z.boolean(),
      contributor: idSchema
        .nullable()
        .describe('Who did it, or who was told; null for ratings and decisions about yourself.'),
      contributor_name: z.string().nullable().describe('Their display name.'),
      contributor_html_url: z.url().nullable().describe('Their page.'),
      project: idSchema
        .nullable()
        .describe('What was commented on, copied, rated or decided on; null if you may not see it.'),
      title: z.string().nullable().describe('The title of that project.'),
      subject: idSchema.nullable().describe('The id of the comment or the copy; otherwise null.'),
      html_url: z.url().nullable().describe('The page of the comment, the copy or the project.'),
      action: z.enum(decisionActions()).nullable().describe('What was decided.'),
      reason: z
        .string()
        .nullable()
        .describe('Why, for decisions about what is yours, or about an account of your class.'),
    })
    .meta({ id: 'Notification', description: 'Something that concerns you.' }),
);

const path = '/api/v1/me/notifications/';

const createList = (): ApiResource => ({
  path,
  name: 'Notification List',
  description: `What concerns you, newest first: the latest ${maxNotifications} of the last ${notificationDays} days.`,
  GET: listOperation({
    operationId: 'listNotifications',
    summary: 'A page of your notifications.',
    parameters: {
      kind: { description: 'Only notifications of this kind.', ...choiceText(notificationKinds()) },
      is_read: {
        description: 'Only those that are read, or only those that are not.',
        ...choiceText(['true', 'false']),
      },
      ...orderingParameter(notificationSorting, 'By default `-id`, the newest first.'),
      ...pageParameters,
    },
    permission: 'seeAccount',
    responseSchema: pageSchema(notificationSchema(), {
      id: 'NotificationPage',
      description: 'A page of notifications.',
    }),
    findListing({ viewer, parameters: { kind, is_read, ordering: order }, origin }, { database, timeZone }) {
      const isRead = is_read && is_read === 'true';
      const listing = listNotifications(database, viewer, { kind, isRead, order });
      return createRecordListing(listing, notificationSchema(), async (notifications) =>
        (await loadDetails(database, viewer, notifications)).map((notification) =>
          serializeNotification(notification, viewer, origin, timeZone),
        ),
      );
    },
  }),
});

const createMarkRead = (): ApiResource => ({
  path: `${path}mark-read/`,
  name: 'Notification Mark Read',
  heading: 'Mark as read',
  description: 'Marks your notifications as read.',
  POST: writeOperation({
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
    permission: 'keepLists',
    status: 204,
    write: ({ transaction }, context) => markRead(transaction, context.viewer, context.readValues().up_to),
  }),
});

const createInstance = (): ApiResource => ({
  path: `${path}:id/`,
  pathParameters: idParameter('notification’s'),
  name: 'Notification Instance',
  description: 'One of your notifications.',
  GET: operation({
    operationId: 'getNotification',
    summary: 'The notification.',
    permission: 'seeAccount',
    responseSchema: notificationSchema(),
    async handle(context, { database, timeZone }) {
      const notification = await findNotification(database, context.viewer, parsePathId(context));
      return { data: await serializeOne(database, notification, context, timeZone) };
    },
  }),
  PATCH: writeOperation({
    operationId: 'updateNotification',
    summary: 'Marks the notification as read or as unread.',
    fields: { is_read: booleanField('Is read') },
    isPartial: true,
    permission: 'keepLists',
    precheck: (context, { database }) => findNotification(database, context.viewer, parsePathId(context)),
    responseSchema: notificationSchema(),
    async write({ transaction }, context, { timeZone }) {
      const { is_read } = context.readValues();
      const notification = await setRead(transaction, context.viewer, parsePathId(context), is_read);
      return { data: await serializeOne(transaction, notification, context, timeZone) };
    },
  }),
});

export const createResources = (): ApiResource[] => [createList(), createMarkRead(), createInstance()];

async function serializeOne(
  reader: Reader,
  notification: Notification,
  { viewer, origin }: Pick<OperationContext<Viewer>, 'viewer' | 'origin'>,
  timeZone: string,
): Promise<z.input<ReturnType<typeof notificationSchema>>> {
  const [details] = await loadDetails(reader, viewer, [notification]);
  if (!details) throw new NotFound();
  return serializeNotification(details, viewer, origin, timeZone);
}

const serializeNotification = (
  { number, kind, created, is_read, by, newProject, project, linkedProject, decision }: NotificationDetails,
  viewer: Viewer,
  origin: string,
  timeZone: string,
): z.input<ReturnType<typeof notificationSchema>> => ({
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
  reason:
    (kind === 'told' || decision?.contributor === viewer.contributor) && decision ? decision.reason : null,
});
