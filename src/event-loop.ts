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

/** Does the work for each item; after so many, other requests go on. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  sliceSize: number,
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    await work(item);
    if (++count % sliceSize === 0) await nextEventLoopTurn();
  }
}
