// Each kind of long downloads, uploads and open responses has places of its own.

import type { SharedMemory } from '#common/shared-memory.ts';
import { DownloadLimiter } from '#rest/download-limiter.ts';
import { OpenResponses } from '#rest/open-responses.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { UploadLimiter } from '#rest/upload-limiter.ts';
import type { Settings } from '../core/settings/settings.ts';

export type Transfers = ReturnType<typeof createTransfers>;

export const megabyte = 1024 * 1024;

/** All files of an account, its texts and its page. */
export const findArchiveLimit = ({ fileQuota }: Settings<'fileQuota'>): number =>
  ((fileQuota ?? 2000) + 100) * megabyte;

/** Nobody reads the rest of such a body. */
export const hasLargeBody = ({ headers }: RequestContext, { uploadLimit }: Settings<'uploadLimit'>) =>
  Number(headers.get('Content-Length') ?? 0) > 2 * uploadLimit * megabyte;

export const createTransfers = (
  { uploadLimit, fileQuota, streamLimit }: Settings<'uploadLimit' | 'fileQuota' | 'streamLimit'>,
  memory: SharedMemory,
) => ({
  lists: new DownloadLimiter(),
  archives: new DownloadLimiter(),
  uploads: new UploadLimiter(
    uploadLimit * megabyte,
    fileQuota && Math.max(2 * fileQuota, 10 * uploadLimit) * megabyte,
    findArchiveLimit({ fileQuota }),
    memory,
  ),
  openResponses: new OpenResponses(streamLimit, memory.sharedLimits),
});
