// A school in a gallery: two classes, their people, and outsiders. Children have accounts that their class looks after.

import { execute } from '../../src/database/query.ts';
import type { Kind } from './databases.ts';
import { Person, visitor } from './person.ts';
import { contributor, dump, project, type Site, siteOn } from './site.ts';

/** Their ids, in this order: olga owns the first class, tess and tom teach the first and the second. */
const ids = { mo: 1, olga: 2, tess: 3, tom: 4, kim: 5, lee: 6, sam: 7, bob: 8, ann: 9 } as const;
export type Name = keyof typeof ids;
export const idOf = (name: Name): number => ids[name];

/** The classes: kim, lee and sam are children of the first; sam is also in the second. */
export const firstClass = 100;
export const secondClass = 101;
/** By ann, who has an account of her own and is in the first class. */
export const lamp = 102;

const line = (type: string, members: object) => JSON.stringify({ type, ...members });

const account = (name: Name, members: object = {}) =>
  line('account', {
    contributor: ids[name],
    role: 'contributor',
    password: null,
    disabled: null,
    ...members,
  });

const isIn = (collection: number, name: Name, role: string) =>
  line('collection_person', { collection, contributor: ids[name], role });

const classLine = (id: number, title: string, owner: Name) =>
  project(id, {
    ...{ title, contributor: ids[owner], content_type: 'collection', kind: 'class', offers: 'closed' },
    visibility: 'class',
  });

const child = { looked_after_by: firstClass };

export const schoolDump = dump(
  ...Object.entries(ids).map(([name, id]) => contributor(id, name)),
  account('mo', { role: 'moderator' }),
  ...(['olga', 'tess', 'tom', 'bob', 'ann'] as const).map((name) => account(name)),
  ...(['kim', 'lee', 'sam'] as const).map((name) => account(name, child)),
  classLine(firstClass, 'Class 6b', 'olga'),
  classLine(secondClass, 'Class 7a', 'tom'),
  project(lamp, { title: 'A lamp', contributor: ids.ann }),
  isIn(firstClass, 'tess', 'teacher'),
  ...(['kim', 'lee', 'sam', 'ann'] as const).map((name) => isIn(firstClass, name, 'member')),
  isIn(secondClass, 'sam', 'member'),
);

export type School = { readonly site: Site; readonly visitor: Person } & Readonly<Record<Name, Person>>;

export async function openSchool(kind: Kind): Promise<School> {
  const site = await siteOn(kind, { dump: schoolDump });
  const people = await Promise.all(
    Object.keys(ids).map(async (name) => [name, new Person(site, await site.signIn(name), name)] as const),
  );
  return { site, visitor: visitor(site), ...(Object.fromEntries(people) as Record<Name, Person>) };
}

/** The account becomes the child's own. */
export const release = ({ site }: School, name: Name): Promise<void> =>
  site.database.transaction(
    (transaction) =>
      execute(transaction)`update account set looked_after_by = null where contributor = ${ids[name]}`,
  );
