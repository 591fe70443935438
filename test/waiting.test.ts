// No test depends on how fast the machine is: a test reads the tests.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');

/** What no test does, and what it does instead. */
const rules: Record<string, RegExp> = {
  'sleeps; waitFor of support/waiting.ts waits for what happens':
    /\b(Bun\.sleep(Sync)?|setTimeout|setInterval)\(/g,
  'has a limit of its own; support/setup.ts and waiting.ts have those of all tests':
    /^ *\}, [\d_]+\);|^ {0,4}[\d_]+,\n {0,2}\);|--timeout \d|\btimeout: *[1-9][\d_]*|setDefault\w*Timeout\(/gm,
  'has a fixed port; port 0 is a free one': /'--port', '([1-9]\d{0,3}|[1-5]\d{4})'|\bport: [1-9]\d/g,
  'says how long something may take; bench/ measures': /(\b[ms]+\b|Ms\b|[sS]econds|now\(\).*)\)\.toBeLess/g,
};

/** Where one of these is right, and why. */
const exceptions: Record<string, string> = {
  'test/support/waiting.ts': 'waits for all tests',
  'test/support/setup.ts': 'has the limit of all tests',
  'test/crash/kill.ts': 'has the limit of tests that kill more often by hand',
  'test/support/browser.ts': 'gives windows the limit of all waits',
  'test/support/loop-delay.ts': 'looks once a millisecond whether a thread is busy',
  'test/support/postgres-keeper.ts': 'waits for the end of the test run',
  'test/support/curl.ts': 'stands in for curl, which has a limit',
  'test/support/client-scenarios.ts': 'gives up while the client waits for 50 seconds',
  'test/support/rude-server.ts': 'sends the parts of a response by themselves, if the machine is not busy',
  'test/database/trouble.test.ts': 'lets another process wait while this one is stopped',
};

test('no test waits for a time, has a limit or a port of its own, or says how long something may take', () => {
  const files = ['test/**/*.ts', 'packages/*/test/*.ts', 'moving/test/*.ts']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
    .filter((file) => !file.includes('node_modules') && file !== 'test/waiting.test.ts')
    .sort();
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return Object.entries(rules).flatMap(([rule, pattern]) =>
      [...text.matchAll(pattern)].map(({ index, 0: code }) => {
        const line = text.slice(0, index).split('\n').length;
        return { file, line, code, rule };
      }),
    );
  });
  expect(found.filter(({ file }) => !exceptions[file])).toEqual([]);
  // An exception that is not needed is deleted.
  expect(Object.keys(exceptions).filter((file) => !found.some((one) => one.file === file))).toEqual([]);
});
