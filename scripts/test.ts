// `npm test`: runs the tests, and checks types and lint beside them. Prints the slowest files at the end.

import { stripVTControlCharacters } from 'node:util';

const slowestFiles = 10;

const check = Bun.spawn(['npm', 'run', '-s', 'check'], { stdout: 'pipe', stderr: 'pipe' });
const checkOutput = Promise.all([new Response(check.stdout).text(), new Response(check.stderr).text()]);

/** A worker lives for minutes: what prepares a process for hours costs more processor time than it saves. */
const engineSettings = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  MIMALLOC_PURGE_DELAY: '-1',
};

/** The slowest files first: at the end no worker waits long for another. */
const order = '--timings=test/timings.json';

const args = process.argv.slice(2);
const tests = Bun.spawn(
  [process.execPath, 'test', '--timeout', '60000', '--parallel=3', '--no-isolate', order, ...args],
  {
    env: { ...process.env, ...engineSettings, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) },
    stdout: 'inherit',
    stderr: 'pipe',
  },
);

/** Milliseconds of the tests of each file. */
const msByFile = new Map<string, number>();
let file = '';
let rest = '';
for await (const chunk of tests.stderr.pipeThrough(new TextDecoderStream())) {
  process.stderr.write(chunk);
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines.map(stripVTControlCharacters)) {
    file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1] ?? file;
    const [, ms] = /^\((?:pass|fail)\) .* \[([\d.]+)ms\]$/.exec(line) ?? [];
    if (ms !== undefined) msByFile.set(file, (msByFile.get(file) ?? 0) + Number(ms));
  }
}

const [testCode, checkCode, output] = await Promise.all([tests.exited, check.exited, checkOutput]);
process.stderr.write('\nThe slowest files, in seconds:\n');
for (const [name, ms] of [...msByFile].sort(([, one], [, other]) => other - one).slice(0, slowestFiles))
  process.stderr.write(`${(ms / 1000).toFixed(1).padStart(7)}  ${name}\n`);
if (checkCode !== 0) process.stderr.write(`\nTypes or lint are not right:\n${output.join('')}`);
process.exitCode = testCode || checkCode;
