const maxLineBytes = 4 * 1024 * 1024;
const lineFeed = 0x0a;

/**
 * Splits a stream of UTF-8 into lines. Yields all complete lines of a chunk together, with its bytes. Each line is
 * decoded alone: a line of Latin letters takes half of the memory and time, whatever other lines have.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  refuse: (line: number, reason: string) => never,
): AsyncGenerator<{ lines: string[]; bytes: Uint8Array }> {
  let lineNumber = 0;
  /** The beginning of a line, in the pieces in which it came. */
  let incomplete: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines: string[] = [];
    let problem: string | undefined;
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0 && !problem; end = chunk.indexOf(lineFeed, start)) {
      const last = chunk.subarray(start, end);
      const line = decodeLine(
        incomplete.length > 0 ? Buffer.concat([...incomplete, last]) : last,
        ++lineNumber,
      );
      if (line === undefined) problem = 'is not UTF-8.';
      else lines.push(line);
      incomplete = [];
      length = 0;
      start = end + 1;
    }
    yield { lines, bytes: chunk };
    if (problem) refuse(lineNumber, problem);
    if (start < chunk.length) incomplete.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxLineBytes) refuse(lineNumber + 1, 'is too long.');
  }
  if (incomplete.length === 0) return;
  const line = decodeLine(Buffer.concat(incomplete), ++lineNumber) ?? refuse(lineNumber, 'is not UTF-8.');
  yield { lines: [line], bytes: new Uint8Array() };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined if it is not UTF-8. */
function decodeLine(bytes: Uint8Array, lineNumber: number): string | undefined {
  try {
    const text = decoder.decode(bytes);
    const start = lineNumber === 1 && text.startsWith('\ufeff') ? 1 : 0;
    return text.slice(start, text.endsWith('\r') ? -1 : undefined);
  } catch {
    return undefined;
  }
}
