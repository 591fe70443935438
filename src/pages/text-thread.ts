// The thread of text-rendering.ts.

import { serveJobs } from '../worker-thread.ts';
import { renderAll } from './markdown.ts';
import { compareAll } from './text-diff.ts';
import type { TextJob, TextResult } from './text-rendering.ts';

serveJobs(
  (job: TextJob): TextResult =>
    job.kind === 'markdown' ? renderAll(job.texts) : compareAll(job.comparisons),
);
