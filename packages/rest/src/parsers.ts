// Parses request bodies: JSON, URL-encoded forms and multipart forms. The members are validated elsewhere.

import { errorMessage, Failure, Invalid } from '../../common/src/errors.ts';
import { findExcess, isJsonObject } from '../../common/src/json.ts';
import { checkFormSize } from './body-bounds.ts';
import { BadRequest, TooLarge, UnsupportedMediaType } from './error-responses.ts';
import { parseMultipart, parseStoredMultipart } from './multipart.ts';
import { type BodyLimits, readBody, storeBody } from './read-body.ts';

/** Enough for the longest text in JSON with every character escaped. */
export const maxBodyBytes = 2 * 1024 * 1024;
/** For senders who are not signed in: signing in and signing up are all that they can do. */
export const maxAnonymousBodyBytes = 64 * 1024;

export interface ParsedBody {
  readonly data: Readonly<Record<string, unknown>>;
  /** The body as sent: see `hashBody` in multipart.ts. */
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

export async function parseBody(request: Request, limits: BodyLimits): Promise<ParsedBody> {
  const { maxBytes } = limits;
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw new TooLarge(maxBytes);
  const contentType = request.headers.get('Content-Type') ?? '';
  if (limits.upload?.keep) {
    const body = await storeBody(request, limits);
    limits.upload.keep(body);
    return toFormBody(await parseStoredMultipart(contentType, body), emptyBody.bytes);
  }
  const bytes = await readBody(request, limits);
  if (bytes.length === 0) return emptyBody;
  const mediaType = parseMediaType(contentType);
  if (mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType))
    return { data: parseJson(bytes), bytes };
  if (mediaType === 'application/x-www-form-urlencoded') {
    checkFormSize(bytes);
    return toFormBody(new URLSearchParams(decodeUtf8(bytes, 'Form')), bytes);
  }
  if (mediaType === 'multipart/form-data') return toFormBody(await parseMultipart(contentType, bytes), bytes);
  throw new UnsupportedMediaType(contentType.slice(0, 100));
}

export const isMultipart = (headers: Headers) =>
  parseMediaType(headers.get('Content-Type') ?? '') === 'multipart/form-data';

const parseMediaType = (header: string) => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const isForm = (headers: Headers): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(
    parseMediaType(headers.get('Content-Type') ?? ''),
  );

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

function parseJson(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  const excess = findExcess(bytes);
  if (excess) throw new BadRequest(`JSON parse error - ${excess}`);
  let data: unknown;
  try {
    data = JSON.parse(decodeUtf8(bytes, 'JSON'));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest(`JSON parse error - ${errorMessage(error).replace(/^JSON Parse error: /, '')}`);
  }
  if (isJsonObject(data)) return data;
  const kind = data === null ? 'null' : Array.isArray(data) ? 'list' : typeof data;
  throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${kind}.`] });
}

function decodeUtf8(bytes: Uint8Array<ArrayBuffer>, format: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest(`${format} parse error - the body is not UTF-8.`);
  }
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
