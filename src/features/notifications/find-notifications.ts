// Queries for a person's notifications. They find only what the person may see now: none of a comment that was deleted, of
// a rating that was withdrawn or of an answer that is no longer accepted.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import {
  all,
  type ColumnsOf,
  count,
  countUpTo,
  type Database,
  execute,
  integer,
  one,
  pick,
  type Reader,
  type RowOf,
  type Transaction,
} from '#sql';
import {
  describeNotification,
  maxNotifications,
  type Notification,
  type NotificationKind,
  notificationColumns,
  notificationKinds,
} from '../../core/changes/change-kinds.ts';
import { type Contributor, contributorColumns } from '../../core/contributors/contributor.ts';
import { type Decision, decisionColumns, isKnownDecision } from '../../core/decisions/decision.ts';
import type { Order, Sorting } from '../../core/listing/order.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { inTrash } from '../../core/project-status.ts';
import { reviewsPersonSql } from '../../core/reviewers.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { projectColumns } from '../../projects/project.ts';
import { isErasedSql, isPublicSql, readableById } from '../../projects/visibility/visible-to.ts';

/** The count on every page looks at no more unread notifications than these. */
const maxCounted = 300;

export const notificationSorting: Sorting = { columns: { id: 'number', created: 'created' }, key: 'number' };
const newestFirst: Order = [{ column: 'number', descending: true }];

/** Only while the viewer reviews the person's projects. */
const isToldTo = (viewer: Viewer): Sql => reviewsPersonSql(viewer, sql`notification.actor`) ?? raw('1 = 0');

/** A decision that has words. */
const isOfDecision = (): Sql =>
  sql`exists (select 1 from decision where decision.id = notification.subject and ${isKnownDecision()})`;

/**
 * Decisions say nothing that the person may not know. What a deleted account did is hidden, and a kind that only another version
 * of the program knows.
 */
const isVisibleTo = (
  viewer: Viewer,
) => sql`kind in (${join(notificationKinds())}) and ((kind = 'decided' and ${isOfDecision()}) or (kind = 'told' and ${isToldTo(viewer)} and ${isOfDecision()}) or (kind <> 'told' and
  (actor is null or exists (select 1 from account where account.contributor = notification.actor))
  and exists (select 1 from project where id = notification.subject and ${readableById(viewer)})
  and (kind <> 'rated' or exists (
    select 1 from rating where project = notification.subject and contributor = notification.actor))
  and (kind <> 'accepted' or notification.contributor = (
    select comment.contributor from project as question join project as comment on comment.id = question.answer
    where question.id = notification.subject and ${isPublicSql('comment')}))))${join(conditionsOfKinds(), '')}`;

/** The conditions that features add for their own kinds. */
const conditionsOfKinds = (): Sql[] => [
  empty,
  ...notificationKinds().flatMap((kind) => {
    const { isCurrent } = describeNotification(kind);
    return isCurrent ? sql` and (kind <> ${kind} or ${isCurrent})` : [];
  }),
];

/** The latest ones: the others are deleted soon. The limit lets PostgreSQL look each of them up by an index. */
const latestOf = ({ contributor }: Viewer) =>
  sql`select * from notification where contributor = ${contributor} order by number desc limit ${maxNotifications}`;

/** The condition for the notifications that the viewer sees. It compares one number, so that every plan is fast. */
export const areNotificationsOf = (
  viewer: Viewer,
): Sql => sql`notification.contributor = ${viewer.contributor}
  and number >= coalesce((select min(number) from (${latestOf(viewer)}) as latest), 0) and ${isVisibleTo(viewer)}`;

/** Counts up to a limit. */
export function countUnread(reader: Reader, viewer: Viewer, limit: number): Promise<number> {
  return countUpTo(
    limit,
    reader,
    sql`from (select * from notification where contributor = ${viewer.contributor} and is_read = 0
          order by number desc limit ${maxCounted}) as notification where ${isVisibleTo(viewer)}`,
  );
}

interface NotificationFilter {
  readonly kind?: NotificationKind;
  readonly isRead?: boolean;
  readonly order?: Order;
}

export function listNotifications(
  database: Database,
  viewer: Viewer,
  { kind, isRead, order = newestFirst }: NotificationFilter,
): TableListing<Notification> {
  const conditions = [areNotificationsOf(viewer)];
  if (kind) conditions.push(sql`kind = ${kind}`);
  if (isRead !== undefined) conditions.push(sql`is_read = ${isRead ? 1 : 0}`);
  return new TableListing(database, {
    table: 'notification',
    columns: notificationColumns,
    condition: join(conditions, ' and '),
    order,
  });
}

export function findNotification(reader: Reader, viewer: Viewer, number: number): Promise<Notification> {
  return one(reader, notificationColumns)`from notification
    where number = ${number} and ${areNotificationsOf(viewer)}`;
}

/** Several ratings of one project, or a single notification. */
export interface NotificationGroup extends Notification {
  readonly count: number;
}

const groupColumns = { newest: integer(sql`max(number)`), count: integer(sql`count(*)`) };

/** Newest first. The ratings of a project that are unread are one group, and those that are read another. */
export class NotificationGroups {
  readonly #groups: Sql;

