// Files in a bucket of S3, or of what speaks as it does. The key that opens it is never part of an address: Bun's
// client reads it from the environment.

import { S3Client, type S3File } from 'bun';
import { OperatorError, Unavailable } from '../errors.ts';
import type { Files } from './open.ts';

const form = 's3://bucket/folder?endpoint=https://host&region=name, all but the bucket as you need it';
const atOnce = 500;
const patience = 10_000;

export async function openS3(place: string): Promise<Files> {
  const url = URL.parse(place);
  const known = [...(url?.searchParams.keys() ?? [])].every((name) => ['endpoint', 'region'].includes(name));
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  const bucket = url?.host ?? '';
  if (
    !known ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ||
    url?.username ||
    (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
  )
    throw new OperatorError(`The place for files must look like ${form}.`);
  const folder = (url?.pathname ?? '').replace(/^\/+|\/+$/g, '');
  const client = new S3Client({ bucket, endpoint, region: url?.searchParams.get('region') ?? undefined });
  const files = new Bucket(client, folder && `${folder}/`);
  try {
    await Promise.race([
      client.list({ prefix: folder, maxKeys: 1 }),
      Bun.sleep(patience).then(() => Promise.reject(new Error('it does not answer'))),
    ]);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ERR_S3_MISSING_CREDENTIALS')
      throw new OperatorError(
        'The files at s3:// need a key: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the same with AWS_.',
      );
    // Of what happens on the way there Bun's client tells the code alone.
    const reason = message.startsWith('an unexpected error') ? `it cannot be reached (${code})` : message;
    throw new OperatorError(`The files at s3://${bucket} cannot be used: ${reason.replace(/\.$/, '')}.`);
  }
  return files;
}

class Bucket implements Files {
  constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await reached(this.#file(name).write(bytes));
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await reached(this.#file(name).stat())).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Not the file itself: as the body of an answer it would send the reader to the bucket. */
  stream(name: string, from: number, upTo: number): ReadableStream {
    return this.#file(name).slice(from, upTo).stream();
  }

  bytes(name: string, from: number, upTo: number): Promise<Uint8Array> {
    return reached(this.#file(name).slice(from, upTo).bytes());
  }

  async sweep(before: number, used: (names: string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    for (let continuationToken: string | undefined; ; ) {
      const { contents = [], ...page } = await reached(
        this.client.list({ prefix: this.prefix, maxKeys: atOnce, continuationToken }),
      );
      const old = contents
        .filter(({ lastModified }) => lastModified !== undefined && Date.parse(lastModified) < before)
        .map(({ key }) => key.slice(this.prefix.length));
      const kept = old.length ? await used(old) : new Set();
      for (const name of old) if (!kept.has(name)) await this.#removeOld(name, before);
      if (!page.isTruncated) return;
      continuationToken = page.nextContinuationToken;
    }
  }

  /** It may have been put again while we asked who uses it. */
  async #removeOld(name: string, before: number): Promise<void> {
    const { lastModified } = await reached(this.#file(name).stat());
    if (lastModified.getTime() < before) await reached(this.#file(name).delete());
  }

  #file(name: string): S3File {
    return this.client.file(this.prefix + name);
  }
}

const isMissing = (error: unknown) =>
  error instanceof Unavailable &&
  /^(NoSuchKey|NotFound|404)/.test((error.cause as { code?: string })?.code ?? '');

async function reached<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw new Unavailable({ cause });
  }
}
