// Lists of long texts, which take a while to render: other requests go on meanwhile.

import { nextEventLoopTurn } from '../../../common/src/event-loop.ts';
import { isJsonObject, toJson } from '../../../common/src/json.ts';

const longLength = 1_000_000;
/** About as much as is rendered in a few milliseconds. */
const sliceLength = 250_000;

type LongList = Record<string, unknown> & { readonly results: readonly unknown[] };

/** Whether this is a page of results with so much text that it is rendered in slices. */
export function isLongList(data: unknown): data is LongList {
  if (!isJsonObject(data) || !Array.isArray(data.results)) return false;
  let length = 0;
  for (const result of data.results) {
    for (const name in result) {
      const value: unknown = result[name];
      if (typeof value === 'string') length += value.length;
    }
  }
  return length > longLength;
}

/** The parts of a text that takes long to make, joined. */
export async function joinInSlices(parts: Iterable<string>): Promise<string> {
  const slices: string[] = [];
  let slice = '';
  for (const part of parts) {
    slice += part;
    if (slice.length < sliceLength) continue;
    slices.push(slice);
    slice = '';
    await nextEventLoopTurn();
  }
  return slices.join('') + slice;
}

/** The same text as that of `toJson`. */
export function longListToJson({ results, ...rest }: LongList, indent: number): Promise<string> {
  const envelope = toJson({ ...rest, results: [] }, indent);
  const end = envelope.lastIndexOf('[]');
  const line = indent ? `\n${' '.repeat(indent * 2)}` : '';
  function* parts() {
    yield `${envelope.slice(0, end)}[`;
    for (const [index, result] of results.entries())
      yield `${index ? ',' : ''}${line}${toJson(result, indent).replaceAll('\n', line)}`;
    yield `${line.slice(0, -indent || undefined)}]${envelope.slice(end + 2)}`;
  }
  return joinInSlices(parts());
}
