const chunkSize = 500;

/** As many at a time as a statement can well name. */
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
