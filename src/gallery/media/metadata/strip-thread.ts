// The thread of strip.ts.

import { InvalidValue } from '../../../common/inputs.ts';
import { serveJobs } from '../../../common/worker-thread.ts';
import type { MediaType } from '../media.ts';
import { stripFlac, stripMp3, stripWav } from './audio.ts';
import { stripArchive } from './document.ts';
import { blankOgg } from './ogg.ts';
import { stripPdf } from './pdf.ts';
import type { StripJob, StrippedFile, StripResult } from './strip.ts';
import { blankVideo } from './video.ts';
import { blankWebm } from './webm.ts';

serveJobs(async (job: StripJob): Promise<StripResult> => {
  try {
    return await strip(job);
  } catch (error) {
    if (!(error instanceof InvalidValue) || typeof error.text === 'string') throw error;
    return { problem: error.text };
  }
});

async function strip({ type, bytes }: StripJob): Promise<StrippedFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'application/zip') return stripArchive(buffer);
  if (type === 'application/pdf') return { type, bytes: await stripPdf(buffer) };
  const copy = copiers[type];
  if (copy) return { type, bytes: copy(buffer) };
  blankers[type]?.(buffer);
  return { type, bytes: buffer };
}

const copiers: Partial<Record<MediaType, (bytes: Buffer) => Buffer>> = {
  'audio/mpeg': stripMp3,
  'audio/wav': stripWav,
  'audio/flac': stripFlac,
};

/** They write into the file. */
const blankers: Partial<Record<MediaType, (bytes: Buffer) => void>> = {
  'video/mp4': blankVideo,
  'video/quicktime': blankVideo,
  'video/webm': blankWebm,
  'video/ogg': blankOgg,
  'audio/ogg': blankOgg,
  'audio/mp4': blankVideo,
};
