// Multipart forms: their boundary, their parts, and a hash that does not depend on the boundary.

import type { Hash } from 'node:crypto';
import { apiText } from '../../common/src/api-text.ts';
import { nextEventLoopTurn, slices } from '../../common/src/event-loop.ts';
import { maxFormFields, tooManyFields } from './body-bounds.ts';
import { BadRequest } from './error-responses.ts';
import type { StoredBody } from './read-body.ts';
import { StoredFile } from './stored-file.ts';

/** RFC 2046 allows 70 characters. */
const boundaryPattern =
  /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s";,]{1,70})(?=[\s;,]|$))/i;

const bytesPerRead = 1024 * 1024;
/** The longest header and text field of a form that is stored, as they are read into memory. */
const storedLimits = { maxHeaderBytes: 8000, maxTextBytes: 64_000 };
/** In memory; a file name of megabytes is shortened later. */
const maxHeaderBytes = 2_500_000;

const lineEnd = '\r\n';
const broken = () => new BadRequest(apiText('brokenMultipart'));

function findDelimiter(contentType: string | null): string | undefined {
  const [, quoted, plain] = boundaryPattern.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? undefined : `--${boundary}`;
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  Buffer.from(buffer, byteOffset, length);

/** A body in which a form is searched: in memory, or stored. */
interface FormBody {
  readonly size: number;
  readonly maxHeaderBytes: number;
  readonly maxTextBytes: number;
  read(start: number, end: number): Buffer | Promise<Buffer>;
  toFile(name: string, start: number, end: number): File | StoredFile;
}

type FormField = [name: string, value: string | File | StoredFile];

/** The fields by name. */
export function parseMultipart(contentType: string, bytes: Uint8Array<ArrayBuffer>) {
  const body = toBuffer(bytes);
  return parseForm(contentType, {
    size: body.length,
    maxHeaderBytes,
    maxTextBytes: body.length,
    read: (start, end) => body.subarray(start, end),
    // Bun takes 80 times as long to make a file of bytes as one of a blob.
    toFile: (name, start, end) => new File([new Blob([body.subarray(start, end)])], name),
  });
}

/** The same for a form with files that are too large for the memory: they stay where they are stored. */
export const parseStoredMultipart = (contentType: string, body: StoredBody) =>
  parseForm(contentType, {
    size: body.size,
    ...storedLimits,
    read: (start, end) => body.read(start, end),
    toFile: (name, start, end) =>
      new StoredFile(name, end - start, (from, to) => body.read(start + from, Math.min(start + to, end))),
  });

async function parseForm(contentType: string, body: FormBody): Promise<FormField[]> {
  const delimiter = findDelimiter(contentType);
  if (delimiter === undefined) throw broken();
  const positions = await findDelimiters(body, delimiter);
  const fields: FormField[] = [];
  for (const [index, position] of positions.slice(0, -1).entries())
    fields.push(
      await parsePart(body, position + delimiter.length + lineEnd.length, positions[index + 1] ?? 0),
    );
  return fields;
}

/** The positions of the lines before each part, and of the line after the last one. */
async function findDelimiters(body: FormBody, delimiter: string): Promise<number[]> {
  const positions: number[] = [];
  const { length } = delimiter;
  let found = 0;
  let isClosed = false;
  for (let start = 0; start < body.size; start += bytesPerRead) {
    // Pieces overlap, so that a delimiter between them is found with what stands around it.
    const first = Math.max(0, start - lineEnd.length);
    const bytes = await body.read(first, Math.min(body.size, start + bytesPerRead + length + 1));
    for (
      let at = bytes.indexOf(delimiter, start - first, 'latin1');
      at >= 0 && first + at < start + bytesPerRead;
      at = bytes.indexOf(delimiter, at + length, 'latin1')
    ) {
      if (++found > maxFormFields + 1) throw tooManyFields('Multipart form');
      if (isClosed || (first + at > 0 && bytes.toString('latin1', at - lineEnd.length, at) !== lineEnd))
        continue;
      const ending = bytes.toString('latin1', at + length, at + length + 2);
      if (ending === lineEnd || ending === '--') positions.push(first + at);
      isClosed = ending === '--';
    }
    if (start + bytesPerRead < body.size) await nextEventLoopTurn();
  }
  if (!isClosed) throw broken();
  return positions;
}

/** `end` is where the next delimiter begins, after a line end. */
async function parsePart(body: FormBody, start: number, end: number): Promise<FormField> {
  const beginning = await body.read(start, Math.min(end, start + body.maxHeaderBytes));
  const headerLength = beginning.indexOf(lineEnd + lineEnd);
  if (headerLength < 0) throw broken();
  const header = beginning.toString('utf8', 0, headerLength);
  const { name, filename } = readParameters(header);
  if (name === undefined) throw broken();
  const contentStart = start + headerLength + 2 * lineEnd.length;
  const contentEnd = Math.max(contentStart, end - lineEnd.length);
  if (filename !== undefined) return [name, body.toFile(filename, contentStart, contentEnd)];
  if (contentEnd - contentStart > body.maxTextBytes) throw broken();
  return [name, (await body.read(contentStart, contentEnd)).toString('utf8')];
}

/** A part has a name and a file name, and seldom a third parameter. */
const maxParameters = 10;

/** Of the Content-Disposition of a part. Values may be megabytes, too long for a regular expression with choices. */
function readParameters(header: string): Readonly<Record<string, string | undefined>> {
  const [line = ''] = /^content-disposition:[^\r\n]*/im.exec(header) ?? [];
  const found: [string, string][] = [];
  for (let at = line.indexOf(';'); at >= 0 && found.length < maxParameters; ) {
    const equals = line.indexOf('=', at);
    if (equals < 0) break;
    const name = line
      .slice(at + 1, equals)
      .trim()
      .toLowerCase();
    const isQuoted = line[equals + 1] === '"';
    const start = equals + (isQuoted ? 2 : 1);
    const end = isQuoted ? findQuote(line, start) : findSemicolon(line, start);
    found.push([name, isQuoted ? line.slice(start, end) : line.slice(start, end).trim()]);
    at = line.indexOf(';', end);
  }
  return Object.fromEntries(found);
}

function findSemicolon(line: string, start: number): number {
  const end = line.indexOf(';', start);
  return end < 0 ? line.length : end;
}

/** The quotation mark that ends a value: one after a backslash belongs to it. */
function findQuote(line: string, start: number): number {
  let end = line.indexOf('"', start);
  while (end > start && line[end - 1] === '\\') end = line.indexOf('"', end + 1);
  return end < 0 ? line.length : end;
}

/** Hashes the body without a multipart form's boundary, which clients choose at random each time. */
export async function hashBody(
  hash: Hash,
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
