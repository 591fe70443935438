// The part that somebody has in collections. It comes with each signed-in request: what they see depends on it.

import sql, { raw, type Sql } from 'sql-template-tag';
import { hasStatus, inTrash, publiclyReadableStatuses } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';

/** An editor arranges a collection. A class has teachers, who do that too, and members. */
export const collectionRoles = ['editor', 'teacher', 'member'] as const;
export type CollectionRole = (typeof collectionRoles)[number];

interface Membership {
  readonly collection: number;
  readonly role: CollectionRole;
}

declare module '../../core/viewer/viewer.ts' {
  interface Viewer {
    /** The collections that they have a part in; undefined for none. */
    readonly memberships?: readonly Membership[];
  }
}

const isKept = sql`project.status <> ${raw(String(inTrash))}`;
const isShown = hasStatus(publiclyReadableStatuses, 'project.status');

/** Of a class in a query: whether it is there for its members. */
export const isForMembers = sql`${isShown} and project.visibility <> 'private'`;

/**
 * A query for the parts of somebody in collections that are there for them. One that is hidden from somebody gives them nothing;
 * the teachers of a class look after it also then. Whoever owns a class is a teacher of it.
 */
export const partsOf = (contributor: Sql): Sql =>
  sql`select collection, role from collection_person join project on project.id = collection
    where collection_person.contributor = ${contributor} and ${isKept} and (role = 'teacher'
      or (role = 'editor' and ${isShown}) or (${isForMembers}))
  union all
  select id, 'teacher' from project where project.contributor = ${contributor}
    and content_type = 'collection' and kind = 'class' and ${isKept}`;

/** As in "7 editor,9 member". */
export const selectMemberships = (contributor: Sql): Sql =>
  sql`(select string_agg(collection || ' ' || role, ',' order by collection) from (${partsOf(contributor)}) as part)`;

export const readMemberships = (text: string): Pick<Viewer, 'memberships'> => ({
  memberships: text.split(',').map((membership) => {
    const [collection, role] = membership.split(' ');
    return { collection: Number(collection), role: role as CollectionRole };
  }),
});

/** Editors of a collection and teachers of a class change it as its owner does, but not who sees it. */
export const arranges = (viewer: Viewer, { id }: { readonly id: number }): boolean =>
  viewer.canWrite &&
  viewer.memberships?.some(({ collection, role }) => collection === id && role !== 'member') === true;
