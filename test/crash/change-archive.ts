// `npm run test:crash`: kills `vitrine changes archive` at random moments while people write, and lets it go on. Then every
// change is there once, and backups, restores and copies have all of them.

import { beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import sql from 'sql-template-tag';
import { all, integer } from '#sql';
import { changeArchiveTable } from '../../src/core/changes/tables.ts';
import {
  emptyDatabase,
  filesFolder,
  type Kind,
  onBothDatabases,
  temporaryPath,
} from '../support/databases.ts';
import { galleryWithOldChanges } from '../support/old-changes.ts';
import { person } from '../support/person.ts';
import { program } from '../support/program.ts';
import { vitrine } from '../support/server.ts';
import { exportAll, type Site, siteAt } from '../support/site.ts';
import { killWithin, measure, rounds } from './kill.ts';

beforeAll(async () => void (await program()));

const archived = 60_000;
const dumped = galleryWithOldChanges(archived + 500);

const optionsOf = ({ address, folder }: Site) => ['--database', address, '--files', folder];
const commandFor = (site: Site) => ['changes', 'archive', '--keep-changes', '400d', ...optionsOf(site)];
const createSite = async (kind: Kind) => siteAt(await emptyDatabase(kind), { dump: dumped });

/** The numbers that are in files, in their order. */
async function readArchivedNumbers({ database, files }: Site): Promise<number[]> {
  const numbers: number[] = [];
  for (const { hash, bytes } of await all(
    database,
    changeArchiveTable.columns,
  )`from change_archive order by last`) {
    const text = new TextDecoder().decode(Bun.zstdDecompressSync(await files.read(hash, 0, bytes)));
    for (const line of text.trimEnd().split('\n')) numbers.push(JSON.parse(line).number);
  }
  return numbers;
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

onBothDatabases((kind) => {
  const otherKind = kind === 'SQLite' ? 'PostgreSQL' : 'SQLite';

  test('a move of changes that is killed at any moment loses none and doubles none', async () => {
    const whole = await createSite(kind);
    const wholeMs = await measure(async () =>
      expect(await vitrine(...commandFor(whole))).toMatchObject({ code: 0 }),
    );
    let kills = 0;
    let files = 0;
    let site = await createSite(kind);
    let ada = await person(site, 'ada');
    for (let round = 1; round <= rounds; round++) {
      const killing = killWithin(wholeMs * 0.7, [await program(), ...commandFor(site)]);
      const title = `Round ${round}`;
      expect((await ada.patch('/api/v1/projects/2/', { title })).status).toBe(200);
      if (!(await killing)) kills++;
      const numbers = await readArchivedNumbers(site);
      files = numbers.length / 10_000;
      expect(numbers).toEqual(numbersTo(files * 10_000));
      const rest = await all(site.database, { sequence: integer() })`from change
        where sequence > ${numbers.length} order by sequence`;
      expect(rest.slice(0, 3).map(({ sequence }) => sequence - numbers.length)).toEqual([1, 2, 3]);
      expect(rest.at(-1)?.sequence).toBe(numbers.length + rest.length);
      expect(await vitrine('check', ...optionsOf(site))).toMatchObject({ code: 0 });
      // Instead of waiting for 20 seconds.
      await site.database.transaction((transaction) => transaction.run(sql`update job set held_until = 0`));
      if (numbers.length < archived) continue;
      await site.close();
      site = await createSite(kind);
      ada = await person(site, 'ada');
    }
    expect(await vitrine(...commandFor(site))).toMatchObject({ code: 0 });
    expect(await readArchivedNumbers(site)).toEqual(numbersTo(archived));
    const stored = readdirSync(site.folder, { recursive: true }).filter((name) =>
      /[0-9a-f]{64}$/.test(String(name)),
    );
    console.log(
      `${kind}: ${kills} of ${rounds} killed within ${Math.round(wholeMs)} ms; ${stored.length} files stored.`,
    );
  });

  test('backups, restores and copies have the archive, and go on with it', async () => {
    const site = await createSite(kind);
    expect(await vitrine(...commandFor(site))).toMatchObject({ code: 0 });
    const exported = await exportAll(site);
    const head = await site.json('/api/v1/changes/head/');

    const backups = temporaryPath('backups');
    expect(await vitrine('backup', backups, ...optionsOf(site))).toMatchObject({ code: 0 });
    expect(await vitrine('verify', backups)).toMatchObject({ code: 0 });
    const address = await emptyDatabase(otherKind);
    const restored = ['--database', address, '--files', filesFolder(address)];
    expect(await vitrine('restore', backups, ...restored)).toMatchObject({ code: 0 });
    expect(await vitrine('check', ...restored)).toMatchObject({ code: 0, out: 'All is well.\n' });
    const restoredSite = await siteAt(address);
    expect(await exportAll(restoredSite)).toBe(exported);
    expect(await restoredSite.json('/api/v1/changes/head/')).toEqual(head);

    const copy = await emptyDatabase(otherKind);
    expect(await vitrine('copy', '--from', site.address, '--to', copy)).toMatchObject({ code: 0 });
    const copied = ['--database', copy, '--files', site.folder];
    expect(await vitrine('check', ...copied)).toMatchObject({ code: 0, out: 'All is well.\n' });
    expect((await vitrine('export', '-', ...copied)).out).toBe(exported);
  });
});
