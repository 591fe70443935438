// The people of a class. Whoever owns a class is one of its teachers, as collections/memberships.ts loads them.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, pick } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import type { Reviewers } from '../../core/reviewers.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';

/** The classes of the viewer, as a teacher or a member. */
export const classesOf = ({ memberships = [] }: Viewer): number[] =>
  memberships.flatMap(({ collection, role }) => (role === 'editor' ? [] : [collection]));

/** The classes in which the viewer is a teacher. */
export const taughtClasses = ({ memberships = [] }: Viewer): number[] =>
  memberships.flatMap(({ collection, role }) => (role === 'teacher' ? [collection] : []));

/** Of a contributor's id in a query: one of these classes looks after the account. */
export const isLookedAfterBySql = (id: Sql, classes: readonly number[]): Sql =>
  sql`from account where account.contributor = ${id} and looked_after_by in (${join([...classes])})`;

/** Of a contributor's id and that of a class in a query. */
export const isTeacherSql = (contributor: Sql, collection: Sql): Sql =>
  sql`from project as class where class.id = ${collection} and (class.contributor = ${contributor}
    or exists (select 1 from collection_person as person where person.collection = class.id
      and person.contributor = ${contributor} and person.role = 'teacher'))`;

/** The same for all people of a class. */
export const isPersonSql = (contributor: Sql, collection: Sql): Sql =>
  sql`from project as own where own.id = ${collection} and own.kind = 'class' and (own.contributor = ${contributor}
    or exists (select 1 from collection_person as person where person.collection = own.id
      and person.contributor = ${contributor}))`;

/**
 * Of an item in a query, and its project: its maker, one of the people of the class, has put it there. A copy of what somebody else made
 * for a class is for that class alone, also where it was put while it was open.
 */
export const isFromMakerSql = (item: string, project: string): Sql =>
  sql`(${raw(item)}.added_by = ${raw(project)}.contributor and (${raw(project)}.made_for = ${raw(item)}.collection
    or (${raw(project)}.source_maker is null
      and exists (select 1 ${isPersonSql(raw(`${project}.contributor`), raw(`${item}.collection`))}))))`;

/** Of a project in a query: whether it is reviewed in one of these classes: that of its maker, or of a copy, that of its source. */
export const isReviewedInSql = (table: string, classes: readonly number[]): Sql =>
  sql`(case when ${raw(table)}.source_maker is null
    then exists (select 1 ${isLookedAfterBySql(raw(`${table}.contributor`), classes)})
    else ${raw(table)}.made_for in (${join([...classes])}) end)`;

/** Teachers review what the people publish whom their class looks after. */
export const teachers: Reviewers = {
  isPersonSql(viewer, contributor) {
    const classes = taughtClasses(viewer);
    return classes.length > 0
      ? sql`exists (select 1 ${isLookedAfterBySql(contributor, classes)})`
      : undefined;
  },
  isWorkSql(viewer, table) {
    const classes = taughtClasses(viewer);
    return classes.length > 0 ? isReviewedInSql(table, classes) : undefined;
  },
  list: (reader, contributor) => all(
    reader,
    pick(contributorTable.columns, 'id'),
  )`from contributor where exists (select 1 from account where account.contributor = ${contributor}
    and looked_after_by is not null and exists (select 1 ${isTeacherSql(sql`contributor.id`, sql`looked_after_by`)}))`,
  everybody: sql`select contributor from collection_person where role = 'teacher'
    union all select contributor from project where content_type = 'collection' and kind = 'class'`,
};
