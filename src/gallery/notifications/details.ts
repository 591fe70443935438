// The people, projects and decisions that notifications are about, as they are now.

import sql, { join } from 'sql-template-tag';
import { type ColumnsOf, pick, type RowOf } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { all } from '../../database/query.ts';
import { describeNotification } from '../changes/kinds.ts';
import type { Notification } from '../changes/notification.ts';
import { contributorColumns } from '../contributors/columns.ts';
import type { Contributor } from '../contributors/contributor.ts';
import { type Decision, decisionColumns } from '../decisions/decision.ts';
import { inTrash } from '../project-status.ts';
import { projectColumns } from '../projects/columns.ts';
import { isErasedSql, readableById } from '../projects/visibility.ts';
import type { Viewer } from '../viewer.ts';

const shownColumns = {
  ...pick(projectColumns, 'id', 'uuid', 'slug', 'title', 'contributor', 'status', 'root', 'copied_from'),
};
export type NotificationProject = RowOf<typeof shownColumns>;

export interface NotificationDetails extends Notification {
  /** Undefined for a decision, and for a rating: nobody learns who gave it. */
  readonly by: Contributor | undefined;
  /** The comment or the copy. */
  readonly newProject: NotificationProject | undefined;
  /** The project that was commented on, copied, rated or decided on; undefined if the viewer may not see it. */
  readonly project: NotificationProject | undefined;
  /** One of these two; undefined if it is in the trash, which has no page. */
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
      ofNewProjects.map(({ actor }) => actor),
    ),
  ]);
  const projectOf = ({ kind, subject }: Notification) => {
    const definition = describeNotification(kind);
    if (definition.subject === 'decision') return decisions.get(subject)?.project;
    return definition.project ? newProjects.get(subject)?.[definition.project] : subject;
  };
  const isOwn = sql`contributor = ${viewer.contributor} and not ${isErasedSql}`;
  const areShown = sql`project where ((${isReadable}) or (${isOwn}))`;
  const projects = await loadById(reader, shownColumns, areShown, notifications.map(projectOf));
  return notifications.flatMap((notification) => {
    const { subject, actor } = notification;
    const decision = isAboutDecision(notification) ? decisions.get(subject) : undefined;
    const newProject = isAboutNewProject(notification) ? newProjects.get(subject) : undefined;
    const by = newProject && contributors.get(actor ?? 0);
    const project = projects.get(projectOf(notification) ?? 0);
    if (!decision && !by && !(isAboutProject(notification) && project)) return [];
    const [linkedProject] = [newProject ?? project].filter((linked) => linked?.status !== inTrash);
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
