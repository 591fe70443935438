const lineBreak = 10;

/** Writes a stream into another one that several write to: whole lines at a time. */
export async function passLines(
  lines: ReadableStream<Uint8Array>,
  sink: { write(bytes: Uint8Array): unknown },
): Promise<void> {
  let rest = new Uint8Array();
  for await (const chunk of lines) {
    const end = chunk.lastIndexOf(lineBreak) + 1;
    if (end > 0) sink.write(Buffer.concat([rest, chunk.subarray(0, end)]));
    rest = end > 0 ? chunk.slice(end) : Buffer.concat([rest, chunk]);
  }
  // The process was killed while it wrote.
  if (rest.length) sink.write(Buffer.concat([rest, new Uint8Array([lineBreak])]));
}
