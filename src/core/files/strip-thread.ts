// The thread of strip.ts.

import { cleanFile, InvalidFile, type TypedFile } from '#clean-files';
import { serveJobs } from '#common/worker-thread.ts';
import type { MediaType } from './stored-files.ts';
import type { StripResult } from './strip.ts';

serveJobs(async (file: TypedFile<MediaType>): Promise<StripResult> => {
  try {
    return await cleanFile(file);
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return { problem: error.code };
  }
});
