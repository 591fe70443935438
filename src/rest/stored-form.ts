// A multipart form with a file that is too large for the memory: it is parsed where it is stored.

import { apiText } from '../common/api-text.ts';
import { nextEventLoopTurn } from '../common/event-loop.ts';
import { StoredFile } from '../common/stored-file.ts';
import { BadRequest } from './exceptions.ts';
import { findDelimiter } from './multipart.ts';
import type { StoredBody } from './read-body.ts';

const bytesPerRead = 1024 * 1024;
const maxParts = 20;
const maxHeaderBytes = 8000;
const maxTextBytes = 64_000;

const broken = () => new BadRequest(apiText('brokenMultipart'));

/** The fields by name. Those with a file name are stored files. */
export async function parseStoredForm(contentType: string, body: StoredBody): Promise<[string, unknown][]> {
  const delimiter = findDelimiter(contentType);
  if (delimiter === undefined) throw broken();
  const positions = await findAll(body, delimiter);
  const last = positions.at(-1) ?? 0;
  const ending = (await body.read(last, Math.min(body.size, last + delimiter.length + 2))).toString('latin1');
  if (positions[0] !== 0 || ending !== `${delimiter}--`) throw broken();
  const fields: [string, unknown][] = [];
  for (const [index, position] of positions.slice(0, -1).entries()) {
    // A line end stands before each delimiter and after it.
    const [start, end] = [position + delimiter.length + 2, (positions[index + 1] ?? 0) - 2];
    fields.push(await parsePart(body, start, end));
  }
  return fields;
}

async function findAll(body: StoredBody, delimiter: string): Promise<number[]> {
  const positions: number[] = [];
  // Parts overlap, so that a delimiter on a boundary is found.
  for (let start = 0; start < body.size; start += bytesPerRead) {
    const bytes = await body.read(start, Math.min(body.size, start + bytesPerRead + delimiter.length - 1));
    for (
      let at = bytes.indexOf(delimiter, 0, 'latin1');
      at >= 0;
      at = bytes.indexOf(delimiter, at + 1, 'latin1')
    ) {
      positions.push(start + at);
      if (positions.length > maxParts) throw broken();
    }
    await nextEventLoopTurn();
  }
  return positions;
}

async function parsePart(body: StoredBody, start: number, end: number): Promise<[string, unknown]> {
  const beginning = await body.read(start, Math.max(start, Math.min(end, start + maxHeaderBytes)));
  const headerLength = beginning.indexOf('\r\n\r\n');
  if (headerLength < 0) throw broken();
  const header = beginning.toString('utf8', 0, headerLength);
  const [, name] = /^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"/im.exec(header) ?? [];
  const [, fileName] = /^content-disposition:[^\r\n]*;\s*filename="([^"\r\n]*)"/im.exec(header) ?? [];
  if (name === undefined) throw broken();
  const contentStart = start + headerLength + 4;
  const length = Math.max(0, end - contentStart);
  if (fileName !== undefined) {
    const read = (from: number, to: number) =>
      body.read(contentStart + from, contentStart + Math.min(to, length));
    return [name, new StoredFile(fileName, length, read)];
  }
  if (length > maxTextBytes) throw broken();
  return [name, (await body.read(contentStart, contentStart + length)).toString('utf8')];
}
