// What a notification says: who did it, and what it is about. Both are as they are now.

import sql, { join } from 'sql-template-tag';
import { type ColumnsOf, pick, type RowOf } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { contributorColumns } from '../contributors/columns.ts';
import type { Contributor } from '../contributors/contributor.ts';
import { decisionColumns } from '../moderation/columns.ts';
import type { Decision } from '../moderation/decision.ts';
import { projectColumns } from '../projects/columns.ts';
import { isErasedSql, readableById } from '../projects/visibility.ts';
import type { Viewer } from '../viewer.ts';
import type { Notification } from './notification.ts';

const shownColumns = {
  ...pick(projectColumns, 'id', 'uuid', 'slug', 'title', 'contributor', 'status', 'root', 'copied_from'),
};
export type NotificationProject = RowOf<typeof shownColumns>;

export interface NotificationDetails extends Notification {
  /** Undefined for a decision, and for a rating: nobody learns who gave it. */
  readonly by: Contributor | undefined;
  /** The comment or the copy. */
  readonly made: NotificationProject | undefined;
  /** What was commented on, copied, rated or decided on; undefined if the viewer may not see it. */
  readonly project: NotificationProject | undefined;
  readonly decision: Decision | undefined;
}

/** Without those whose subject the viewer has not been allowed to see since the list was read. */
export async function loadDetails<Row extends Notification>(
  reader: Reader,
  viewer: Viewer,
  notifications: readonly Row[],
): Promise<(Row & NotificationDetails)[]> {
  const others = notifications.filter(({ kind }) => kind !== 'decided');
  const decided = notifications.filter(({ kind }) => kind === 'decided');
  const isReadable = readableById(viewer);
  const [subjects, decisions, contributors] = await Promise.all([
    loadById(
      reader,
      shownColumns,
      sql`project where ${isReadable}`,
      others.map(({ subject }) => subject),
    ),
    loadById(
      reader,
      decisionColumns,
      sql`decision where 1 = 1`,
      decided.map(({ subject }) => subject),
    ),
    loadById(
      reader,
      contributorColumns,
      sql`contributor where 1 = 1`,
      others.filter(({ kind }) => kind !== 'rated').map(({ actor }) => actor),
    ),
  ]);
  const projectOf = ({ kind, subject }: Notification) => {
    if (kind === 'decided') return decisions.get(subject)?.project;
    if (kind === 'rated') return subject;
    return kind === 'copied' ? subjects.get(subject)?.copied_from : subjects.get(subject)?.root;
  };
  const isOwn = sql`contributor = ${viewer.contributor} and not ${isErasedSql}`;
  const areShown = sql`project where ((${isReadable}) or (${isOwn}))`;
  const projects = await loadById(reader, shownColumns, areShown, notifications.map(projectOf));
  return notifications.flatMap((notification) => {
    const { kind, subject, actor } = notification;
    const decision = kind === 'decided' ? decisions.get(subject) : undefined;
    const made = kind === 'decided' || kind === 'rated' ? undefined : subjects.get(subject);
    const by = kind === 'decided' || kind === 'rated' ? undefined : contributors.get(actor ?? 0);
    const project = projects.get(projectOf(notification) ?? 0);
    const isShown = kind === 'rated' ? project : by && (made ?? project);
    return decision || isShown ? { ...notification, by, made, project, decision } : [];
  });
}

/** `from` ends with a condition. */
async function loadById<Row extends { id: number }>(
  reader: Reader,
  columns: ColumnsOf<Row>,
  from: ReturnType<typeof sql>,
  ids: readonly (number | null | undefined)[],
): Promise<Map<number, Row>> {
  const wanted = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
  if (wanted.length === 0) return new Map();
  const rows = await reader.all(select(columns, sql`from ${from} and id in (${join(wanted)})`));
  return new Map(rows.map((row) => [row.id, row]));
}
