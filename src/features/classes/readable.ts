// The people of a class read more than everybody: works that their makers have put there, and what was said for the
// class about works that everybody sees.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { hasStatus, publiclyReadableStatuses } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { classesOf, isFromMakerSql } from './class-people.ts';

function hasItem(table: string, classes: readonly number[], condition: Sql): Sql {
  return sql`exists (select 1 from collection_item as item where item.project = ${raw(table)}.id
    and item.collection in (${join([...classes])}) and item.state = 'included' and ${condition})`;
}

export function readableBy(viewer: Viewer, table: string): Sql | undefined {
  const classes = classesOf(viewer);
  return classes.length > 0
    ? sql`${raw(table)}.visibility = 'class' and ${hasStatus(publiclyReadableStatuses, `${table}.status`)} and ${hasItem(table, classes, isFromMakerSql('item', table))}`
    : undefined;
}

export function hasGroupComments(viewer: Viewer, table: string): Sql | undefined {
  const classes = classesOf(viewer);
  return classes.length > 0
    ? sql`${raw(table)}.visibility in ('public', 'unlisted') and ${hasItem(table, classes, sql`1 = 1`)}`
    : undefined;
}
