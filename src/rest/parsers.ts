// Reads a body: JSON, a form, or a form in parts. What it holds is looked at by whoever asked for it.

import { Failure, Invalid } from '../errors.ts';
import { BadRequest, TooLarge, UnsupportedMediaType } from './exceptions.ts';

/** More than the longest text in JSON that escapes every character. */
export const largestBody = 2 * 1024 * 1024;

export interface Body {
  readonly data: Readonly<Record<string, unknown>>;
  /** As it came, to be told from another. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What a form brings against forgery: see csrf.ts. */
  readonly formToken?: string;
  /** What a form of the browsable page means instead of POST: a browser's forms know no other method. */
  readonly formMethod?: string;
}

export const noBody: Body = { data: {}, bytes: new Uint8Array() };

export const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** What a body may be, where it is not read as a whole without more ado. */
export interface Bounds {
  readonly most: number;
  /** Milliseconds that it may take to come in. */
  readonly patience: number;
}

export async function parseBody(request: Request, bounds?: Bounds): Promise<Body> {
  const most = bounds?.most ?? largestBody;
  if (Number(request.headers.get('Content-Length') ?? 0) > most) throw new TooLarge(most);
  const bytes = await bytesOf(request, most, bounds?.patience);
  if (bytes.length === 0) return noBody;
  const header = request.headers.get('Content-Type') ?? '';
  const type = typeIn(header);
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type))
    return { data: jsonOf(bytes), bytes };
  if (type === 'application/x-www-form-urlencoded')
    return fromForm(new URLSearchParams(textOf(bytes, 'Form')), bytes);
  if (type === 'multipart/form-data') return fromForm(await parts(header, bytes), bytes);
  throw new UnsupportedMediaType(header.slice(0, 100));
}

export const isMultipart = (headers: Headers) =>
  typeIn(headers.get('Content-Type') ?? '') === 'multipart/form-data';

const typeIn = (header: string) => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function isForm(headers: Headers): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(
    typeIn(headers.get('Content-Type') ?? ''),
  );
}

/** As Django's forms call it. */
export const tokenField = 'csrfmiddlewaretoken';
/** As Django REST framework's browsable pages once called them. */
export const methodField = '_method';
export const contentField = '_content';

function fromForm(pairs: Iterable<[string, unknown]>, bytes: Uint8Array<ArrayBuffer>): Body {
  const { [tokenField]: token, [methodField]: method, [contentField]: content, ...data } = fromPairs(pairs);
  return {
    data: typeof content === 'string' ? jsonOf(new TextEncoder().encode(content)) : data,
    bytes,
    ...(typeof token === 'string' && { formToken: token }),
    ...(typeof method === 'string' && /^(PUT|PATCH|DELETE|OPTIONS)$/.test(method) && { formMethod: method }),
  };
}

/** No more of it is read than there is room and time for, also where it does not say how long it is. */
async function bytesOf(request: Request, most: number, patience?: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  try {
    if (patience === undefined && request.headers.has('Content-Length'))
      return new Uint8Array(await request.arrayBuffer());
    const until = performance.now() + (patience ?? Number.POSITIVE_INFINITY);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > most) throw new TooLarge(most);
      if (performance.now() > until) throw new BadRequest('The body came too slowly.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest('The body ended too early.');
  }
}

/** Tells a body from another. The line between a form's parts is chosen anew each time: it does not count. */
export function addBody(hash: Bun.CryptoHasher, { bytes }: Body, contentType: string | null): void {
  const boundary = /^multipart\/form-data\s*;.*?boundary="?([^";]+)/i.exec(contentType ?? '')?.[1];
  if (boundary === undefined) {
    hash.update(bytes);
    return;
  }
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let from = 0; from < whole.length; ) {
    const found = whole.indexOf(boundary, from, 'latin1');
    const end = found < 0 ? whole.length : found;
    hash.update(whole.subarray(from, end)).update('\n');
    from = end + boundary.length;
  }
}

function jsonOf(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  let data: unknown;
  try {
    data = JSON.parse(textOf(bytes, 'JSON'));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new BadRequest(`JSON parse error - ${(error as Error).message.replace(/^JSON Parse error: /, '')}`);
  }
  if (isDeeper(data, deepest)) throw new BadRequest('JSON parse error - it is nested too deeply.');
  if (typeof data === 'object' && data !== null && !Array.isArray(data))
    return data as Record<string, unknown>;
  const kind = data === null ? 'null' : Array.isArray(data) ? 'list' : typeof data;
  throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${kind}.`] });
}

/** What is written out again where it was typed must not be deeper than what writes it can follow. */
const deepest = 100;

function isDeeper(data: unknown, levels: number): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return levels === 0 || Object.values(data).some((each) => isDeeper(each, levels - 1));
}

function textOf(bytes: Uint8Array<ArrayBuffer>, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest(`${what} parse error - the body is not UTF-8.`);
  }
}

async function parts(header: string, bytes: Uint8Array<ArrayBuffer>): Promise<Iterable<[string, unknown]>> {
  const form = await new Response(bytes, { headers: { 'Content-Type': header } })
    .formData()
    .catch(() => undefined);
  const found = [...(form ?? [])];
  // Bun finds nothing in what it cannot part; a form without a field is its last line alone.
  if (!form || (found.length === 0 && !/^--\S+--\s*$/.test(new TextDecoder().decode(bytes))))
    throw new BadRequest('Multipart form parse error - the parts cannot be told from each other.');
  return found;
}

/** A name that is given several times stands for a list. */
function fromPairs(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (const [name, given] of pairs) {
    const earlier = data[name];
    // Browsers end lines as letters on paper did.
    const value = typeof given === 'string' ? given.replaceAll('\r\n', '\n') : given;
    if (Array.isArray(earlier)) earlier.push(value);
    else data[name] = earlier === undefined ? value : [earlier, value];
  }
  return data;
}
