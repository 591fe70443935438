// Dump lines for projects that were deleted for good. Comments on them stay hidden, and their copies keep a source.

import sql from 'sql-template-tag';
import { contentTypes } from '../../core/content-types.ts';
import {
  count,
  defineLine,
  id,
  instant,
  type LineOf,
  nullable,
  oneOf,
  optional,
  text,
} from '../../core/dump/line-format.ts';
import { uuidRules } from '../address.ts';
import { type ProjectRow, projectColumns } from '../project.ts';
import { projectTable } from '../tables.ts';
import { initialThread } from '../visibility/thread-visibility.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { erasedColumns } from '../writing/erase.ts';
import { exportTable, type LineKind } from './kind.ts';

/** The rest of a project that was deleted for good: its id and uuid are never given again. */
const erasedLine = defineLine('erased', {
  id,
  uuid: text(uuidRules),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  karma: count,
  created: instant,
  modified: instant,
  parent: optional(id),
});

type ErasedLine = LineOf<typeof erasedLine>;

export const erasedKind: LineKind<ErasedLine> = {
  format: erasedLine,
  exporter: exportTable(projectTable, projectColumns, erasedLine.stringify, {
    condition: isErasedSql,
    count: sql`select 0`,
  }),

  /** A project that the gallery still has stays. */
  async importBatch(context, batch) {
    const rows = new Map<number, ProjectRow>();
    for (const { lineNumber, entry } of batch) {
      const { last_name_key } = await context.requireContributor(lineNumber, entry.contributor);
      if (entry.copied_from !== null && entry.copied_from >= entry.id) context.possibleCycles.add(entry.id);
      rows.set(entry.id, toRow(entry, last_name_key));
    }
    await context.transaction.insertMissing(projectTable, [...rows.values()]);
  },

  describeChange: ({ id }) => ({ subject: id }),
};

const toRow = (entry: ErasedLine, last_name_key: string): ProjectRow => ({
  ...entry,
  ...erasedColumns,
  last_name_key,
  earned_karma: entry.karma,
  record_modified: entry.modified,
  root: null,
  thread_visibility: initialThread(entry.content_type),
  history: 'private',
});
