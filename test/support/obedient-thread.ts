// A thread for the tests of WorkerThread: it does what a job says.

import { serveJobs } from '#common/worker-thread.ts';

export type TestJob = { readonly answer: string } | { readonly fail: string } | 'loop';

serveJobs((job: TestJob): string => {
  if (job === 'loop') for (;;);
  if ('fail' in job) throw new Error(job.fail);
  return job.answer;
});
