// Holds a gallery against the ledger, as its readers see it, and the change log row by row.

import sql from 'sql-template-tag';
import { select } from '../../src/database/query.ts';
import { changeTable } from '../../src/database/schema.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { type Item, type Ledger, type State, same } from './ledger.ts';
import { Loss, type Writer } from './writer.ts';

const atOnce = 16;

async function each<Value>(values: Iterable<Value>, work: (value: Value) => Promise<void>): Promise<void> {
  const rest = [...values];
  const hand = async () => {
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
}

/** Reads back what has changed since the last audit, or everything. Answers how many items that were. */
export async function audit(
  ledger: Ledger,
  writers: readonly Writer[],
  database: string,
  all = false,
): Promise<number> {
  const byName = new Map(writers.map((writer) => [writer.person.username, writer]));
  const ids = all ? [...ledger.items.keys()] : [...ledger.touched];
  await each(ids, (id) => {
    const item = ledger.item(id);
    return readBack(ledger, item, byName.get(item.owner) as Writer);
  });
  await each(ledger.ratings, async ([id, ratings]) => {
    if (!all && !ledger.touched.has(id)) return;
    for (const [username, value] of ratings) {
      const found = await byName.get(username)?.rating(id);
      if (found !== value) throw new Loss(`${username} gave ${id} ${value}, and now it is ${found}`);
    }
  });
  if (all) for (const writer of writers) await nothingElse(ledger, writer);
  await logHoldsAll(ledger, database);
  ledger.touched.clear();
  return ids.length;
}

type Found = State & { id: number; rating_count: number; rating_sum: number; copied_from: number | null };

async function readBack(ledger: Ledger, item: Item, owner: Writer): Promise<void> {
  const { id, state } = item;
  const { status, body } = await owner.get<Found & { parent: number | null }>(
    `/projects/${id}/?include=parent`,
  );
  if (item.trashed) {
    if (status !== 404) throw new Loss(`${id} is in the trash, and answered ${status}`);
    return;
  }
  const { copied_from, parent } = item;
  if (status !== 200 || !same(body, state) || body.copied_from !== copied_from || body.parent !== parent)
    throw new Loss(`${id} must be ${JSON.stringify(item)}, and is ${status} ${JSON.stringify(body)}`);
  const ratings = [...(ledger.ratings.get(id)?.values() ?? [])];
  const sum = ratings.reduce((total, value) => total + value, 0);
  if (body.rating_count !== ratings.length || body.rating_sum !== sum)
    throw new Loss(
      `${id} has ${body.rating_count} ratings of ${body.rating_sum}, not ${ratings.length} of ${sum}`,
    );
  const word = state.title.split(' ').at(-1);
  const tags = state.tags === '' ? '' : `&tags=${encodeURIComponent(state.tags.replaceAll(', ', ','))}`;
  const query = `?contributor=me&search=${word}${tags}&page_size=100`;
  const listed = await owner.get<{ results: { id: number }[] }>(`/projects/${query}`);
  if (!listed.body.results.some((found) => found.id === id))
    throw new Loss(`no search finds ${id} by ${query}`);
}

/** What is there was acknowledged, or found whole. */
async function nothingElse(ledger: Ledger, writer: Writer): Promise<void> {
  const found = new Set<number>();
  let path: string | null = '/projects/?contributor=me&page_size=100&fields=id&cursor=';
  while (path !== null) {
    const { body }: { body: { next: string | null; results: { id: number }[] } } = await writer.get(path);
    for (const { id } of body.results) found.add(id);
    path = body.next === null ? null : body.next.slice(body.next.indexOf('/projects/'));
  }
  const own = [...ledger.items.values()].filter(
    ({ owner, trashed }) => owner === writer.person.username && !trashed,
  );
  const missing = own.filter(({ id }) => !found.has(id)).length;
  if (missing || found.size !== own.length)
    throw new Loss(
      `${writer.person.username} has ${found.size} items, not ${own.length}; ${missing} are missing`,
    );
}

async function logHoldsAll(ledger: Ledger, address: string): Promise<void> {
  const database = await openGallery(address);
  try {
    const log = await database.all(select(changeTable.columns, sql`from change order by sequence`));
    const told = new Map<string, number>();
    log.forEach(({ sequence, action, kind, subject }, index) => {
      if (sequence !== index + 1) throw new Loss(`the change log lacks ${index + 1}`);
      if ((kind !== 'project' && kind !== 'rating') || action === 'credited') return;
      const entry = `${kind} ${action} ${subject}`;
      told.set(entry, (told.get(entry) ?? 0) + 1);
    });
    for (const entry of new Set([...told.keys(), ...ledger.told.keys()])) {
      const [is, must] = [told.get(entry), ledger.told.get(entry)];
      if (is !== must) throw new Loss(`the change log tells ${is} times of ${entry}, not ${must}`);
    }
  } finally {
    await database.close();
  }
}
