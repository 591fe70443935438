import { afterAll, afterEach, beforeEach, setDefaultTimeout } from 'bun:test';
import { timeLimits } from '#common/time-limits.ts';
import { beginScope, endScope } from './closing.ts';
import { cleanUp } from './databases.ts';
import { hashPasswordsQuickly } from './passwords.ts';
import { recordSql } from './sql-record.ts';
import { waitMs } from './waiting.ts';

// Servers and browsers that tests start run as they do elsewhere: see scripts/test.ts.
for (const name of Object.keys(process.env)) if (/^(BUN_JSC|MIMALLOC)_/.test(name)) delete process.env[name];

// The only limit of a test: a machine may be busy. Of several files in a process, Bun gives it to the first: the others have it
// from scripts/test.ts.
setDefaultTimeout(300_000);

for (const name of Object.keys(timeLimits)) timeLimits[name as keyof typeof timeLimits] = waitMs;
// Only a test of a restart has clients that keep connections.
timeLimits.drain = 0;

hashPasswordsQuickly();

beforeEach(beginScope);
afterEach(endScope);
if (process.env.RECORD_SQL) afterEach(recordSql(process.env.RECORD_SQL));
afterAll(async () => {
  await endScope();
  await cleanUp();
});
