// Removes what files tell about people: names of authors, places, programs. It takes long for large files, so it happens in
// another thread.

import { ApiText, apiText } from '../../../common/api-text.ts';
import { InvalidValue } from '../../../common/inputs.ts';
import { QueuePerPerson } from '../../../common/request-queue.ts';
import { timeLimits } from '../../../common/time-limits.ts';
import { WorkerThread } from '../../../common/worker-thread.ts';
import type { MediaType } from '../media.ts';

/** Before, all archives are `application/zip`: the thread finds out which of them are documents. */
export interface TypedFile {
  readonly type: MediaType;
  readonly bytes: Uint8Array;
  /** An archive that says by it that it is a document must be one. */
  readonly name?: string;
}

/** A text loses its class on the way out of the thread. */
export type StripResult = TypedFile | { readonly problem: Pick<ApiText, 'code' | 'values'> };

const thread = new WorkerThread<TypedFile, StripResult>(new URL('./strip-thread.ts', import.meta.url), {
  maxWaiting: 20,
  get timeoutMs() {
    return timeLimits.metadata;
  },
});
const ownQueues = new QueuePerPerson<number | null>({ maxRunning: 1, maxWaiting: 10 });

/** Throws InvalidValue for a file that cannot be read. */
export async function stripMetadata(file: TypedFile, contributor: number | null): Promise<TypedFile> {
  if (file.type === 'text/plain') return file;
  const result = await ownQueues.run(contributor, () => thread.run(file));
  if (!result) throw new InvalidValue(apiText('slowFile'));
  if ('problem' in result) throw new InvalidValue(new ApiText(result.problem.code, result.problem.values));
  return result;
}
