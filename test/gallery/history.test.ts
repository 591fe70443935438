// The history of a project is for its contributor and moderators, unless it is opened. What is redacted is gone.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const gallery = dump(adasLine, contributor(2, 'zoe'), contributor(3, 'mo'), project(1, { text: 'A lamp.' }));

interface VersionRecord {
  readonly number: number;
  readonly redacted: boolean;
  readonly text: string | null;
}

const historyPath = '/api/v1/projects/1/history/';

async function loadHistory(viewer: Person): Promise<VersionRecord[]> {
  return (await viewer.json<{ results: VersionRecord[] }>(historyPath)).results;
}

const textsOf = async (viewer: Person) => (await loadHistory(viewer)).map(({ text }) => text);

/** Ada writes a phone number into the project, and removes it. Returns the number of the version that has it. */
async function publishPhoneNumber(ada: Person): Promise<number> {
  await ada.patch('/api/v1/projects/1/', { text: 'Call me: q8xk5550123.' }, { 'Idempotency-Key': 'x' });
  await ada.patch('/api/v1/projects/1/', { text: 'A lamp again.' });
  return (await loadHistory(ada))[1]?.number ?? 0;
}

/** How often the text occurs in the files of a SQLite database. */
function occurrencesInFiles({ address }: Site, text: string): number {
  const paths = [address, `${address}-wal`].filter((path) => existsSync(path));
  return paths.reduce((sum, path) => sum + readFileSync(path, 'latin1').split(text).length - 1, 0);
}

onBothDatabases((kind) => {
  test('visitors and other contributors see no history until it is opened', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await publishPhoneNumber(ada);

    for (const viewer of [visitor(site), zoe]) {
      const response = await viewer.get(historyPath);
      expect([response.status, await response.json()]).toEqual([404, { detail: 'Not found.' }]);
    }
    const texts = ['A lamp again.', 'Call me: q8xk5550123.', 'A lamp.'];
    for (const viewer of [ada, mo]) expect(await textsOf(viewer)).toEqual(texts);

    expect((await ada.patch('/api/v1/projects/1/', { history: 'public' })).status).toBe(200);
    for (const viewer of [visitor(site), zoe]) expect((await textsOf(viewer)).slice(-3)).toEqual(texts);
  });

  test('a redacted version is a placeholder for everybody, and its text is nowhere', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const number = await publishPhoneNumber(ada);
    await ada.patch('/api/v1/projects/1/', { history: 'public' });

    expect((await zoe.post(`${historyPath}${number}/redact/`)).status).toBe(403);
    expect((await ada.post(`${historyPath}${number}/redact/`)).status).toBe(204);

    for (const viewer of [ada, zoe, visitor(site)])
      expect((await loadHistory(viewer)).filter(({ text }) => text?.includes('q8xk'))).toEqual([]);
    expect((await loadHistory(ada)).map(({ redacted }) => redacted)).toEqual([false, false, true, false]);
    const page = await ada.open('/content/uuid000000000000000001/a-project/history/');
    expect([page.text.includes('erased'), page.text.includes('q8xk')]).toEqual([true, false]);

    const readLog = () => Bun.file(`${site.address}-wal`).text();
    if (kind === 'SQLite') await waitFor(async () => !(await readLog()).includes('q8xk5550123'));
    await sweep(site.database, site.files);
    if (kind === 'SQLite') expect(occurrencesInFiles(site, 'q8xk5550123')).toBe(0);
  });

  test('a moderator redacts a version with all entries that repeat it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await ada.patch('/api/v1/projects/1/', { text: 'Call me: q8xk5550123.' });
    const number = (await loadHistory(ada))[0]?.number;
    await zoe.put('/api/v1/projects/1/rating/', { value: 5 });
    await ada.patch('/api/v1/projects/1/', { visibility: 'unlisted' });
    await ada.patch('/api/v1/projects/1/', { text: 'A lamp again.' });

    expect((await mo.post(`${historyPath}${number}/redact/`)).status).toBe(204);
    expect((await textsOf(ada)).filter((text) => text?.includes('q8xk'))).toEqual([]);
    expect((await textsOf(ada)).filter((text) => text !== null)).toEqual(['A lamp again.', 'A lamp.']);
  });

  test('the present version is changed before it is redacted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.patch('/api/v1/projects/1/', { text: 'Call me: q8xk5550123.' });
    const [present] = await loadHistory(ada);

    const response = await ada.post(`${historyPath}${present?.number}/redact/`);
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        detail:
          'This is the present version. Change the project first; then its earlier version can be erased.',
      },
    ]);
    expect((await ada.post(`${historyPath}999/redact/`)).status).toBe(404);
  });

  test('the text of a project that was deleted for good is nowhere', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1, { text: 'Call me: q8xk5550123.' })) });
    const ada = await person(site, 'ada');
    await ada.patch('/api/v1/projects/1/', { title: 'Call q8xk5550123' }, { 'Idempotency-Key': 'x' });

    expect((await ada.delete('/api/v1/projects/1/')).status).toBe(204);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 0 where trashed is not null`),
    );
    await sweep(site.database, site.files);
    if (kind === 'SQLite') expect(occurrencesInFiles(site, 'q8xk5550123')).toBe(0);
  });
});
