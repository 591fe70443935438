// Shares the main thread: long work is done in slices, and other requests go on after each.

/** Lets pending requests of this event loop turn run. */
export const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const sliceBytes = 4 * 1024 * 1024;

export async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
    if (start + sliceBytes < bytes.length) await nextEventLoopTurn();
  }
}

const sliceMs = 5;

/** Does the work for each item; whenever it has taken some milliseconds, other requests go on. */
export async function inSlices<Item>(items: Iterable<Item>, work: (item: Item) => void | Promise<void>) {
  let startedAt = performance.now();
  for (const item of items) {
    await work(item);
    if (performance.now() - startedAt < sliceMs) continue;
    await nextEventLoopTurn();
    startedAt = performance.now();
  }
}
