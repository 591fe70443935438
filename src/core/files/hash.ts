import { BucketUnavailable } from '#common/errors.ts';

/** The SHA-256 of a file, in hexadecimal digits, and its size. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export async function hashStream(stream: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hasher.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hasher.digest('hex') };
}

export const hashFile = (path: string): Promise<FileDigest> => hashStream(Bun.file(path).stream());

/**
 * A body whose name is its hash. The last part is held back until the hash is right, so that a wrong body breaks off: a store
 * at the other end of a network can send anything. A file of a disk is passed on as it is.
 */
export function requireHash(body: Blob | ReadableStream, name: string): Blob | ReadableStream {
  if (body instanceof Blob) return body;
  const hasher = new Bun.CryptoHasher('sha256');
  let last: Uint8Array | undefined;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        if (last) controller.enqueue(last);
        hasher.update(part);
        last = part;
      },
      flush(controller) {
        if (hasher.digest('hex') !== name) throw new BucketUnavailable(`the bytes of ${name} are others`);
        if (last) controller.enqueue(last);
      },
    }),
  );
}
