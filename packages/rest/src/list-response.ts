// Streams a whole list as CSV or newline-delimited JSON. A part is read when the client has taken the one before, so that
// a list of any length needs little memory.

import { isDeepStrictEqual } from 'node:util';
import { Refused } from '../../common/src/errors.ts';
import { nextEventLoopTurn } from '../../common/src/event-loop.ts';
import { RequestLifetime } from '../../common/src/request-lifetime.ts';
import { timeLimits } from '../../common/src/time-limits.ts';
import type { ApiRequest } from './api-request.ts';
import type { Authenticator } from './authenticator.ts';
import type { DownloadLimiter } from './download-limiter.ts';
import { type ListFormatName, listFormats } from './list-formats.ts';
import type { OperationResult, WholeList } from './resource.ts';

/** About as much as is sent at once. */
const chunkLength = 64_000;
/** How often the viewer of a running download is authenticated again. */
const authenticationIntervalMs = 2000;

interface ListDependencies<Viewer> {
  readonly authenticator: Authenticator<Viewer>;
  readonly downloads: DownloadLimiter;
  /** The path below which all resources are. */
  readonly root: string;
}

export async function streamList<Viewer>(
  { authenticator, downloads, root }: ListDependencies<Viewer>,
  { context, url }: ApiRequest,
  viewer: Viewer,
  format: ListFormatName,
  list: WholeList,
): Promise<OperationResult> {
  const check = createViewerCheck(() => authenticator.identifyAgain(context), viewer);
  const text = generateText(format, list, (read) => readPart(check, read));
  const sender = viewer === authenticator.anonymous ? context.clientAddress : authenticator.idOf(viewer);
  const name = url.path.slice(root.length).split('/').filter(Boolean).join('-');
  return {
    stream: await downloads.start(sender, text),
    mediaType: listFormats[format].contentType,
    headers: { 'Content-Disposition': `attachment; filename="${name}.${format}"` },
  };
}

type ReadPart = <Part>(read: () => Promise<Part>) => Promise<Part>;

async function* generateText(format: ListFormatName, { columns, batches }: WholeList, readNext: ReadPart) {
  const { formatHeader, formatRecord } = listFormats[format];
  let text = formatHeader(columns);
  for (;;) {
    const { done, value: records } = await readNext(() => batches.next());
    if (done) break;
    for (const record of records) {
      text += formatRecord(record, columns);
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
      await nextEventLoopTurn();
    }
  }
  if (text) yield text;
}

/** Each part waits for the database like a request that has just come. */
const readPart = async <Part>(checkViewer: () => Promise<void>, read: () => Promise<Part>): Promise<Part> =>
  new RequestLifetime(timeLimits.request, { replicas: 'current' }).withinTimeLimit(async () => {
    await checkViewer();
    return read();
  });

/** Fails once the credentials have ended or allow something else: a download may take half an hour. */
function createViewerCheck<Viewer>(identify: () => Promise<Viewer>, viewer: Viewer): () => Promise<void> {
  let checkedAt = performance.now();
  return async () => {
    if (performance.now() - checkedAt < authenticationIntervalMs) return;
    if (!isDeepStrictEqual(await identify(), viewer)) throw new Refused('the viewer has changed');
    checkedAt = performance.now();
  };
}
