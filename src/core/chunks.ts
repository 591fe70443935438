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

/** Rows in batches, until there are no more: `load` gets the last row of the batch before. */
export async function* inBatches<Row>(
  load: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await load(last);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}
