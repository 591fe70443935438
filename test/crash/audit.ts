// Compares a gallery with the expected one: the responses over HTTP, and the change log row by row.

import sql from 'sql-template-tag';
import { select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { type ExpectedGallery, type ExpectedProject, isSame, type State } from './expected-gallery.ts';
import { Mismatch } from './write.ts';
import type { Writer } from './writer.ts';

const concurrency = 16;

async function forEach<Value>(values: Iterable<Value>, work: (value: Value) => Promise<void>): Promise<void> {
  const rest = [...values];
  const worker = async () => {
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Reads the projects that have changed since the last audit, or all projects, and returns their number. */
export async function audit(
  expected: ExpectedGallery,
  writers: readonly Writer[],
  database: string,
  all = false,
): Promise<number> {
  const byName = new Map(writers.map((writer) => [writer.person.username, writer]));
  const ids = all ? [...expected.projects.keys()] : [...expected.changed];
  await forEach(ids, (id) => {
    const project = expected.project(id);
    return checkProject(expected, project, byName.get(project.owner) as Writer);
  });
  await forEach(expected.ratings, async ([id, ratings]) => {
    if (!all && !expected.changed.has(id)) return;
    for (const [username, value] of ratings) {
      const stored = await byName.get(username)?.rating(id);
      if (stored !== value) throw new Mismatch(`${username} gave ${id} ${value}, and now it is ${stored}`);
    }
  });
  if (all) for (const writer of writers) await checkProjectsOf(expected, writer);
  await checkLog(expected, database);
  expected.changed.clear();
  return ids.length;
}

type StoredProject = State & {
  id: number;
  rating_count: number;
  rating_sum: number;
  copied_from: number | null;
};

async function checkProject(
  expected: ExpectedGallery,
  project: ExpectedProject,
  owner: Writer,
): Promise<void> {
  const { id, state } = project;
  const { status, body } = await owner.get<StoredProject & { parent: number | null }>(
    `/projects/${id}/?include=parent`,
  );
  if (project.trashed) {
    if (status !== 404) throw new Mismatch(`${id} is in the trash, and its status is ${status}`);
    return;
  }
  const { copied_from, parent } = project;
  if (status !== 200 || !isSame(body, state) || body.copied_from !== copied_from || body.parent !== parent)
    throw new Mismatch(`${id} must be ${JSON.stringify(project)}, and is ${status} ${JSON.stringify(body)}`);
  const ratings = [...(expected.ratings.get(id)?.values() ?? [])];
  const sum = ratings.reduce((total, value) => total + value, 0);
  if (body.rating_count !== ratings.length || body.rating_sum !== sum)
    throw new Mismatch(
      `${id} has ${body.rating_count} ratings of ${body.rating_sum}, not ${ratings.length} of ${sum}`,
    );
  const word = state.title.split(' ').at(-1);
  const tags = state.tags === '' ? '' : `&tags=${encodeURIComponent(state.tags.replaceAll(', ', ','))}`;
  const query = `?contributor=me&search=${word}${tags}&page_size=100`;
  const list = await owner.get<{ results: { id: number }[] }>(`/projects/${query}`);
  if (!list.body.results.some((result) => result.id === id))
    throw new Mismatch(`no search finds ${id} by ${query}`);
}

/** The writer has all expected projects, and no others. */
async function checkProjectsOf(expected: ExpectedGallery, writer: Writer): Promise<void> {
  const stored = new Set<number>();
  let path: string | null = '/projects/?contributor=me&page_size=100&fields=id&cursor=';
  while (path !== null) {
    const { body }: { body: { next: string | null; results: { id: number }[] } } = await writer.get(path);
    for (const { id } of body.results) stored.add(id);
    path = body.next === null ? null : body.next.slice(body.next.indexOf('/projects/'));
  }
  const own = [...expected.projects.values()].filter(
    ({ owner, trashed }) => owner === writer.person.username && !trashed,
  );
  const missing = own.filter(({ id }) => !stored.has(id)).length;
  if (missing || stored.size !== own.length)
    throw new Mismatch(
      `${writer.person.username} has ${stored.size} projects, not ${own.length}; ${missing} are missing`,
    );
}

async function checkLog(expected: ExpectedGallery, address: string): Promise<void> {
  const database = await openGallery(address);
  try {
    const log = await database.all(select(changeTable.columns, sql`from change order by sequence`));
    const logged = new Map<string, number>();
    log.forEach(({ sequence, action, kind, subject }, index) => {
      if (sequence !== index + 1) throw new Mismatch(`the change log lacks ${index + 1}`);
      if ((kind !== 'project' && kind !== 'rating') || action === 'credited') return;
      const entry = `${kind} ${action} ${subject}`;
      logged.set(entry, (logged.get(entry) ?? 0) + 1);
    });
    for (const entry of new Set([...logged.keys(), ...expected.logged.keys()])) {
      const [count, expectedCount] = [logged.get(entry), expected.logged.get(entry)];
      if (count !== expectedCount)
        throw new Mismatch(`the change log has ${entry} ${count} times, not ${expectedCount}`);
    }
  } finally {
    await database.close();
  }
}
