// Reads the bytes of a request's body, up to a size and not too slowly.

import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiText } from '../../common/src/api-text.ts';
import { Failure, toStorageFailure } from '../../common/src/errors.ts';
import { privateFileMode } from '../../common/src/private-files.ts';
import { withTimeout } from '../../common/src/timeout.ts';
import { BadRequest, TooLarge, TooSlow } from './error-responses.ts';

/** How an upload is received. Other bodies have the timeout of the request. */
export interface UploadReception {
  /** The time limit for the whole body. */
  readonly timeoutMs: number;
  /** After this time, the body so far must have arrived at `minBytesPerSecond` on average. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** A longer body waits in a temporary file until all of it has arrived. */
  readonly maxBytesInMemory: number;
  /** Waits for room in memory for such a body. */
  takePlace(): Promise<void>;
  /** Receives a body that shall stay in its file, and closes it. */
  keep?(body: StoredBody): void;
}

/** A body that has arrived and is not in memory. */
export interface StoredBody {
  readonly size: number;
  read(start: number, end: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly upload?: UploadReception;
}

/** Stops reading at the limits, also if there is no Content-Length. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  try {
    if (!limits.upload && request.headers.has('Content-Length'))
      return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request.body, limits);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest(apiText('bodyEnded'));
  }
}

async function readChunks(body: ReadableStream<Uint8Array>, limits: BodyLimits) {
  const received = await receive(body, limits);
  try {
    if (received.isInFile) await limits.upload?.takePlace();
    return await received.readAll();
  } finally {
    await received.close();
  }
}

/** Leaves the body where it was stored while it arrived. */
export async function storeBody({ body }: Request, limits: BodyLimits): Promise<StoredBody> {
  if (!body) throw new BadRequest('There is no body.');
  try {
    const received = await receive(body, limits);
    await received.finish();
    return received;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest(apiText('bodyEnded'));
  }
}

async function receive(body: ReadableStream<Uint8Array>, { maxBytes, upload }: BodyLimits) {
  const reader = body.getReader();
  const startedAt = performance.now();
  const received = new ReceivedBytes(upload?.maxBytesInMemory ?? maxBytes);
  try {
    for (;;) {
      const { done, value } = await (upload
        ? readBefore(reader, startedAt + allowedMs(upload, received.size))
        : reader.read());
      if (done) return received;
      if (received.size + value.length > maxBytes) throw new TooLarge(maxBytes);
      await received.add(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    await received.close();
    throw error;
  }
}

/** Many bytes are kept in a temporary file, because slow senders would otherwise fill the memory. */
class ReceivedBytes implements StoredBody {
  size = 0;
  #inMemory: Uint8Array[] = [];
  #lengthInFile = 0;
  #file: FileHandle | undefined;

  constructor(private readonly maxInMemory: number) {}

  get isInFile(): boolean {
    return this.#file !== undefined;
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#inMemory.push(bytes);
    this.size += bytes.length;
    if (this.size - this.#lengthInFile > this.maxInMemory) await this.#moveToFile();
  }

  async #moveToFile(): Promise<void> {
    try {
      this.#file ??= await openTemporaryFile();
      for (const bytes of this.#inMemory) await this.#file.writeFile(bytes);
    } catch (error) {
      throw toStorageFailure(error);
    }
    this.#inMemory = [];
    this.#lengthInFile = this.size;
  }

  /** Call it when the last bytes are added, before `read`. */
  async finish(): Promise<void> {
    if (this.#file) await this.#moveToFile();
    else this.#inMemory = [Buffer.concat(this.#inMemory)];
  }

  async read(start: number, end: number): Promise<Buffer> {
    if (!this.#file) return Buffer.from(this.#inMemory[0]?.subarray(start, end) ?? []);
    const bytes = Buffer.allocUnsafeSlow(end - start);
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  async readAll(): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.#file) return Buffer.concat(this.#inMemory);
    const bytes = Buffer.allocUnsafeSlow(this.size);
    await this.#file.read(bytes, 0, this.#lengthInFile, 0);
    Buffer.concat(this.#inMemory).copy(bytes, this.#lengthInFile);
    return bytes;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** How long the sender has until the next chunk, from the start. */
const allowedMs = ({ timeoutMs, graceMs, minBytesPerSecond }: UploadReception, length: number): number =>
  Math.min(timeoutMs, graceMs + (length / minBytesPerSecond) * 1000);

const readBefore = (reader: ReadableStreamDefaultReader<Uint8Array>, deadline: number) =>
  withTimeout(Math.max(0, deadline - performance.now()), reader.read(), new TooSlow());

/** A file without a name: nothing of it is left when it is closed or the process ends. */
async function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `vitrine-${crypto.randomUUID()}`);
  const file = await open(path, 'wx+', privateFileMode);
  await unlink(path);
  return file;
}
