// The thread of rendering.ts.

import { serveJobs } from '#common/worker-thread.ts';
import { highlight } from './code/highlight.ts';
import { renderAll } from './markdown.ts';
import type { TextJob, TextResult } from './rendering.ts';
import { compareAll } from './text-diff.ts';

serveJobs((job: TextJob): TextResult => {
  if (job.kind === 'markdown') return renderAll(job.texts);
  if (job.kind === 'code') return [highlight(job.program.code, job.program.language)];
  return compareAll(job.comparisons, job.timeoutMs);
});
