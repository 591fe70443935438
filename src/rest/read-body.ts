// Reads the bytes of a request's body, up to a size and not too slowly.

import { Failure } from '../errors.ts';
import { BadRequest, TooLarge, TooSlow } from './exceptions.ts';

/** For uploads, which keep one of a few places while they arrive. Other bodies have the timeout of the request. */
export interface UploadPace {
  /** The time limit for the whole body. */
  readonly timeoutMs: number;
  /** After this time, the body so far must have arrived at `minBytesPerSecond` on average. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly pace?: UploadPace;
}

/** Stops reading at the limits, also if there is no Content-Length. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  try {
    if (!limits.pace && request.headers.has('Content-Length'))
      return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request.body, limits);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest('The body ended too early.');
  }
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  { maxBytes, pace }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const startedAt = performance.now();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await (pace
        ? readBefore(reader, startedAt + allowedMs(pace, length))
        : reader.read());
      if (done) return Buffer.concat(chunks);
      length += value.length;
      if (length > maxBytes) throw new TooLarge(maxBytes);
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}

/** How long the sender has until the next chunk, from the start. */
function allowedMs({ timeoutMs, graceMs, minBytesPerSecond }: UploadPace, length: number): number {
  return Math.min(timeoutMs, graceMs + (length / minBytesPerSecond) * 1000);
}

async function readBefore(reader: ReadableStreamDefaultReader<Uint8Array>, deadline: number) {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([reader.read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
