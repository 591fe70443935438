import { expect, test } from 'bun:test';
import { Unavailable } from '#common/errors.ts';
import { RequestLifetime } from '#common/request-lifetime.ts';
import { WorkerThread } from '#common/worker-thread.ts';
import type { TestJob } from './support/obedient-thread.ts';
import { stopClock, waitMs } from './support/waiting.ts';

const newThread = (limits: { maxWaiting: number; timeoutMs?: number }) =>
  new WorkerThread<TestJob, string>(new URL('./support/obedient-thread.ts', import.meta.url), limits);

test('jobs are answered in order, and an error rejects only its own job', async () => {
  const thread = newThread({ maxWaiting: 10 });

  const outcomes = await Promise.allSettled([
    thread.run({ answer: 'first' }),
    thread.run({ fail: 'It cannot be done.' }),
    thread.run({ answer: 'third' }),
  ]);

  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'first' },
    { status: 'rejected', reason: new Error('It cannot be done.') },
    { status: 'fulfilled', value: 'third' },
  ]);
});

test('a job that takes too long is ended, and the next one is answered', async () => {
  const limits = [100, waitMs];
  const thread = newThread({
    maxWaiting: 10,
    get timeoutMs() {
      return limits.shift();
    },
  });

  const [endless, next] = await Promise.all([thread.run('loop'), thread.run({ answer: 'next' })]);

  expect(endless).toBeUndefined();
  expect(next).toBe('next');
});

test('a job of a request is refused if too many are waiting', async () => {
  const thread = newThread({ maxWaiting: 1 });
  const outcomes = await new RequestLifetime(waitMs).run(() =>
    Promise.allSettled(['running', 'waiting', 'refused'].map((answer) => thread.run({ answer }))),
  );

  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'running' },
    { status: 'fulfilled', value: 'waiting' },
    { status: 'rejected', reason: expect.any(Unavailable) },
  ]);
});

test('a thread that starts slowly does not refuse the jobs after the first', async () => {
  const thread = newThread({ maxWaiting: 100 });
  const clock = stopClock();
  const first = thread.run({ answer: 'first' });
  clock.advance(1000);
  await first;

  const answers = Array.from({ length: 50 }, (_, index) => `answer ${index}`);
  const outcomes = new RequestLifetime(2000).run(() =>
    Promise.all(answers.map((answer) => thread.run({ answer }))),
  );

  expect(await outcomes).toEqual(answers);
});
