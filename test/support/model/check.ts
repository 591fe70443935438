// A model of who may read what, for random people who do random things: after some steps everybody reads everything that they
// can reach, and no word that was not written for them.

import { setSystemTime } from 'bun:test';
import fc from 'fast-check';
import type { Kind } from '../databases.ts';
import { enterSchool, schoolDump } from '../school.ts';
import { mailSite } from '../smtp.ts';
import { allowReceivers } from '../webhook-receiver.ts';
import { emails, orderDeliveries, readDeliveries } from './delivered.ts';
import { newModel } from './model.ts';
import { importOlder, readEverything, readImported, requireOpened } from './reading.ts';
import { steps } from './steps.ts';

/** SEED repeats a run. Tests make the same runs each time; with MODEL_RUNS they are others. */
const anySeed = process.env.MODEL_RUNS ? Math.floor(Math.random() * 2 ** 31) : 1;
export const modelSeed = Number(process.env.SEED ?? anySeed);
console.log(`Random people: SEED=${modelSeed}`);

/** Runs random steps in galleries of their own. A failure prints the seed and the shortest steps. */
export async function checkModel(
  kind: Kind,
  options: Pick<fc.Parameters, 'seed' | 'numRuns'>,
  maxSteps = 40,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands([...steps], { maxCommands: maxSteps, size: 'max' }), async (commands) => {
      const mails = await mailSite(kind, { dump: schoolDump + emails, environment: allowReceivers });
      const school = await enterSchool(mails.site);
      const model = newModel(await orderDeliveries(mails, school));
      try {
        await fc.asyncModelRun(() => ({ model, real: { school } }), commands);
        await readEverything(model, school);
        await requireOpened(model, school);
        await readDeliveries(model, school);
        await readImported(model, school, kind);
        await importOlder(model, school);
      } finally {
        await school.site.close();
        setSystemTime();
      }
    }),
    options,
  );
}
