// Compares a gallery with the ledger: the responses over HTTP, and the change log row by row.

import sql from 'sql-template-tag';
import { select } from '../../src/database/query.ts';
import { changeTable } from '../../src/database/schema.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { type Item, isSame, type Ledger, type State } from './ledger.ts';
import { Loss, type Writer } from './writer.ts';

const concurrency = 16;

async function forEach<Value>(values: Iterable<Value>, work: (value: Value) => Promise<void>): Promise<void> {
  const rest = [...values];
  const worker = async () => {
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Reads the items that have changed since the last audit, or all items, and returns their number. */
export async function audit(
  ledger: Ledger,
  writers: readonly Writer[],
  database: string,
  all = false,
): Promise<number> {
  const byName = new Map(writers.map((writer) => [writer.person.username, writer]));
  const ids = all ? [...ledger.items.keys()] : [...ledger.changed];
  await forEach(ids, (id) => {
    const item = ledger.item(id);
    return checkItem(ledger, item, byName.get(item.owner) as Writer);
  });
  await forEach(ledger.ratings, async ([id, ratings]) => {
    if (!all && !ledger.changed.has(id)) return;
    for (const [username, value] of ratings) {
      const stored = await byName.get(username)?.rating(id);
      if (stored !== value) throw new Loss(`${username} gave ${id} ${value}, and now it is ${stored}`);
    }
  });
  if (all) for (const writer of writers) await checkItems(ledger, writer);
  await checkLog(ledger, database);
  ledger.changed.clear();
  return ids.length;
}

type StoredItem = State & {
  id: number;
  rating_count: number;
  rating_sum: number;
  copied_from: number | null;
};

async function checkItem(ledger: Ledger, item: Item, owner: Writer): Promise<void> {
  const { id, state } = item;
  const { status, body } = await owner.get<StoredItem & { parent: number | null }>(
    `/projects/${id}/?include=parent`,
  );
  if (item.trashed) {
    if (status !== 404) throw new Loss(`${id} is in the trash, and its status is ${status}`);
    return;
  }
  const { copied_from, parent } = item;
  if (status !== 200 || !isSame(body, state) || body.copied_from !== copied_from || body.parent !== parent)
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
  const list = await owner.get<{ results: { id: number }[] }>(`/projects/${query}`);
  if (!list.body.results.some((result) => result.id === id))
    throw new Loss(`no search finds ${id} by ${query}`);
}

/** Every item of the gallery is in the ledger. */
async function checkItems(ledger: Ledger, writer: Writer): Promise<void> {
  const stored = new Set<number>();
  let path: string | null = '/projects/?contributor=me&page_size=100&fields=id&cursor=';
  while (path !== null) {
    const { body }: { body: { next: string | null; results: { id: number }[] } } = await writer.get(path);
    for (const { id } of body.results) stored.add(id);
    path = body.next === null ? null : body.next.slice(body.next.indexOf('/projects/'));
  }
  const own = [...ledger.items.values()].filter(
    ({ owner, trashed }) => owner === writer.person.username && !trashed,
  );
  const missing = own.filter(({ id }) => !stored.has(id)).length;
  if (missing || stored.size !== own.length)
    throw new Loss(
      `${writer.person.username} has ${stored.size} items, not ${own.length}; ${missing} are missing`,
    );
}

async function checkLog(ledger: Ledger, address: string): Promise<void> {
  const database = await openGallery(address);
  try {
    const log = await database.all(select(changeTable.columns, sql`from change order by sequence`));
    const logged = new Map<string, number>();
    log.forEach(({ sequence, action, kind, subject }, index) => {
      if (sequence !== index + 1) throw new Loss(`the change log lacks ${index + 1}`);
      if ((kind !== 'project' && kind !== 'rating') || action === 'credited') return;
      const entry = `${kind} ${action} ${subject}`;
      logged.set(entry, (logged.get(entry) ?? 0) + 1);
    });
    for (const entry of new Set([...logged.keys(), ...ledger.logged.keys()])) {
      const [actual, expected] = [logged.get(entry), ledger.logged.get(entry)];
      if (actual !== expected) throw new Loss(`the change log has ${entry} ${actual} times, not ${expected}`);
    }
  } finally {
    await database.close();
  }
}
