// `npm run test:crash`: kills `vitrine copy` at many moments while many people write to the old gallery, and then lets it
// go on to its end. The old gallery must be complete and in use after each, the new one after the last.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { program } from '../support/program.ts';
import { vitrine } from '../support/server.ts';
import { CrashTest } from './crash-test.ts';

/** Between the writes of a person: a comment cannot be added to a project that has very many. */
const pauseMs = 100;
/** Each takes eight seconds. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 20) / 2;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start({ fsync: 'on' });
});
afterAll(() => postgres.stop());

type Kind = 'SQLite' | 'PostgreSQL';

async function createDatabase(kind: Kind, name: string): Promise<string> {
  if (kind === 'SQLite') return temporaryPath(`${name}.sqlite`);
  await postgres.query(`create database ${name}`);
  return postgres.address(name);
}

/** The line that the command prints when it begins a phase, and how long to wait after that, in milliseconds. */
const moments: [phase: string, maxWaitMs: number][] = [
  ['Copying all rows.', 500],
  ['Copying what was written meanwhile.', 300],
  ['Comparing tables and answers.', 2000],
  ['The last step: no writes.', 400],
  ['The last step: no writes.', 1500],
];

/** Kills a copy at a moment of the phase. Returns whether it was faster. */
async function killCopy(from: string, to: string, phase: string, waitMs: number): Promise<boolean> {
  const copy = Bun.spawn([await program(), 'copy', '--from', from, '--to', to], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  let text = '';
  for await (const chunk of copy.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(phase)) setTimeout(() => copy.kill('SIGKILL'), waitMs);
  }
  await copy.exited;
  expect(text).toContain(phase);
  return text.includes('The gallery has moved');
}

for (const [fromKind, toKind] of [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const) {
  test(`nothing is lost when a copy from ${fromKind} to ${toKind} is killed ${rounds} times`, async () => {
    const prefix = `${fromKind.toLowerCase()}_`;
    const crashTest = await CrashTest.on(await createDatabase(fromKind, `${prefix}old`));
    const from = crashTest.database;
    let target = await createDatabase(toKind, `${prefix}new_0`);
    let finished = 0;

    for (let round = 1; round <= rounds; round++) {
      const [phase, maxWaitMs] = moments[round % moments.length] as (typeof moments)[number];
      await crashTest.writeThrough(async () => {
        if (await killCopy(from, target, phase, Math.random() * maxWaitMs))
          target = await createDatabase(toKind, `${prefix}new_${++finished}`);
        await vitrine('copy', '--from', from, '--undo');
      }, pauseMs);
      await crashTest.check(round % 5 === 0 || round === rounds);
    }
    expect(finished).toBeLessThan(rounds / 2);

    await crashTest.writeThrough(async () => {
      expect((await vitrine('copy', '--from', from, '--to', target)).code).toBe(0);
      await crashTest.server?.stop();
      crashTest.database = target;
      await crashTest.start();
    }, pauseMs);
    await crashTest.check(true);
    await crashTest.server?.stop();
    crashTest.report(`copy from ${fromKind} to ${toKind}, killed ${rounds - finished} times`);
  }, 900_000);
}
