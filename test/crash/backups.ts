// `npm run test:crash`: kills backups and restores at random moments. Earlier backups stay good, and both can be repeated.

import { beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { emptyDatabase, filesFolder, type Kind, temporaryPath } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { program } from '../support/program.ts';
import { vitrine } from '../support/server.ts';
import { ada, dump, project, type Site, siteAt } from '../support/site.ts';
import { exportOf, killWithin, measure, rounds } from './kill.ts';

// Building it would count as time of the first command.
beforeAll(async () => void (await program()));

async function createGallery(kind: Kind): Promise<{ site: Site; owner: Person }> {
  const projects = Array.from({ length: 400 }, (_, index) =>
    project(index + 1, { text: crypto.getRandomValues(new Uint8Array(10_000)).toHex() }),
  );
  const site = await siteAt(await emptyDatabase(kind), { dump: dump(ada, ...projects) });
  const owner = await person(site, 'ada');
  for (let id = 1; id <= 30; id++) await addFile(owner, id);
  return { site, owner };
}

async function addFile(owner: Person, id: number): Promise<void> {
  const form = new FormData();
  const text = crypto.getRandomValues(new Uint8Array(100_000)).toHex();
  form.append('file', new Blob([text]), 'a.txt');
  expect((await owner.post(`/api/v1/projects/${id}/media/`, form)).status).toBe(201);
}

const newestOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('Z'))
    .sort()
    .at(-1) ?? '';

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  test(`on ${kind}, a backup that is killed leaves the earlier ones good, and the next one succeeds`, async () => {
    const { site, owner } = await createGallery(kind);
    const folder = temporaryPath('backups');
    const command = ['backup', folder, '--database', site.address, '--files', site.folder, '--keep', '1d'];
    const wholeMs = await measure(async () => expect(await vitrine(...command)).toMatchObject({ code: 0 }));
    let finished = 0;
    for (let round = 1; round <= rounds; round++) {
      await addFile(owner, 30 + round);
      if (await killWithin(wholeMs, [await program(), ...command])) finished++;
      for (const name of readdirSync(folder).filter((name) => name.endsWith('Z'))) {
        const isFinished = readdirSync(join(folder, name)).includes('manifest.json');
        if (isFinished) expect(await vitrine('verify', join(folder, name))).toMatchObject({ code: 0 });
      }
      const newest = readdirSync(join(folder, newestOf(folder)));
      // Killed between its list and its manifest, it looks as if it had lost the manifest.
      const hasOnlyList = newest.includes('files.sha256') && !newest.includes('manifest.json');
      expect(await vitrine('verify', folder)).toMatchObject({ code: hasOnlyList ? 1 : 0 });
      // Instead of waiting for 20 seconds.
      await site.database.transaction((transaction) => transaction.run(sql`update job set held_until = 0`));
    }
    expect(await vitrine(...command)).toMatchObject({ code: 0, error: '' });
    expect(readdirSync(folder)).toHaveLength(2);
    console.log(
      `${kind}: ${rounds - finished} of ${rounds} backups killed, within ${Math.round(wholeMs)} ms.`,
    );
  });

  test(`on ${kind}, a restore that is killed can be repeated`, async () => {
    const { site } = await createGallery(kind);
    const folder = temporaryPath('backups');
    await vitrine('backup', folder, '--database', site.address, '--files', site.folder);
    const exported = await exportOf(site.address, site.folder);
    const commandFor = (address: string) => [
      ...['restore', folder, '--database', address, '--files', filesFolder(address)],
    ];
    const first = await emptyDatabase(kind);
    const wholeMs = await measure(() => vitrine(...commandFor(first)));
    let finished = 0;
    for (let round = 1; round <= rounds; round++) {
      const address = await emptyDatabase(kind);
      await killWithin(wholeMs, [await program(), ...commandFor(address)]);
      const { code } = await vitrine(...commandFor(address));
      if (code === 2) finished++;
      expect((await exportOf(address, filesFolder(address))) === exported).toBe(true);
    }
    console.log(
      `${kind}: ${rounds - finished} of ${rounds} restores killed, within ${Math.round(wholeMs)} ms.`,
    );
  });
}
