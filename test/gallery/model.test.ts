// Random people do random things, and everybody reads what they can reach: see support/model/. SEED repeats a run;
// `npm run test:more` makes more runs, on both databases, and `npm run test:model` goes on until one fails.

import { test } from 'bun:test';
import { checkModel, modelSeed } from '../support/model/check.ts';

test('nobody reads a word that was not written for them, whatever people do', async () => {
  await checkModel('SQLite', { seed: modelSeed, numRuns: Number(process.env.MODEL_RUNS ?? 4) });
});
