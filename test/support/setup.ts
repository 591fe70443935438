import { afterAll, afterEach, beforeEach } from 'bun:test';
import { beginScope, endScope } from './closing.ts';
import { cleanUp } from './databases.ts';

// Servers and browsers that tests start run as they do elsewhere: see scripts/test.ts.
for (const name of Object.keys(process.env)) if (/^(BUN_JSC|MIMALLOC)_/.test(name)) delete process.env[name];

beforeEach(beginScope);
afterEach(endScope);
afterAll(async () => {
  await endScope();
  await cleanUp();
});
