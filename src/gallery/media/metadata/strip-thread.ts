// The thread of strip.ts.

import { InvalidValue } from '../../../common/inputs.ts';
import { serveJobs } from '../../../common/worker-thread.ts';
import type { StripResult, TypedFile } from './strip.ts';
import { stripFile } from './strip-file.ts';

serveJobs(async (file: TypedFile): Promise<StripResult> => {
  try {
    return await stripFile(file);
  } catch (error) {
    if (!(error instanceof InvalidValue) || typeof error.text === 'string') throw error;
    return { problem: error.text };
  }
});
