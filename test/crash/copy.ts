// `npm run test:crash`: kills `vitrine copy` at many moments while many people write to the old gallery, and then lets it
// go on to its end. The old gallery must be complete and in use after each, the new one after the last.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { program } from '../support/program.ts';
import { vitrine } from '../support/server.ts';
import { randomPause } from '../support/waiting.ts';
import { CrashTest } from './crash-test.ts';
import { rounds as allRounds } from './kill.ts';

/** Between the writes of a person: a comment cannot be added to a project that has very many. */
const pauseMs = 300;
/** What the command says when others held locks for too long: it can be repeated. */
const isBusy = (text: string) => /lock timeout\. Nothing was changed\./.test(text);
/** Each takes eight seconds. */
const rounds = Math.ceil(allRounds / 2);

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

/** The lines that the command prints when it begins a phase. Copies are killed between such a line and their end. */
const phases = [
  'Copying all rows.',
  'Copying what was written meanwhile.',
  'Comparing tables and answers.',
  'The last step: no writes.',
  'The last step: no writes.',
];

interface Copy {
  /** When each phase began, in milliseconds since the start. */
  began: Map<string, number>;
  endMs: number;
  isFinished: boolean;
}

/** Copies, and kills the copy within so many milliseconds after the beginning of a phase. */
async function runCopy(from: string, to: string, kill?: { phase: string; maxMs: number }): Promise<Copy> {
  const command = [await program(), 'copy', '--from', from, '--to', to];
  const start = performance.now();
  const copy = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' });
  const began = new Map<string, number>();
  let text = '';
  for await (const chunk of copy.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (const phase of phases) {
      if (began.has(phase) || !text.includes(phase)) continue;
      began.set(phase, performance.now() - start);
      if (phase === kill?.phase) randomPause(kill.maxMs).then(() => copy.kill('SIGKILL'));
    }
  }
  await copy.exited;
  if (isBusy(text)) return runCopy(from, to, kill);
  return { began, endMs: performance.now() - start, isFinished: text.includes('The gallery has moved') };
}

/** Whether a server may use the gallery. The copy may be killed between its last commit and its last line. */
const isOpen = async (database: string) => (await vitrine('user', 'list', '--database', database)).code === 0;

/** Whether the copy had finished or not, the old gallery takes writes afterwards. */
async function undo(from: string): Promise<void> {
  const { code, error } = await vitrine('copy', '--from', from, '--undo');
  if (isBusy(error)) return undo(from);
  const expected = code === 0 ? /takes writes again/ : /The gallery has not moved/;
  expect(error).toMatch(expected);
}

for (const [fromKind, toKind] of [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const) {
  test(`nothing is lost when a copy from ${fromKind} to ${toKind} is killed ${rounds} times`, async () => {
    const prefix = `${fromKind.toLowerCase()}_`;
    const crashTest = await CrashTest.on(await createDatabase(fromKind, `${prefix}old`));
    const from = crashTest.database;
    const first = await createDatabase(toKind, `${prefix}first`);
    const wholes: Copy[] = [];
    await crashTest.writeThrough(async () => {
      wholes.push(await runCopy(from, first));
      await undo(from);
    }, pauseMs);
    const [whole] = wholes as [Copy];
    expect(whole.isFinished).toBeTrue();
    let target = await createDatabase(toKind, `${prefix}new_0`);
    let finished = 0;

    // A copy that is finished before it is killed does not count.
    for (let round = 1; round - finished <= rounds; round++) {
      const phase = phases[round % phases.length] as string;
      const maxMs = whole.endMs - (whole.began.get(phase) ?? 0);
      await crashTest.writeThrough(async () => {
        const copy = await runCopy(from, target, { phase, maxMs });
        expect([...copy.began.keys()]).toContain(phase);
        if (await isOpen(target)) target = await createDatabase(toKind, `${prefix}new_${++finished}`);
        await undo(from);
      }, pauseMs);
      await crashTest.check(round % 5 === 0 || round - finished === rounds);
    }

    await crashTest.writeThrough(async () => {
      const { isFinished } = await runCopy(from, target);
      expect(isFinished).toBeTrue();
      await crashTest.server?.stop();
      crashTest.database = target;
      await crashTest.start();
    }, pauseMs);
    await crashTest.check(true);
    await crashTest.server?.stop();
    crashTest.report(`copy from ${fromKind} to ${toKind}, killed ${rounds} times`);
  });
}
