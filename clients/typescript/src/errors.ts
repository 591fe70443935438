/** Sentences about wrong values, by member or parameter. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface Details {
  readonly status: number;
  readonly detail: string;
  readonly fields?: FieldErrors;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The gallery did not do what it was asked for. */
export class GalleryError extends Error {
  override readonly name: string = 'GalleryError';
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  /** A sentence for people. */
  readonly detail: string;
  readonly fields: FieldErrors;
  /** The log of the gallery has it, too. */
  readonly requestId: string | undefined;
  /** The number of seconds after which the request may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ status, detail, fields = {}, requestId, retryAfter }: Details, options?: ErrorOptions) {
    super(detail, options);
    this.status = status;
    this.detail = detail;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** 412: the record has changed since it was read. Nothing was written. */
export class Conflict extends GalleryError {
  override readonly name = 'Conflict';
}

/** 410: the gallery was restored from an older backup, or the changes are in its archive: start again. */
export class Gone extends GalleryError {
  override readonly name = 'Gone';
}

/** No response, or only a part of one. The request may have been carried out. */
export class ConnectionLost extends GalleryError {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super({ status: 0, detail: 'The connection to the gallery was lost.' }, { cause });
  }
}

/** The error of a response that is not 2xx. */
export function createError(status: number, headers: Headers, body: string): GalleryError {
  const { detail, fields } = readBody(body);
  const details: Details = {
    status,
    detail: detail ?? describeFields(fields) ?? `The gallery answered with ${status}.`,
    fields,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(headers),
  };
  if (status === 410) return new Gone(details);
  return status === 412 ? new Conflict(details) : new GalleryError(details);
}

/** `{"detail": "…"}` or `{"member": ["…"]}`. A proxy sends anything. */
function readBody(body: string): { detail?: string; fields: FieldErrors } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { fields: {} };
  }
  const entries = Object.entries(parsed ?? {});
  const fields = entries.filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((text) => typeof text === 'string'),
  );
  const detail: unknown = entries.find(([name]) => name === 'detail')?.[1];
  return { fields: Object.fromEntries(fields), ...(typeof detail === 'string' && { detail }) };
}

function describeFields(fields: FieldErrors): string | undefined {
  const sentences = Object.entries(fields).map(([name, texts]) =>
    (name === 'non_field_errors' ? texts : [`${name}:`, ...texts]).join(' '),
  );
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** Seconds, or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