  constructor(
    private readonly database: Database,
    private readonly viewer: Viewer,
    condition = sql`1 = 1`,
  ) {
    this.#groups = sql`from (${latestOf(viewer)}) as notification
      where ${isVisibleTo(viewer)} and ${condition}
      group by case when kind = 'rated' then subject else -number end, is_read`;
  }

  count(): Promise<number> {
    return count(this.database.slowReader, sql`from (select 1 ${this.#groups}) as groups`);
  }

  async page(offset: number, size: number): Promise<NotificationGroup[]> {
    const { slowReader: reader } = this.database;
    const groups = await all(reader, groupColumns)`${this.#groups}
      order by max(number) desc limit ${size} offset ${offset}`;
    if (groups.length === 0) return [];
    const numbers = join(groups.map(({ newest }) => newest));
    const rows = await all(reader, notificationColumns)`from notification
      where contributor = ${this.viewer.contributor} and number in (${numbers})`;
    return groups.flatMap(({ newest, count }) => {
      const row = rows.find(({ number }) => number === newest);
      return row ? { ...row, count } : [];
    });
  }
}

/** Marks only those that the person can see: a copy that is public again later is unread then. */
export async function markRead(transaction: Transaction, viewer: Viewer, upTo = Number.MAX_SAFE_INTEGER) {
  const isUnread = sql`is_read = 0 and number <= ${upTo}`;
  const unread = await all(transaction, pick(notificationColumns, 'number'))`from (${latestOf(viewer)})
    as notification where ${isUnread} and ${isVisibleTo(viewer)}`;
  if (unread.length === 0) return;
  const numbers = join(unread.map(({ number }) => number));
  await execute(transaction)`update notification set is_read = 1
    where contributor = ${viewer.contributor} and number in (${numbers})`;
}

export async function setRead(
  transaction: Transaction,
  viewer: Viewer,
  number: number,
  isRead: boolean | undefined,
): Promise<Notification> {
  const notification = await findNotification(transaction, viewer, number);
  if (isRead === undefined) return notification;
  const is_read = isRead ? 1 : 0;
  await execute(transaction)`update notification set is_read = ${is_read}
    where contributor = ${viewer.contributor} and number = ${number}`;
  return { ...notification, is_read };
}

// The people, projects and decisions that notifications are about, as they are now.

const shownColumns = {
  ...pick(
    projectColumns,
    'id',
    'uuid',
    'slug',
    'title',
    'contributor',
    'status',
    'root',
    'copied_from',
    'due',
  ),
};
export type NotificationProject = RowOf<typeof shownColumns>;

export interface NotificationDetails extends Notification {
  /** Whom a decision told of is about. Undefined for one's own, for an accepted answer, and for a rating: nobody learns who gave it. */
  readonly by: Contributor | undefined;
  /** The comment or the copy. */
  readonly newProject: NotificationProject | undefined;
  /** The project that was commented on, answered, copied, rated or decided on; undefined if the viewer may not see it. */
  readonly project: NotificationProject | undefined;
  /** One of these two; undefined if it has no page for the viewer, such as in the trash. */
  readonly linkedProject: NotificationProject | undefined;
  readonly decision: Decision | undefined;
}

const isAbout =
  (subject: ReturnType<typeof describeNotification>['subject']) =>
  ({ kind }: Notification) =>
    describeNotification(kind).subject === subject;
const isAboutNewProject = isAbout('newProject');
const isAboutProject = isAbout('project');
const isAboutDecision = isAbout('decision');
/** Whether it says who. */
const names = (notification: Notification) => isAboutNewProject(notification) || notification.kind === 'told';

/** Without those whose subject the viewer has not been allowed to see since the list was read. */
export async function loadDetails<Row extends Notification>(
  reader: Reader,
  viewer: Viewer,
  notifications: readonly Row[],
): Promise<(Row & NotificationDetails)[]> {
  const ofNewProjects = notifications.filter(isAboutNewProject);
  const isReadable = readableById(viewer);
  const [newProjects, decisions, contributors] = await Promise.all([
    loadById(reader, shownColumns, sql`project where ${isReadable}`, ofNewProjects.map(getSubject)),
    loadById(
      reader,
      decisionColumns,
      sql`decision where 1 = 1`,
      notifications.filter(isAboutDecision).map(getSubject),
    ),
    loadById(
      reader,
      contributorColumns,
      sql`contributor where 1 = 1`,
      notifications.filter(names).map(({ actor }) => actor),
    ),
  ]);
  const projectOf = ({ kind, subject }: Notification) => {
    const definition = describeNotification(kind);
    if (definition.subject === 'decision') return decisions.get(subject)?.project;
    return (definition.project && newProjects.get(subject)?.[definition.project]) ?? subject;
  };
  const isOwn = sql`contributor = ${viewer.contributor} and not ${isErasedSql}`;
  const areShown = sql`project where ((${isReadable}) or (${isOwn}))`;
  const opens = integer(sql`case when ${isReadable} then 1 else 0 end`);
  const columns = { ...shownColumns, opens };
  const projects = await loadById(reader, columns, areShown, notifications.map(projectOf));
  return notifications.flatMap((notification) => {
    const { subject, actor } = notification;
    const decision = isAboutDecision(notification) ? decisions.get(subject) : undefined;
    const newProject = isAboutNewProject(notification) ? newProjects.get(subject) : undefined;
    const by = names(notification) && (newProject || decision) ? contributors.get(actor ?? 0) : undefined;
    const project = projects.get(projectOf(notification) ?? 0);
    if (!decision && !by && !(isAboutProject(notification) && project)) return [];
    const linked = newProject ?? (project?.opens === 1 ? project : undefined);
    const linkedProject = linked?.status === inTrash ? undefined : linked;
    return { ...notification, by, newProject, project, linkedProject, decision };
  });
}

const getSubject = ({ subject }: Notification) => subject;

/** `from` ends with a condition. */
async function loadById<Row extends { id: number }>(
  reader: Reader,
  columns: ColumnsOf<Row>,
  from: ReturnType<typeof sql>,
  ids: readonly (number | null | undefined)[],
): Promise<Map<number, Row>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
  if (uniqueIds.length === 0) return new Map();
  const rows = await all(reader, columns)`from ${from} and id in (${join(uniqueIds)})`;
  return new Map(rows.map((row) => [row.id, row]));
}
