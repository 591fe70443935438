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
