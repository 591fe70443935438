// The thread of strip.ts.

import { InvalidValue } from '../../../common/inputs.ts';
import { serveJobs } from '../../../common/worker-thread.ts';
import type { StripJob, StripResult } from './strip.ts';
import { stripFile } from './strip-file.ts';

serveJobs(async (job: StripJob): Promise<StripResult> => {
  try {
    return await stripFile(job);
  } catch (error) {
    if (!(error instanceof InvalidValue) || typeof error.text === 'string') throw error;
    return { problem: error.text };
  }
});
