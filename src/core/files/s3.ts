// Stores files in a bucket of S3 or a compatible service. Credentials are never part of the URL: Bun's client reads them
// from the environment.

import { S3Client, type S3File } from 'bun';
import { BucketUnavailable, errorCode, errorMessage, OperatorError } from '#common/errors.ts';
import { timeLimits } from '#common/time-limits.ts';
import { withTimeout } from '#common/timeout.ts';
import { type FileStore, isFileName } from './store.ts';

const locationFormat =
  's3://bucket/folder?endpoint=https://host&region=name, all but the bucket as you need it';
const batchSize = 500;
/** Sending a file may take longer. */
const minBytesPerMs = 500;

/** `purpose` is what is stored there, for messages. */
export async function openS3Store(location: string, purpose = 'files'): Promise<S3Store> {
  const url = URL.parse(location);
  const hasOnlyKnownParameters = [...(url?.searchParams.keys() ?? [])].every((name) =>
    ['endpoint', 'region'].includes(name),
  );
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  const bucket = url?.host ?? '';
  if (
    !hasOnlyKnownParameters ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ||
    url?.username ||
    (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
  )
    throw new OperatorError(`The place for ${purpose} must look like ${locationFormat}.`);
  const folder = (url?.pathname ?? '').replace(/^\/+|\/+$/g, '');
  const client = new S3Client({ bucket, endpoint, region: url?.searchParams.get('region') ?? undefined });
  const files = new S3Store(client, folder && `${folder}/`);
  try {
    const listing = client.list({ prefix: folder, maxKeys: 1 });
    await withTimeout(timeLimits.bucket, listing, new Error('it does not answer'));
  } catch (error) {
    const [code, message] = [errorCode(error), errorMessage(error)];
    if (code === 'ERR_S3_MISSING_CREDENTIALS')
      throw new OperatorError(
        `The ${purpose} at s3:// need a key: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the same with AWS_.`,
      );
    // For network errors, Bun's client has only a code.
    const reason = message.startsWith('an unexpected error') ? `it cannot be reached (${code})` : message;
    throw new OperatorError(`The ${purpose} at s3://${bucket} cannot be used: ${reason.replace(/\.$/, '')}.`);
  }
  return files;
}

export class S3Store implements FileStore {
  constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** A file of the disk is sent in parts. */
  async put(name: string, content: Uint8Array | Blob): Promise<void> {
    const bytes = content instanceof Blob ? content.size : content.length;
    await unavailableOnError(this.#file(name).write(content), timeLimits.bucket + bytes / minBytesPerMs);
  }

  /** The objects whose names begin with the folder. */
  within(folder: string): S3Store {
    return new S3Store(this.client, `${this.prefix}${folder}/`);
  }

  async remove(name: string): Promise<void> {
    await unavailableOnError(this.#file(name).delete());
  }

  async listFolders(): Promise<string[]> {
    const folders: string[] = [];
    for (let continuationToken: string | undefined; ; ) {
      const { commonPrefixes = [], ...page } = await unavailableOnError(
        this.client.list({ prefix: this.prefix, delimiter: '/', continuationToken }),
      );
      folders.push(...commonPrefixes.map(({ prefix }) => prefix.slice(this.prefix.length, -1)));
      if (!page.isTruncated) return folders;
      continuationToken = page.nextContinuationToken;
    }
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await unavailableOnError(this.#file(name).stat())).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Not an S3File: as the body of a Response, Bun would send a redirect to the bucket. */
  stream(name: string, start: number, end: number): ReadableStream {
    const reader: ReadableStreamDefaultReader<Uint8Array> = this.#file(name)
      .slice(start, end)
      .stream()
      .getReader();
    let length = 0;
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await unavailableOnError(reader.read());
          length += value?.length ?? 0;
          if (!done) return controller.enqueue(value);
          requireLength(name, length, end - start);
          controller.close();
        } catch (error) {
          reader.cancel().catch(() => {});
          throw error;
        }
      },
      cancel: () => reader.cancel(),
    });
  }

  sign(name: string, expiresIn: number, headers: Readonly<Record<string, string>>): string {
    const contentDisposition = headers['Content-Disposition'];
    return this.#file(name).presign({ expiresIn, type: headers['Content-Type'], contentDisposition });
  }

  async read(name: string, start: number, end: number): Promise<Uint8Array> {
    const bytes = await unavailableOnError(this.#file(name).slice(start, end).bytes());
    requireLength(name, bytes.length, end - start);
    return bytes;
  }

  async *listOld(before: number): AsyncGenerator<string[]> {
    for (let continuationToken: string | undefined; ; ) {
      const { contents = [], ...page } = await unavailableOnError(
        this.client.list({ prefix: this.prefix, maxKeys: batchSize, continuationToken }),
      );
      yield contents
        .filter(({ lastModified }) => lastModified !== undefined && Date.parse(lastModified) < before)
        .map(({ key }) => key.slice(this.prefix.length))
        .filter(isFileName);
      if (!page.isTruncated) return;
      continuationToken = page.nextContinuationToken;
    }
  }

  async removeOld(name: string, before: number): Promise<boolean> {
    try {
      const { lastModified } = await unavailableOnError(this.#file(name).stat());
      if (lastModified.getTime() >= before) return false;
      await this.remove(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return true;
  }

  #file(name: string): S3File {
    return this.client.file(this.prefix + name);
  }
}

const isMissing = (error: unknown) =>
  error instanceof BucketUnavailable && /^(NoSuchKey|NotFound|404)/.test(errorCode(error.cause) ?? '');

/** Bun takes half of an object for the whole if the connection ends properly. */
function requireLength(name: string, length: number, expected: number): void {
  if (length !== expected) throw new BucketUnavailable(`S3 sent ${length} of ${expected} bytes of ${name}`);
}

/** Bun's client would wait for minutes. */
async function unavailableOnError<Result>(work: Promise<Result>, maxMs = timeLimits.bucket): Promise<Result> {
  try {
    return await withTimeout(maxMs, work, new Error('S3 does not answer'));
  } catch (error) {
    throw new BucketUnavailable(error);
  }
}
