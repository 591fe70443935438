// Reviewers besides the moderators, such as the teachers of a child. Features name them.

import sql, { join, type Sql } from 'sql-template-tag';
import { exists, type Reader } from '#sql';
import { once } from './feature.ts';
import type { Viewer } from './viewer/viewer.ts';

export interface Reviewers {
  /** Of a contributor's id in a query: whether the viewer reviews what they publish; undefined for nobody. */
  isPersonSql(viewer: Viewer, contributor: Sql): Sql | undefined;
  /** Of a project in a query: whether the viewer reviews it; undefined for none. */
  isWorkSql(viewer: Viewer, table: string): Sql | undefined;
  /** Those who review what the person publishes. */
  list(reader: Reader, contributor: number): Promise<readonly { readonly id: number }[]>;
  /** A query for all who review anything. */
  readonly everybody: Sql;
}

declare module './feature.ts' {
  interface Feature {
    readonly reviewers?: Reviewers;
  }
}

const all = once((features) => features.flatMap(({ reviewers = [] }) => reviewers));

function isAny(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const some = conditions.filter((condition) => condition !== undefined);
  return some.length > 0 ? join(some, ' or ', '(', ')') : undefined;
}

export const reviewsPersonSql = (viewer: Viewer, contributor: Sql): Sql | undefined =>
  isAny(all().map((reviewers) => reviewers.isPersonSql(viewer, contributor)));

export const reviewsWorkSql = (viewer: Viewer, table: string): Sql | undefined =>
  isAny(all().map((reviewers) => reviewers.isWorkSql(viewer, table)));

export const reviewsSomebody = (viewer: Viewer): boolean => reviewsPersonSql(viewer, sql`0`) !== undefined;

/** Whether the viewer may review what the person wants to publish. */
export async function isReviewerOf(reader: Reader, viewer: Viewer, contributor: number): Promise<boolean> {
  const isReviewed = reviewsPersonSql(viewer, sql`contributor.id`);
  return (
    isReviewed !== undefined &&
    viewer.canWrite &&
    exists(reader, sql`from contributor where id = ${contributor} and ${isReviewed}`)
  );
}

export const reviewersOf = async (reader: Reader, contributor: number) =>
  (await Promise.all(all().map(({ list }) => list(reader, contributor)))).flat();

/** Those of all people. */
export const listReviewers = once(() => all().map(({ everybody }) => everybody));
