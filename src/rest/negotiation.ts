// Chooses the rendering: by the `format` of the URL, else by the Accept header with its q-values, else JSON. The page
// that `?format=api` names is for clients that accept a page.

import { type Accept, parseAccept } from 'hono/utils/accept';
import { NotFound } from '../errors.ts';
import { NotAcceptable } from './exceptions.ts';

/** JSON, a page with the JSON, or a page with a table of the records. */
export const formats = ['json', 'api', 'table'] as const;
type Format = (typeof formats)[number];

export interface Rendering {
  readonly format: Format;
  /** Spaces for indenting JSON, as requested by `Accept: application/json; indent=4`. */
  readonly indent: number;
  /** Errors are sent as problem details (RFC 9457). */
  readonly usesProblemDetails: boolean;
}

/** With equal q-values, the first one wins. */
const mediaTypes = { json: 'application/json', api: 'text/html' } as const;
export const problemMediaType = 'application/problem+json';

export const plainJson: Rendering = { format: 'json', indent: 0, usesProblemDetails: false };

/** `produced` is the media type of an operation that responds with neither JSON nor a page; its errors are JSON. */
export function negotiate(
  accept: string | null,
  requested: string | undefined,
  produced: string | undefined,
): Rendering {
  if (requested === undefined && (accept === null || accept === '*/*')) return plainJson;
  // Names of media types and of their parameters have no case.
  const ranges = parseAccept((accept ?? '').toLowerCase());
  const usesProblemDetails = ranges.some(({ type, q }) => type === problemMediaType && q > 0);
  const indent = ranges.find(({ type }) => type === mediaTypes.json)?.params.indent;
  const options = {
    indent: Math.min(8, Math.max(0, Number.parseInt(indent ?? '0', 10) || 0)),
    usesProblemDetails,
  };
  const format = formats.find((known) => known === requested);
  if (format === undefined && requested !== undefined) throw new NotFound();
  if (format === 'json') return { format, ...options };
  if (accept === null || accept.trim() === '') return { format: format ?? 'json', ...options };
  // With only problem details in Accept, successful responses are JSON.
  const json = Math.max(
    findQuality(mediaTypes.json, ranges),
    usesProblemDetails ? findQuality(problemMediaType, ranges) : 0,
    produced === undefined ? 0 : findQuality(produced, ranges),
  );
  const html = findQuality(mediaTypes.api, ranges);
  // The `url` of a record has `?format=api`: a program that accepts no page gets JSON there.
  if (format !== undefined) return { format: json > 0 && html === 0 ? 'json' : format, ...options };
  if (json === 0 && html === 0) throw new NotAcceptable();
  return { format: html > json ? 'api' : 'json', ...options };
}

/** The q-value of the most specific matching range. */
function findQuality(mediaType: string, ranges: readonly Accept[]): number {
  const [family] = mediaType.split('/');
  for (const pattern of [mediaType, `${family}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === pattern);
    if (range) return range.q;
  }
  return 0;
}
