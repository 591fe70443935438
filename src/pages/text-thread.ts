// The thread of text-rendering.ts.

import { serveJobs } from '../worker-thread.ts';
import { toHtml } from './markdown.ts';
import { compareAll } from './text-diff.ts';
import type { TextJob, TextResult } from './text-rendering.ts';

serveJobs(
  (job: TextJob): TextResult =>
    job.kind === 'markdown'
      ? job.texts.map(({ text, title, level }) => toHtml(text, title, level))
      : compareAll(job.comparisons),
);
