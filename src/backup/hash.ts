import type { Stored } from './place.ts';

export async function hashStream(stream: AsyncIterable<Uint8Array>): Promise<Stored> {
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hasher.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hasher.digest('hex') };
}

export const hashFile = (path: string): Promise<Stored> => hashStream(Bun.file(path).stream());
