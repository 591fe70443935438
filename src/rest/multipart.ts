// Multipart forms: their boundary, their parts, and a hash that does not depend on the boundary.

import { apiText } from '../common/api-text.ts';
import { nextEventLoopTurn, slices } from '../common/event-loop.ts';
import { checkMultipartSize } from './body-bounds.ts';
import { BadRequest } from './exceptions.ts';

/** RFC 2046 allows 70 characters. */
const boundaryPattern =
  /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s";,]{1,70})(?=[\s;,]|$))/i;

export function findDelimiter(contentType: string | null): string | undefined {
  const [, quoted, plain] = boundaryPattern.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? undefined : `--${boundary}`;
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  Buffer.from(buffer, byteOffset, length);

export async function parseMultipart(contentType: string, bytes: Uint8Array<ArrayBuffer>) {
  const delimiter = findDelimiter(contentType);
  if (delimiter !== undefined) {
    checkMultipartSize(toBuffer(bytes), delimiter);
    // Reading, parsing and using the body each copy it.
    await nextEventLoopTurn();
    // Only the boundary that was counted.
    const headers = { 'Content-Type': `multipart/form-data; boundary="${delimiter.slice(2)}"` };
    const form = await new Response(bytes, { headers }).formData().catch(() => undefined);
    const entries = [...(form ?? [])];
    await nextEventLoopTurn();
    // Bun returns no entries for a malformed form; a valid form without fields is only its last line.
    if (entries.length > 0 || (form && isLastLine(bytes, delimiter))) return entries;
  }
  throw new BadRequest(apiText('brokenMultipart'));
}

function isLastLine(bytes: Uint8Array<ArrayBuffer>, delimiter: string): boolean {
  const lastLine = `${delimiter}--`;
  const maxLength = lastLine.length + '\r\n'.length;
  return bytes.length <= maxLength && toBuffer(bytes).toString('latin1').trimEnd() === lastLine;
}

/** Hashes the body without a multipart form's boundary, which clients choose at random each time. */
export async function hashBody(
  hash: Bun.CryptoHasher,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Promise<void> {
  const delimiter = findDelimiter(contentType);
  if (delimiter === undefined) {
    for await (const slice of slices(bytes)) hash.update(slice);
    return;
  }
  const body = toBuffer(bytes);
  // `parseMultipart` has checked that there are not many.
  for (let start = 0; start < body.length; ) {
    const index = body.indexOf(delimiter, start, 'latin1');
    const end = index < 0 ? body.length : index + '--'.length;
    for await (const slice of slices(body.subarray(start, end))) hash.update(slice);
    hash.update('\n');
    start = index < 0 ? end : index + delimiter.length;
  }
}
