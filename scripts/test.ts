// Runs tests: `npm test`, or those of a folder of test/, such as `npm run test:more`. `npm test` also checks types and lint, and
// names the slowest files. CONTRIBUTING.md says what runs where.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { removeFilesOfRun } from '../test/support/memory-folder.ts';
import { chosenTests, filesOnBoth, firstTests, laterTests } from '../test/support/on-postgres.ts';

const slowestFiles = 10;

/** A worker lives for minutes: what prepares a process for hours costs more processor time than it saves. */
const engineSettings = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  MIMALLOC_PURGE_DELAY: '-1',
};

/** Workers wait for a database or a browser now and then. */
const workers = [`--parallel=${availableParallelism() + 1}`, '--no-isolate'];
/** The slowest files first: at the end no worker waits long for another. */
const order = '--timings=test/timings.json';

/** The limit of every test: see test/support/setup.ts, which sets it for a file that is run alone. */
const testMs = 300_000;

/** Milliseconds of the tests of each file. */
const msByFile = new Map<string, number>();
const namesOnPostgres = new Set<string>();

/** Returns the name of the file whose tests come next. */
function readLine(line: string, file: string): string {
  const [, name = '', ms] = /^\((?:pass|fail)\) (.*?)(?: \[([\d.]+)ms\])?$/.exec(line) ?? [];
  if (name.startsWith('on PostgreSQL > '))
    namesOnPostgres.add(name.slice('on PostgreSQL > '.length).replaceAll(' > ', ' '));
  if (ms !== undefined) msByFile.set(file, (msByFile.get(file) ?? 0) + Number(ms));
  return /^(\S+\.tsx?):$/.exec(line)?.[1] ?? file;
}

/** Returns the exit code. */
async function runBun(...options: string[]): Promise<number> {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout', String(testMs), ...options], {
    env: { ...process.env, ...engineSettings, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) },
    stdout: 'inherit',
    stderr: 'pipe',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  let file = '';
  let rest = '';
  for await (const chunk of tests.stderr.pipeThrough(new TextDecoderStream())) {
    process.stderr.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map(stripVTControlCharacters)) file = readLine(line, file);
  }
  const code = await tests.exited;
  removeFilesOfRun(tests.pid);
  return code;
}

/** All tests once, those that are chosen on PostgreSQL too. With arguments, those that they choose. */
async function runFirst(args: string[]): Promise<number> {
  const check = Bun.spawn(['npm', 'run', '-s', 'check'], { stdout: 'pipe', stderr: 'pipe' });
  const output = Promise.all([new Response(check.stdout).text(), new Response(check.stderr).text()]);
  const chosen = args.length === 0 ? ['-t', firstTests(), './test/', './packages/'] : [];
  const code = await runBun(...workers, order, ...chosen, ...args);
  process.stderr.write('\nThe slowest files, in seconds:\n');
  for (const [name, ms] of [...msByFile].sort(([, one], [, other]) => other - one).slice(0, slowestFiles))
    process.stderr.write(`${(ms / 1000).toFixed(1).padStart(7)}  ${name}\n`);
  const checkCode = await check.exited;
  if (checkCode !== 0) process.stderr.write(`\nTypes or lint are not right:\n${(await output).join('')}`);
  return code || checkCode || (args.length === 0 ? findMissing() : 0);
}

/** Names in the list of tests on PostgreSQL that no test has. */
function findMissing(): number {
  const missing = chosenTests().filter((name) => !namesOnPostgres.has(name));
  if (missing.length === 0) return 0;
  process.stderr.write(
    `\nNo test on PostgreSQL has these names (npm run update:on-postgres):\n${missing.join('\n')}\n`,
  );
  return 1;
}

/** The files with tests in a folder of test/. */
function filesIn(folder: string): string[] {
  const root = join(import.meta.dir, '..');
  return [...new Bun.Glob(`test/${folder}/*.ts`).scanSync(root)]
    .filter((file) => /^import .*\btest\b.* from 'bun:test'/m.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => `./${file}`)
    .sort();
}

/** What `npm test` leaves out: the other tests on PostgreSQL, and those of test/more/. */
async function runMore(): Promise<number> {
  const codes = await Promise.all([
    runBun(...workers, order, '-t', laterTests(), ...filesOnBoth()),
    runBun(...filesIn('more')),
  ]);
  return Math.max(...codes);
}

const args = process.argv.slice(2);
const folder = /^--folder=(.*)$/.exec(args[0] ?? '')?.[1];
if (folder === undefined) process.exitCode = await runFirst(args);
else if (folder === 'more') process.exitCode = await runMore();
else process.exitCode = await runBun(...args.slice(1), ...filesIn(folder));
