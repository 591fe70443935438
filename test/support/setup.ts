import { afterAll, afterEach, beforeEach } from 'bun:test';
import { beginScope, endScope } from './closing.ts';
import { cleanUp } from './databases.ts';

beforeEach(beginScope);
afterEach(endScope);
afterAll(async () => {
  await endScope();
  await cleanUp();
});
