// `vitrine changes archive`: old changes leave the database for files, and nobody loses or sees anything by that. See also
// test/crash/change-archive.ts.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { all, count } from '#sql';
import { changeArchiveTable } from '../../src/core/changes/tables.ts';
import { requestRedelivery } from '../../src/features/webhooks/write-webhook.ts';
import { onBothDatabases } from '../support/databases.ts';
import { galleryWithOldChanges } from '../support/old-changes.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { vitrine, vitrineIn } from '../support/server.ts';
import { exportAll, importInto, type Site, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const optionsOf = ({ address, folder }: Site) => ['--database', address, '--files', folder];
const archive = (site: Site) => vitrine('changes', 'archive', '--keep-changes', '400d', ...optionsOf(site));
const check = (site: Site) => vitrine('check', ...optionsOf(site));
const intact = { code: 0, out: 'All is well.\n' };

interface Page {
  readonly last: number;
  readonly next: string | null;
  readonly results: readonly { readonly sequence: number }[];
}

/** All that the viewer sees of the changes, from this address on. */
async function readChanges(viewer: Person, path: string): Promise<Page['results']> {
  const results: Page['results'][number][] = [];
  for (let next: string | undefined = path; next; ) {
    const page: Page = await viewer.json(next);
    results.push(...page.results);
    next = page.next?.slice('http://gallery.example'.length);
  }
  return results;
}

const readHead = (site: Site) => site.json('/api/v1/changes/head/');
const historyOf = (viewer: Person) => viewer.json('/api/v1/projects/1/history/');

onBothDatabases((kind) => {
  test('everybody sees of archived changes what they saw, and histories and moves have all', async () => {
    const site = await siteOn(kind, { dump: galleryWithOldChanges(10_100) });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const viewers = [visitor(site), ada, bob, await person(site, 'mo', { role: 'moderator' })];
    await Promise.all(viewers.map((viewer) => viewer.key()));
    const path = '/api/v1/changes/?limit=1000';
    const seen = await Promise.all(viewers.map((viewer) => readChanges(viewer, path)));
    const histories = await Promise.all(viewers.map(historyOf));
    const head = await readHead(site);

    expect(await archive(site)).toEqual({ code: 0, out: '10000 changes moved into 1 file.\n', error: '' });
    expect(await archive(site)).toEqual({
      code: 0,
      out: '',
      error: 'There are fewer than 10000 such changes, which a file has.\n',
    });

    for (const [index, viewer] of viewers.entries()) {
      const archived = await readChanges(viewer, `${path}&archived=true`);
      const kept = await readChanges(viewer, `${path}&since=10000`);
      expect([...archived, ...kept]).toEqual([...(seen[index] ?? [])]);
    }
    expect(seen.map(({ length }) => length)).toEqual([5052, 6735, 5052, 6735]);
    expect(await Promise.all(viewers.map(historyOf))).toEqual(histories);
    // The versions.
    expect(await count(site.database, sql`from change where sequence <= 10000`)).toBe(3);

    const detail =
      'The changes up to 10000 are in the archive: read them at /api/v1/changes/?archived=true&since=9999, or begin anew with all records and since=10000.';
    for (const query of [
      '?since=9999',
      '?since=9999&wait=5',
      'stream/?since=9999',
      '?since=9999&format=ndjson',
    ]) {
      const response = await site.get(`/api/v1/changes/${query}`);
      expect([query, response.status, await response.json()]).toEqual([query, 410, { detail }]);
    }
    // A redaction reaches everything, because the file has no texts.
    expect((await ada.post('/api/v1/projects/1/history/4/redact/')).status).toBe(204);
    const [file] = await all(site.database, changeArchiveTable.columns)`from change_archive`;
    const { hash = '', bytes = 0 } = file ?? {};
    const content = Bun.zstdDecompressSync(await site.files.read(hash, 0, bytes));
    expect(new TextDecoder().decode(content)).not.toMatch(/5550123|Second/);
    expect(await check(site)).toMatchObject(intact);
    expect(await readHead(site)).not.toEqual(head);
    const setSubject = (subject: number) =>
      site.database.transaction((transaction) =>
        transaction.run(sql`update change set subject = ${subject} where sequence = 2`),
      );
    await setSubject(2);
    expect(await check(site)).toMatchObject({
      code: 1,
      out: 'the database lacks or altered versions among the changes 1 to 10000\n',
    });
    await setSubject(1);

    const exported = await exportAll(site);
    expect(exported).not.toContain('5550123');
    const copy = await siteOn(kind === 'SQLite' ? 'PostgreSQL' : 'SQLite', { dump: exported });
    expect(await exportAll(copy)).toBe(exported);
    expect(await readHead(copy)).toEqual(await readHead(site));
    expect(await readChanges(visitor(copy), `${path}&archived=true`)).toEqual(
      (seen[0] ?? []).filter(({ sequence }) => sequence <= 10_000),
    );
    expect(await check(copy)).toMatchObject(intact);

    // A gallery with a log of its own takes neither the changes nor the file.
    const other = await siteOn(kind, { dump: galleryWithOldChanges(20) });
    expect(await importInto(other, exported)).toMatchObject({ leftOutChanges: 10_104 });
    expect(await count(other.database, sql`from change_archive`)).toBe(0);

    writeFileSync(join(copy.folder, hash.slice(0, 2), hash), 'x'.repeat(bytes));
    expect(await check(copy)).toMatchObject({
      code: 1,
      out: `the file ${hash} with the changes 1 to 10000 is missing or damaged\n`,
    });
    expect((await copy.get('/api/v1/changes/?archived=true')).status).toBe(500);
  });

  test('changes stay for webhooks that have to send them, and as long as the chain is broken', async () => {
    const site = await siteOn(kind, { dump: galleryWithOldChanges(10_100) });
    const ada = await person(site, 'ada');
    const { code } = await vitrine(
      ...[
        'webhook',
        'add',
        'ada',
        'https://hooks.example/',
        'https://gallery.example',
        'own',
        '--database',
        site.address,
      ],
    );
    expect(code).toBe(0);
    const setPosition = (change: ReturnType<typeof sql>) =>
      site.database.transaction((transaction) => transaction.run(sql`update webhook set ${change}`));
    await setPosition(sql`position = 9999`);
    expect(await archive(site)).toMatchObject({ code: 0, out: '' });

    await setPosition(sql`position = 9999, disabled = 1, disabled_reason = 'owner'`);
    const damage = (action: string) =>
      site.database.transaction((transaction) =>
        transaction.run(sql`update change set action = ${action} where sequence = 7`),
      );
    await damage('hidden');
    expect(await archive(site)).toEqual({
      code: 2,
      out: '',
      error: 'vitrine: The change log is broken after change 0: see vitrine check.\n',
    });
    await damage('changed');
    expect(await archive(site)).toMatchObject({ code: 0, out: '10000 changes moved into 1 file.\n' });

    expect(await count(site.database, sql`from webhook where position = 10000`)).toBe(1);
    await setPosition(sql`disabled = null, disabled_reason = null`);
    const target = { actor: null, contributor: 1, id: 1 };
    expect(await refusalOf(requestRedelivery(site.database, target, { first: 10_000 }))).toContain(
      'first: The changes up to 10000 are in the archive.',
    );
    await requestRedelivery(site.database, target, { first: 10_001 });
    // That there was a key 41 is known from the log only.
    await ada.key();
    expect(await count(site.database, sql`from api_key where id > 41`)).toBe(1);
  });
});

test('a mistake in the setting is one sentence', async () => {
  const messages = [
    [[], 'It is: vitrine changes archive --keep-changes 400d'],
    [['--keep-changes', '29d'], '--keep-changes must be at least 30d; it was "29d".'],
    [
      ['--keep-changes', 'long'],
      '--keep-changes must be a number of minutes, hours or days, such as 30m, 1h or 1d; it was "long".',
    ],
  ] as const;
  for (const [options, message] of messages)
    expect(await vitrine('changes', 'archive', ...options)).toMatchObject({
      code: 2,
      error: `vitrine: ${message}\n`,
    });
  expect(await vitrineIn({ VITRINE_KEEP_CHANGES: '400d' }, 'changes', 'list')).toMatchObject({ code: 2 });
});
