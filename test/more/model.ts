// Random people on both databases, for longer than in `npm test`: see test/support/model/.

import { test } from 'bun:test';
import { checkModel, modelSeed } from '../support/model/check.ts';

for (const [kind, numRuns] of [
  ['SQLite', 35],
  ['PostgreSQL', 8],
] as const)
  test(`on ${kind}, nobody reads a word that was not written for them, whatever people do`, () =>
    checkModel(kind, { seed: modelSeed + 1, numRuns }));
