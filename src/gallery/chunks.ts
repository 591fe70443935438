const defaultSize = 500;

/** Splits into chunks, by default of a size that fits one statement. */
export function* chunks<Item>(items: Iterable<Item>, size = defaultSize): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length) yield chunk;
}
