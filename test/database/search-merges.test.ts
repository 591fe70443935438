// SQLite's search index gets a part with each commit. The parts are merged after the writes, a few pages at a time.

import { Database as Connection } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { emptyGallery } from '../support/galleries.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor, waitMs } from '../support/waiting.ts';

const gallery = dump(adasLine, project(1));

/** Resolves when SQLite finds nothing to merge any more. */
async function isMerged({ address }: Site): Promise<void> {
  const connection = new Connection(address);
  try {
    connection.run(`pragma busy_timeout = ${waitMs}`);
    await waitFor(() => !hasPartsToMerge(connection));
  } finally {
    connection.close();
  }
}

function hasPartsToMerge(connection: Connection): boolean {
  const changes = () => connection.query<{ n: number }, []>('select total_changes() as n').get()?.n ?? 0;
  connection.run('begin immediate');
  const before = changes();
  connection.run("insert into project_search (project_search, rank) values ('merge', 1)");
  // The statement itself counts as one.
  const hasParts = changes() - before > 1;
  connection.run('rollback');
  return hasParts;
}

async function writeProjects(site: Site, count: number): Promise<void> {
  const ada = await person(site, 'ada');
  for (let index = 0; index < count; index++)
    expect((await ada.post('/api/v1/projects/', { title: `Kite ${index}` })).status).toBe(201);
}

test('after a few writes, their parts of the search index are merged', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  await writeProjects(site, 10);
  await isMerged(site);
});

test('parts that a closed process has left are merged after the first write of the next', async () => {
  const address = await emptyGallery('SQLite');
  const first = await siteAt(address, { dump: gallery });
  const connection = new Connection(address);
  for (let id = 100; id < 140; id++)
    connection.run('insert into project_search (rowid, title) values (?, ?)', [id, 'kite']);
  expect(hasPartsToMerge(connection)).toBe(true);
  connection.close();
  await first.close();

  const second = await siteAt(address);
  await writeProjects(second, 1);
  await isMerged(second);
});

test('while long texts are written without a pause, the search index stays in few parts', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const connection = new Connection(site.address, { readonly: true });
  const structure = connection.query<{ size: number }, []>(
    'select length(block) as size from project_search_data where id = 10',
  );
  let largest = 0;
  await Promise.all(
    Array.from({ length: 60 }, async (_, number) => {
      const text = Array.from({ length: 9000 }, (_, word) => `${(word * 7919 * (number + 1)) % 99_991}`);
      await ada.post('/api/v1/projects/', { title: 'Long', text: text.join(' ') });
      largest = Math.max(largest, structure.get()?.size ?? 0);
    }),
  );
  connection.close();
  // A part takes about ten bytes.
  expect(largest).toBeLessThan(200);
});
