// The part that somebody has in collections. It comes with each signed-in request: what they see depends on it.

import sql, { raw, type Sql } from 'sql-template-tag';
import { inTrash } from '../../core/project-status.ts';
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

const isKept = sql`status <> ${raw(String(inTrash))}`;

/** As in "7 editor,9 member". Whoever owns a class is a teacher of it. */
export const selectMemberships = (contributor: Sql): Sql =>
  sql`(select string_agg(collection || ' ' || role, ',' order by collection) from (
    select collection, role from collection_person where collection_person.contributor = ${contributor}
      and exists (select 1 from project where project.id = collection and ${isKept})
    union all
    select id, 'teacher' from project where project.contributor = ${contributor}
      and content_type = 'collection' and kind = 'class' and ${isKept}
  ) as part)`;

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
