// Draws preview images in another thread, and keeps those that were used last.

import type { Node } from '@takumi-rs/wasm';
import { Refused } from '../../common/errors.ts';
import { WorkerThread } from '../../common/worker-thread.ts';

const thread = new WorkerThread<Node, Uint8Array<ArrayBuffer>>(
  new URL('./preview-thread.ts', import.meta.url),
  { maxWaiting: 20, timeoutMs: 5000 },
);

const maxCachedBytes = 16_000_000;
/** The one that was used last is the last. */
const cached = new Map<string, Uint8Array<ArrayBuffer>>();
let cachedBytes = 0;
const running = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** A PNG. `hash` is the hash of the elements. Requests for the same image wait for one drawing. */
export async function drawPreview(hash: string, elements: Node): Promise<Uint8Array<ArrayBuffer>> {
  const found = cached.get(hash);
  if (found) {
    cached.delete(hash);
    cached.set(hash, found);
    return found;
  }
  const drawing = running.get(hash) ?? draw(hash, elements).finally(() => running.delete(hash));
  running.set(hash, drawing);
  return drawing;
}

async function draw(hash: string, elements: Node): Promise<Uint8Array<ArrayBuffer>> {
  const image = await thread.run(elements);
  if (!image) throw new Refused('the preview image took too long');
  cached.set(hash, image);
  cachedBytes += image.length;
  for (const [oldest, { length }] of cached) {
    if (cachedBytes <= maxCachedBytes) break;
    cached.delete(oldest);
    cachedBytes -= length;
  }
  return image;
}
