// `npm run update:on-postgres`: chooses the tests that `npm test` runs on PostgreSQL. All of those files that show how the
// databases differ, and of the others the fewest seconds that reach nearly all SQL that any test reaches.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { temporaryPath } from './databases.ts';
import { chosenPath, exchangePrefix, filesOnBoth, wholeFiles } from './on-postgres.ts';

/** `npm run test:more` allows a few hundredths less, so that not every change of a statement needs another choice. */
const reachedShare = 0.97;

interface Measured {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
  readonly statements: ReadonlySet<string>;
}

async function measure(file: string): Promise<Measured[]> {
  const record = temporaryPath('statements');
  const run = Bun.spawn([process.execPath, 'test', file, '-t', '^on PostgreSQL '], {
    env: { ...process.env, RECORD_SQL: record },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const output = stripVTControlCharacters(await new Response(run.stderr).text());
  if ((await run.exited) !== 0) throw new Error(`${file} fails:\n${output}`);
  const results = [...output.matchAll(/^\(pass\) on PostgreSQL > (.*?)(?: \[([\d.]+)ms\])?$/gm)];
  const lines = readFileSync(record, 'utf8').split('\n').slice(0, -1);
  rmSync(record);
  if (lines.length !== results.length)
    throw new Error(`${file}: ${lines.length} of ${results.length} are recorded`);
  return results.map(([, name = '', ms = '0'], index) => ({
    file,
    name: name.replaceAll(' > ', ' '),
    ms: Number(ms),
    statements: new Set(lines[index]?.split(' ')),
  }));
}

const measured: Measured[] = [];
for (const file of filesOnBoth()) {
  measured.push(...(await measure(file)));
  console.log(`${measured.length} tests until ${file}`);
}

const isExchange = ({ name }: Measured) => name.startsWith(exchangePrefix);
const isWhole = (test: Measured) =>
  isExchange(test) || wholeFiles.some((whole) => test.file.startsWith(whole));
const all = new Set(measured.flatMap(({ statements }) => [...statements]));
const chosen = measured.filter(isWhole);
const reached = new Set(chosen.flatMap(({ statements }) => [...statements]));
const left = new Set(measured.filter((test) => !isWhole(test)));
const gainOf = ({ statements, ms }: Measured) => statements.difference(reached).size / (ms + 5);
while (reached.size < all.size * reachedShare) {
  const best = [...left].reduce((one, other) => (gainOf(other) > gainOf(one) ? other : one));
  left.delete(best);
  chosen.push(best);
  for (const statement of best.statements) reached.add(statement);
}

const byFile = Map.groupBy(
  chosen.filter((test) => !isExchange(test)),
  ({ file }) => file,
);
const entries = [...byFile].sort().map(([file, tests]) => [file, tests.map(({ name }) => name).sort()]);
writeFileSync(chosenPath, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
await Bun.spawn(['npx', 'biome', 'format', '--write', chosenPath], { stdout: 'ignore' }).exited;
const seconds = (tests: Iterable<Measured>) =>
  Math.round([...tests].reduce((sum, { ms }) => sum + ms, 0) / 1000);
console.log(
  `${chosen.length} of ${measured.length} tests (${seconds(chosen)} of ${seconds(measured)} s) reach ${reached.size} of ${all.size} statements.`,
);
process.exit(0);
