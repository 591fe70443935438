// Chooses the rendering: by the `format` of the URL, else by the Accept header with its q-values, else JSON.

import { NotFound } from '../errors.ts';
import { NotAcceptable } from './exceptions.ts';

export interface Rendering {
  readonly format: 'json' | 'api';
  /** Spaces for indenting JSON, as requested by `Accept: application/json; indent=4`. */
  readonly indent: number;
  /** Errors are sent as problem details (RFC 9457). */
  readonly usesProblemDetails: boolean;
}

/** With equal q-values, the first one wins. */
const mediaTypes = { json: 'application/json', api: 'text/html' } as const;
const problemMediaType = 'application/problem+json';

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

export const plainJson: Rendering = { format: 'json', indent: 0, usesProblemDetails: false };

/** `produced` is the media type of an operation that responds with neither JSON nor a page; its errors are JSON. */
export function negotiate(
  accept: string | null,
  format: string | undefined,
  produced: string | undefined,
): Rendering {
  if (format === undefined && (accept === null || accept === '*/*')) return plainJson;
  const ranges = parseAccept(accept ?? '');
  const usesProblemDetails = ranges.some(({ type, quality }) => type === problemMediaType && quality > 0);
  const indent = ranges.find(({ type }) => type === mediaTypes.json)?.parameters.get('indent');
  const options = {
    indent: Math.min(8, Math.max(0, Number.parseInt(indent ?? '0', 10) || 0)),
    usesProblemDetails,
  };
  if (format !== undefined) {
    if (format === 'json' || format === 'api') return { format, ...options };
    throw new NotFound();
  }
  if (accept === null || accept.trim() === '') return { format: 'json', ...options };
  // With only problem details in Accept, successful responses are JSON.
  const json = Math.max(
    findQuality(mediaTypes.json, ranges),
    usesProblemDetails ? findQuality(problemMediaType, ranges) : 0,
    produced === undefined ? 0 : findQuality(produced, ranges),
  );
  const html = findQuality(mediaTypes.api, ranges);
  if (json === 0 && html === 0) throw new NotAcceptable();
  return { format: html > json ? 'api' : 'json', ...options };
}

function parseAccept(accept: string): MediaRange[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...rest] = part.split(';').map((word) => word.trim().toLowerCase());
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    const parameters = new Map(
      rest.map((word) => word.split('=', 2).map((side) => side.trim()) as [string, string]),
    );
    const quality = Number(parameters.get('q') ?? 1);
    return [{ type, quality: quality >= 0 && quality <= 1 ? quality : 1, parameters }];
  });
}

/** The q-value of the most specific matching range. */
function findQuality(mediaType: string, ranges: readonly MediaRange[]): number {
  const [family] = mediaType.split('/');
  for (const pattern of [mediaType, `${family}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === pattern);
    if (range) return range.quality;
  }
  return 0;
}
