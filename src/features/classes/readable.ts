// The people of a class read more than everybody: works that their makers have put there, and what was said for the
// class about works that everybody sees.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { hasStatus, publiclyReadableStatuses, waiting } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { classesOf, isFromMakerSql } from './class-people.ts';

function hasItem(table: string, classes: readonly number[], condition: Sql): Sql {
  return sql`exists (select 1 from collection_item as item where item.project = ${raw(table)}.id
    and item.collection in (${join([...classes])}) and item.state = 'included' and ${condition})`;
}

/**
 * Of a work in a query: it was made for a class, and waits to be seen by everybody. The class goes on reading it, unless somebody has
 * sent it back to its maker.
 */
export const staysInClassSql = (table: string): Sql =>
  sql`(${hasStatus([waiting], `${table}.status`)} and ${raw(table)}.visibility = 'public' and ${raw(table)}.made_for is not null
    and ${raw(table)}.publish_at is null and not exists (
      select 1 from decision where decision.project = ${raw(table)}.id and decision.action = 'sent_back'))`;

/** Of a work in a query: the classes to which its maker has given it read it. */
export const isForClassSql = (table: string): Sql =>
  sql`((${raw(table)}.visibility = 'class' and ${hasStatus(publiclyReadableStatuses, `${table}.status`)}) or ${staysInClassSql(table)})`;

export function readableBy(viewer: Viewer, table: string): Sql | undefined {
  const classes = classesOf(viewer);
  return classes.length > 0
    ? sql`${isForClassSql(table)} and ${hasItem(table, classes, isFromMakerSql('item', table))}`
    : undefined;
}

export function hasGroupComments(viewer: Viewer, table: string): Sql | undefined {
  const classes = classesOf(viewer);
  return classes.length > 0
    ? sql`${raw(table)}.visibility in ('public', 'unlisted') and ${hasItem(table, classes, sql`1 = 1`)}`
    : undefined;
}
