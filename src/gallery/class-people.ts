// The people of a class: every question about them is asked here. Whoever owns a class is one of its teachers, as
// sign-in/credentials.ts loads them.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../database/database.ts';
import { exists } from '../database/query.ts';
import type { Viewer } from './viewer.ts';

/** The classes of the viewer, as a teacher or a member. */
export const classesOf = ({ memberships = [] }: Viewer): number[] =>
  memberships.flatMap(({ collection, role }) => (role === 'editor' ? [] : [collection]));

/** The classes in which the viewer is a teacher. */
export const taughtClasses = ({ memberships = [] }: Viewer): number[] =>
  memberships.flatMap(({ collection, role }) => (role === 'teacher' ? [collection] : []));

/** Whether a class looks after the account. Search engines are not shown such people. */
export const isLookedAfter = (reader: Reader, contributor: number): Promise<boolean> =>
  exists(reader, isLookedAfterSql(sql`${contributor}`));

/** Of a contributor's id in a query; by one of these classes, if they are given. */
export const isLookedAfterSql = (id: Sql, classes?: readonly number[]): Sql =>
  sql`from account where account.contributor = ${id} and looked_after_by ${
    classes ? sql`in (${join([...classes])})` : sql`is not null`
  }`;

/** Of a contributor's id and that of a class in a query. */
export const isTeacherSql = (contributor: Sql, collection: Sql): Sql =>
  sql`from project as class where class.id = ${collection} and (class.contributor = ${contributor}
    or exists (select 1 from collection_person as person where person.collection = class.id
      and person.contributor = ${contributor} and person.role = 'teacher'))`;

/** Whether the viewer may review what the person wants to publish. */
export async function isTeacherOf(reader: Reader, viewer: Viewer, contributor: number): Promise<boolean> {
  const classes = taughtClasses(viewer);
  return (
    classes.length > 0 && viewer.canWrite && exists(reader, isLookedAfterSql(sql`${contributor}`, classes))
  );
}
