// Removes what files tell about people: names of authors, places, programs. It takes long for large files, so it happens in
// another thread.

import type { InvalidFileCode, TypedFile } from '#clean-files';
import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { QueuePerPerson } from '#common/request-queue.ts';
import { timeLimits } from '#common/time-limits.ts';
import { WorkerThread } from '#common/worker-thread.ts';
import type { MediaType } from './stored-files.ts';

type StoredFile = TypedFile<MediaType>;

/** An error loses its class on the way out of the thread. */
export type StripResult = StoredFile | { readonly problem: InvalidFileCode };

const thread = new WorkerThread<StoredFile, StripResult>(new URL('./strip-thread.ts', import.meta.url), {
  maxWaiting: 20,
  get timeoutMs() {
    return timeLimits.metadata;
  },
});
const ownQueues = new QueuePerPerson<number | null>({ maxRunning: 1, maxWaiting: 10 });

/** Throws InvalidValue for a file that cannot be read. */
export async function stripMetadata(file: StoredFile, contributor: number | null): Promise<StoredFile> {
  if (file.type.startsWith('text/')) return file;
  const result = await ownQueues.run(contributor, () => thread.run(file));
  if (!result) throw new InvalidValue(apiText('slowFile'));
  if ('problem' in result) throw new InvalidValue(apiText(result.problem));
  return result;
}
