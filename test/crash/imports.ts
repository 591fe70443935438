// `npm run test:crash`: kills `import` and `vitrine-moving adopt` at random moments. A killed import leaves the gallery empty or whole,
// and both commands can be repeated.

import { beforeAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { moving } from '../../moving/test/moving.ts';
import { item, startOldSite } from '../../moving/test/old-site.ts';
import { emptyDatabase, filesFolder, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { person } from '../support/person.ts';
import { program } from '../support/program.ts';
import { vitrine } from '../support/server.ts';
import { ada, contentOf, dump, project, siteOn } from '../support/site.ts';
import { exportOf, killWithin, measure, rounds } from './kill.ts';

// Building it would count as time of the first command.
beforeAll(async () => void (await program()));

const randomText = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

/** The dump of a gallery with projects, files, earlier versions and a change log. */
async function createDump(): Promise<string> {
  const projects = Array.from({ length: 1500 }, (_, index) =>
    project(index + 1, { text: randomText(200), tags: [`tag${index % 50}`] }),
  );
  const site = await siteOn('SQLite', { dump: dump(ada, ...projects) });
  const owner = await person(site, 'ada');
  for (let id = 1; id <= 100; id++) {
    expect((await owner.request('PATCH', `/api/v1/projects/${id}/`, { text: 'new' })).status).toBe(200);
    if (id > 5) continue;
    const form = new FormData();
    form.append('file', new Blob([randomText(100_000)]), 'a.txt');
    expect((await owner.post(`/api/v1/projects/${id}/media/`, form)).status).toBe(201);
  }
  await site.close();
  return exportOf(site.address, site.folder);
}

const optionsFor = (address: string) => ['--database', address, '--files', filesFolder(address)];

const check = (address: string) => vitrine('check', ...optionsFor(address));
const allIsWell = { code: 0, out: 'All is well.\n' };

const exportFrom = (address: string) => exportOf(address, filesFolder(address));

/** The dump of what a killed import has left; undefined if it had not made the gallery yet. */
async function exportLeft(address: string): Promise<string | undefined> {
  const checked = await check(address);
  if (/There is no (gallery in|file) /.test(checked.error)) return undefined;
  expect(checked).toMatchObject(allIsWell);
  return exportFrom(address);
}

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  test(`on ${kind}, an import that is killed leaves nothing or all, and can be repeated`, async () => {
    const whole = await createDump();
    const file = temporaryPath('dump.ndjson');
    await Bun.write(file, whole);
    const empty = await exportFrom(await emptyGallery(kind));
    const commandFor = (address: string) => ['import', file, ...optionsFor(address)];
    const first = await emptyDatabase(kind);
    const wholeMs = await measure(() => vitrine(...commandFor(first)));
    expect((await exportFrom(first)) === whole).toBe(true);
    let imported = 0;
    for (let round = 1; round <= rounds; round++) {
      const address = await emptyDatabase(kind);
      const wasWhole = await killWithin(1.2 * wholeMs, [await program(), ...commandFor(address)]);
      const left = (await exportLeft(address)) ?? empty;
      const isWhole = left !== empty;
      if (isWhole) imported++;
      expect(isWhole ? left === whole : !wasWhole).toBe(true);

      expect(await vitrine(...commandFor(address))).toMatchObject({ code: 0 });
      const repeated = await exportFrom(address);
      // A second import is entered in the change log.
      expect(isWhole ? contentOf(repeated) === contentOf(whole) : repeated === whole).toBe(true);
    }
    console.log(
      `${kind}: ${rounds} imports killed within ${Math.round(wholeMs)} ms, ${imported} were whole.`,
    );
  });

  test(`on ${kind}, an adoption that is killed goes on until all records are equal`, async () => {
    const old = startOldSite(Array.from({ length: 300 }, (_, index) => item(index + 1, { tags: 'a, b' })));
    old.pageSize = 100;
    const adoptionOf = (address: string) => {
      // With PostgreSQL, the command keeps its files in the current folder.
      const cwd = temporaryPath('adoption');
      mkdirSync(cwd);
      const command = [...moving, 'adopt', old.address, '--rate', '1000', ...optionsFor(address)];
      return {
        killWithin: (ms: number) => killWithin(ms, command, cwd),
        async finish() {
          const child = Bun.spawn(command, { cwd, stderr: 'ignore' });
          const out = await new Response(child.stdout).text();
          expect([await child.exited, out]).toEqual([0, '300 of 300 records equal\n']);
        },
      };
    };
    const first = await emptyDatabase(kind);
    const wholeMs = await measure(adoptionOf(first).finish);
    let kills = 0;
    while (kills < rounds / 2) {
      const address = await emptyDatabase(kind);
      const adoption = adoptionOf(address);
      for (let attempt = 1; attempt <= 2; attempt++) if (!(await adoption.killWithin(wholeMs))) kills++;
      await adoption.finish();
      expect(await check(address)).toMatchObject(allIsWell);
    }
    console.log(`${kind}: adoptions killed ${kills} times, within ${Math.round(wholeMs)} ms.`);
  });
}
