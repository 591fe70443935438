const chunkSize = 500;

/** Splits into chunks of a size that fits one statement. */
export function* chunks<Item>(items: Iterable<Item>): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length) yield chunk;
}
