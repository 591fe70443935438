// The reasons that owners read on projects of theirs.

import { join } from 'sql-template-tag';
import { all, pick, type Reader } from '#sql';
import { decisionColumns, isNotUndone } from '../../core/decisions/decision.ts';
import { decisionTable } from '../../core/decisions/tables.ts';
import { draft, removed } from '../../core/project-status.ts';
import type { Project } from '../project.ts';

const reasonColumns = {
  ...pick(decisionColumns, 'reason', 'action'),
  project: decisionTable.columns.project.narrow<number>(),
};
/** Why moderators removed projects, or sent drafts back; a reason may be empty. */
export async function loadReasons(
  reader: Reader,
  projects: readonly Pick<Project, 'id' | 'status'>[],
): Promise<Map<number, string>> {
  const explained = projects.filter(({ status }) => status === removed || status === draft);
  if (explained.length === 0) return new Map();
  const rows = await all(reader, reasonColumns)`from decision
    where project in (${join(explained.map(({ id }) => id))})
      and action in ('removed', 'approved', 'sent_back') and ${isNotUndone} order by id`;
  return new Map(
    explained.flatMap(({ id, status }) => {
      const isAboutIt = ({ project, action }: (typeof rows)[number]) =>
        project === id && (action === 'removed') === (status === removed);
      const last = rows.findLast(isAboutIt);
      return last && last.action !== 'approved' ? [[id, last.reason]] : [];
    }),
  );
}
