// A school in a gallery: two classes, their people, and outsiders. Children have accounts that their class looks after.

import { expect } from 'bun:test';
import { execute } from '#sql';
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

export const openSchool = async (kind: Kind): Promise<School> =>
  enterSchool(await siteOn(kind, { dump: schoolDump }));

/** Its people are signed in. */
export async function enterSchool(site: Site): Promise<School> {
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

export const at = '/api/v1/projects/';

export interface Made {
  readonly id: number;
  readonly status: number;
  readonly visibility: string;
  readonly title: string;
  readonly text: string;
  readonly html_url: string;
}

export async function make(maker: Person, members: object): Promise<Made> {
  const response = await maker.post(at, { title: 'A kite', ...members });
  expect([response.status, await response.clone().text()]).toEqual([201, expect.anything()]);
  return (await response.json()) as Made;
}

export async function copy(maker: Person, { id }: Pick<Made, 'id'>): Promise<Made> {
  const response = await maker.post(`${at}${id}/copy/`);
  expect(response.status).toBe(201);
  return (await response.json()) as Made;
}

// What people of the school do, and the answers.

export const status = async (reader: Person, { id }: Pick<Made, 'id'>) =>
  (await reader.get(`${at}${id}/`)).status;

export const statuses = (readers: readonly Person[], made: Pick<Made, 'id'>) =>
  Promise.all(readers.map((reader) => status(reader, made)));

export const answerOf = async (response: Response) => {
  const body = (await response.json()) as Record<string, unknown> & Partial<Made>;
  return [response.status, body.visibility?.toString() ?? Object.values(body).flat()[0]];
};

export const change = async (writer: Person, { id }: Pick<Made, 'id'>, members: object) =>
  answerOf(await writer.patch(`${at}${id}/`, members));

export const say = (writer: Person, parent: Pick<Made, 'id'>, words: string, members: object = {}) =>
  writer.post(at, { title: words, text: words, content_type: 'comment', parent: parent.id, ...members });

export const comment = async (
  writer: Person,
  parent: Pick<Made, 'id'>,
  words: string,
  members: object = {},
) => {
  const response = await say(writer, parent, words, members);
  expect(response.status).toBe(201);
  return (await response.json()) as Made;
};

export const review = async (reviewer: Person, { id }: Pick<Made, 'id'>, decision = 'approve') =>
  (await reviewer.post(`${at}${id}/review/`, { decision, reason: 'Because.' })).status;

export const collect = async (person: Person, collection: number, { id }: Pick<Made, 'id'>, note = '') =>
  (await person.post(`${at}${collection}/items/`, { project: id, note })).status;

export const notesFor = async (reader: Person, collection: number) =>
  (await reader.json<{ note: string }[]>(`${at}${collection}/items/`)).map(({ note }) => note);

export const upload = async (person: Person, { id }: Pick<Made, 'id'>, name: string, content: string) => {
  const form = new FormData();
  form.set('file', new File([content], name, { type: 'text/plain' }));
  expect((await person.post(`${at}${id}/media/`, form)).status).toBe(201);
};
