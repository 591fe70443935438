import { isUtf8 } from 'node:buffer';

const maxLineLength = 4 * 1024 * 1024;

/** Splits a stream of UTF-8 into lines. Yields all complete lines of a chunk together, with its bytes. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  refuse: (line: number, reason: string) => never,
): AsyncGenerator<{ lines: string[]; bytes: Uint8Array }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let incomplete = '';
  let line = 1;
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return refuse(line + countValidLines(chunk), 'is not UTF-8.');
    }
  };
  for await (const chunk of chunks) {
    const lines = (incomplete + decode(chunk)).split('\n');
    incomplete = lines.pop() ?? '';
    yield { lines: lines.map(stripCarriageReturn), bytes: chunk };
    line += lines.length;
    if (incomplete.length > maxLineLength) refuse(line, 'is too long.');
  }
  incomplete += decode();
  if (incomplete) yield { lines: [stripCarriageReturn(incomplete)], bytes: new Uint8Array() };
}

const stripCarriageReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text);

/** The chunk may begin within a character whose first bytes were in the chunk before. */
function countValidLines(chunk: Uint8Array = new Uint8Array()): number {
  const start = Math.max(
    0,
    chunk.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80),
  );
  let validLines = 0;
  for (let lineStart = start; lineStart < chunk.length; validLines++) {
    const end = chunk.indexOf(0x0a, lineStart);
    if (end < 0 || !isUtf8(chunk.subarray(lineStart, end))) break;
    lineStart = end + 1;
  }
  return validLines;
}
