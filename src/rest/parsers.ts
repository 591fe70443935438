// Parses request bodies: JSON, URL-encoded forms and multipart forms. The members are validated elsewhere.

import { errorMessage, Failure, Invalid } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import { BadRequest, TooLarge, UnsupportedMediaType } from './exceptions.ts';

/** Enough for the longest text in JSON with every character escaped. */
export const maxBodyBytes = 2 * 1024 * 1024;

export interface ParsedBody {
  readonly data: Readonly<Record<string, unknown>>;
  /** The body as sent: see `hashBody`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** See csrf.ts. */
  readonly csrfToken?: string;
  /** The method that a form of the browsable page asks for: HTML forms can only send GET and POST. */
  readonly formMethod?: string;
}

export const emptyBody: ParsedBody = { data: {}, bytes: new Uint8Array() };

export const parsedMediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

/** Limits for uploads; other bodies have `maxBodyBytes` and the timeout of the request. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** The time limit for receiving the body. */
  readonly timeoutMs: number;
}

export async function parseBody(request: Request, limits?: BodyLimits): Promise<ParsedBody> {
  const maxBytes = limits?.maxBytes ?? maxBodyBytes;
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw new TooLarge(maxBytes);
  const bytes = await readBytes(request, maxBytes, limits?.timeoutMs);
  if (bytes.length === 0) return emptyBody;
  const contentType = request.headers.get('Content-Type') ?? '';
  const mediaType = parseMediaType(contentType);
  if (mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType))
    return { data: parseJson(bytes), bytes };
  if (mediaType === 'application/x-www-form-urlencoded')
    return toFormBody(new URLSearchParams(decodeUtf8(bytes, 'Form')), bytes);
  if (mediaType === 'multipart/form-data') return toFormBody(await parseMultipart(contentType, bytes), bytes);
  throw new UnsupportedMediaType(contentType.slice(0, 100));
}

export const isMultipart = (headers: Headers) =>
  parseMediaType(headers.get('Content-Type') ?? '') === 'multipart/form-data';

const parseMediaType = (header: string) => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function isForm(headers: Headers): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(
    parseMediaType(headers.get('Content-Type') ?? ''),
  );
}

/** Named as in Django. */
export const csrfTokenField = 'csrfmiddlewaretoken';
/** Named as in early versions of Django REST framework. */
export const methodField = '_method';
export const contentField = '_content';

function toFormBody(pairs: Iterable<[string, unknown]>, bytes: Uint8Array<ArrayBuffer>): ParsedBody {
  const {
    [csrfTokenField]: token,
    [methodField]: method,
    [contentField]: content,
    ...data
  } = collectPairs(pairs);
  return {
    data: typeof content === 'string' ? parseJson(new TextEncoder().encode(content)) : data,
    bytes,
    ...(typeof token === 'string' && { csrfToken: token }),
    ...(typeof method === 'string' && /^(PUT|PATCH|DELETE|OPTIONS)$/.test(method) && { formMethod: method }),
  };
}

/** Stops reading at the limits, also if there is no Content-Length. */
async function readBytes(
  request: Request,
  maxBytes: number,
  timeoutMs?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  try {
    if (timeoutMs === undefined && request.headers.has('Content-Length'))
      return new Uint8Array(await request.arrayBuffer());
    const deadline = performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > maxBytes) throw new TooLarge(maxBytes);
      if (performance.now() > deadline) throw new BadRequest('The body came too slowly.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest('The body ended too early.');
  }
}

/** Hashes the body without a multipart form's boundary, which clients choose at random each time. */
export function hashBody(hash: Bun.CryptoHasher, { bytes }: ParsedBody, contentType: string | null): void {
  const boundary = /^multipart\/form-data\s*;.*?boundary="?([^";]+)/i.exec(contentType ?? '')?.[1];
  if (boundary === undefined) {
    hash.update(bytes);
    return;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = 0; start < buffer.length; ) {
    const index = buffer.indexOf(boundary, start, 'latin1');
    const end = index < 0 ? buffer.length : index;
    hash.update(buffer.subarray(start, end)).update('\n');
    start = end + boundary.length;
  }
}

function parseJson(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  let data: unknown;
  try {
    data = JSON.parse(decodeUtf8(bytes, 'JSON'));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest(`JSON parse error - ${errorMessage(error).replace(/^JSON Parse error: /, '')}`);
  }
  if (isDeeperThan(data, maxDepth)) throw new BadRequest('JSON parse error - it is nested too deeply.');
  if (isJsonObject(data)) return data;
  const kind = data === null ? 'null' : Array.isArray(data) ? 'list' : typeof data;
  throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${kind}.`] });
}

/** The browsable page shows JSON again, and JSON.stringify would overflow the stack on very deep data. */
const maxDepth = 100;

function isDeeperThan(data: unknown, depth: number): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return depth === 0 || Object.values(data).some((value) => isDeeperThan(value, depth - 1));
}

function decodeUtf8(bytes: Uint8Array<ArrayBuffer>, format: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest(`${format} parse error - the body is not UTF-8.`);
  }
}

async function parseMultipart(
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Iterable<[string, unknown]>> {
  const form = await new Response(bytes, { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => undefined);
  const entries = [...(form ?? [])];
  // Bun returns no entries for a malformed form; a valid form without fields is only its last line.
  if (!form || (entries.length === 0 && !/^--\S+--\s*$/.test(new TextDecoder().decode(bytes))))
    throw new BadRequest('Multipart form parse error - the parts cannot be told from each other.');
  return entries;
}

/** A name that occurs several times becomes a list. */
function collectPairs(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (const [name, text] of pairs) {
    const existing = data[name];
    // Browsers send CRLF line ends.
    const value = typeof text === 'string' ? text.replaceAll('\r\n', '\n') : text;
    if (Array.isArray(existing)) existing.push(value);
    else data[name] = existing === undefined ? value : [existing, value];
  }
  return data;
}
