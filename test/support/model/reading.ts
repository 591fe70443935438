// Everybody reads everything that they can reach.

import { RefusedLine } from '../../../src/core/dump/problems.ts';
import type { Kind } from '../databases.ts';
import { Person, visitor } from '../person.ts';
import { at, firstClass, idOf, type Name, type School, secondClass } from '../school.ts';
import { exportAll, importInto, type Site, siteOn } from '../site.ts';
import {
  type Answer,
  type Model,
  names,
  type Reader,
  readers,
  requireOwnWords,
  send,
  teachers,
  type Work,
} from './model.ts';

const listings = [
  `${at}?page_size=100&content_type__in=text,comment,collection`,
  `${at}?page_size=100&search=kite`,
  `${at}?page_size=100&contributor=me`,
  `${at}?page_size=100&format=csv`,
  '/api/v1/changes/?page_size=100',
  '/api/v1/me/notifications/?page_size=100',
  '/api/v1/me/dump/?format=ndjson',
  ...[firstClass, secondClass].flatMap((id) => [
    `${at}${id}/items/`,
    `${at}${id}/comments/`,
    `${at}${id}/hand-ins.csv`,
  ]),
];

const feeds = [
  ...['/', '/?search=kite', '/feed.atom', '/feed.json', '/feed.atom?content_type=comment'],
  ...[firstClass, secondClass].map((id) => `/my-class/?class=${id}`),
];

type Read = (path: string, ofBrowser?: boolean) => Promise<[address: string, body: string]>;

function reading(person: Person): Read {
  return async (path, ofBrowser = false) => {
    const response = await (ofBrowser ? person.browser.get(path) : person.get(path));
    if (response.status >= 500) throw new Error(`${path}: ${response.status}`);
    return [path, response.status === 200 ? await response.text() : ''];
  };
}

/** All that a person can reach, with the address where it stands. */
async function* everythingFor(model: Model, person: Person): AsyncGenerator<[address: string, body: string]> {
  const read = reading(person);
  for (const path of listings) yield read(path);
  for (const path of feeds) yield read(path, true);
  for (const work of model.works) yield* partsOf(work, read);
  for (const { id } of model.comments) yield read(`${at}${id}/`);
}

async function* partsOf(work: Work, read: Read): AsyncGenerator<[address: string, body: string]> {
  const { id, visibility, isCollection } = work;
  const record = await read(`${at}${id}/`);
  // A title that was erased is another address.
  if (record[1]) work.path = new URL((JSON.parse(record[1]) as Answer).html_url).pathname;
  const page = await read(work.path, true);
  yield record;
  yield page;
  // Unlisted work is found by its address only.
  if (page[1] === '' ? record[1] !== '' : record[1] === '' && visibility !== 'unlisted')
    throw new Error(`${id} has ${record[1] === '' ? 'a page and no record' : 'a record and no page'}`);
  if (page[1] === '') return;
  for (const part of [
    'comments/',
    'history/',
    'edits/',
    'lineage/',
    'copies/',
    ...(isCollection ? ['items/'] : []),
  ])
    yield read(`${at}${id}/${part}`);
}

/** Throws if somebody reads a word that was not written for them. */
export async function readEverything(
  model: Model,
  school: School,
  by: readonly Reader[] = readers,
): Promise<void> {
  for (const reader of by) {
    if (reader !== 'visitor' && model.gone.has(reader)) continue;
    for await (const [address, body] of everythingFor(model, school[reader]))
      requireOwnWords(model, reader, address, body);
  }
  await requireTeachers(model, school);
}

const reads = async (person: Person, path: string, text: string) => {
  const response = await person.get(path);
  return response.status === 200 && (await response.text()).includes(text);
};

/** The teachers read what waits, and what stands in the class. */
async function requireTeachers(model: Model, school: School): Promise<void> {
  for (const { id, maker, status, visibility, isGone } of model.works) {
    if (isGone || !model.lookedAfter.has(maker) || status !== 5 || visibility === 'private') continue;
    for (const teacher of teachers)
      if ((await school[teacher].get(`${at}${id}/`)).status !== 200)
        throw new Error(`${id} of ${maker} waits, and ${teacher} does not see it`);
  }
}

/** Whatever others than its teachers write to a child is read by its teachers where the child reads it. */
export async function requireSeen(
  model: Model,
  school: School,
  child: Name,
  author: Name,
  path: string,
  text: string,
): Promise<void> {
  if (!model.lookedAfter.has(child) || author === child || teachers.includes(author)) return;
  if (!(await reads(school[child], path, text))) return;
  for (const teacher of teachers)
    if (!(await reads(school[teacher], path, text)))
      throw new Error(`${child} reads ${text} of ${author} at ${path}, and ${teacher} does not`);
}

/** Whoever is told of something can open it. */
export async function requireOpened(model: Model, school: School): Promise<void> {
  for (const name of names) {
    if (model.gone.has(name)) continue;
    const { results } = await school[name].json<{ results: { kind: string; html_url: string | null }[] }>(
      '/api/v1/me/notifications/?page_size=5',
    );
    for (const { kind, html_url } of results) {
      if (html_url === null) continue;
      const { status } = await school[name].browser.get(new URL(html_url).pathname);
      if (status !== 200) throw new Error(`${name} is told (${kind}) of ${html_url}: ${status}`);
    }
  }
}

const line = (type: string, members: object) => `${JSON.stringify({ type, ...members })}\n`;

/** None of these is taken: they would make somebody a teacher, an admin or the owner of a class. */
const rights = [
  line('collection_person', { collection: firstClass, contributor: idOf('bob'), role: 'teacher' }),
  line('account', { contributor: idOf('bob'), role: 'admin', password: null, disabled: null }),
];

/** An import gives no right, and brings nothing back that was erased, not even one of this gallery. */
export async function importOlder(model: Model, school: School): Promise<void> {
  for (const word of model.words)
    if (word.isRedacted && model.exported?.includes(word.text)) word.isErased = false;
  for (const dump of [...rights, ...(model.exported ? [model.exported] : [])])
    try {
      await importInto(school.site, dump);
      if (dump !== model.exported) throw new Error(`was imported: ${dump}`);
    } catch (error) {
      if (!(error instanceof RefusedLine)) throw error;
    }
  for (const work of model.works) {
    const record = await send(school.mo, 'GET', `${at}${work.id}/`);
    if (record) work.visibility = record.visibility;
  }
  // An import ends sessions.
  await readEverything(model, await peopleAt(school.site, model), ['visitor', 'bob', 'tom', 'lee']);
}

/** The same people in a gallery that was made of the other's export, and what they take along. */
export async function readImported(model: Model, { site }: School, kind: Kind): Promise<void> {
  const exported = await exportAll(site);
  for (const { text, isErased } of model.words)
    if (isErased && exported.includes(text)) throw new Error(`${text} is in the export, and was erased`);
  const copy = await siteOn(kind, { dump: exported });
  if ((await exportAll(copy)) !== exported) throw new Error('the export of the copy is another one');
  await readEverything(model, await peopleAt(copy, model));
  await copy.close();
}

export async function peopleAt(site: Site, { gone }: Model): Promise<School> {
  const people = await Promise.all(
    names.map(
      async (name) =>
        [name, gone.has(name) ? visitor(site) : new Person(site, await site.signIn(name), name)] as const,
    ),
  );
  return { site, visitor: visitor(site), ...(Object.fromEntries(people) as Record<Name, Person>) };
}
