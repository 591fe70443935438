// Which rendering a reader gets: the `format` of the address if there is one, else the Accept header with its
// q-values, JSON where nothing decides.

import { NotFound } from '../errors.ts';
import { NotAcceptable } from './exceptions.ts';

export interface Rendering {
  readonly format: 'json' | 'api';
  /** Spaces to indent JSON by, if the reader asked for it. */
  readonly indent: number;
  /** Errors as RFC 9457 has them. */
  readonly usesProblemDetails: boolean;
}

/** In the order in which they are taken when a reader likes them equally. */
const mediaTypes = { json: 'application/json', api: 'text/html' } as const;
const problemMediaType = 'application/problem+json';

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

export const plainJson: Rendering = { format: 'json', indent: 0, usesProblemDetails: false };

export function negotiate(accept: string | null, format: string | undefined): Rendering {
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
  // Who asks for problems only gets successes as JSON.
  const json = Math.max(
    findQuality(mediaTypes.json, ranges),
    usesProblemDetails ? (ranges.find(({ type }) => type === problemMediaType)?.quality ?? 0) : 0,
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

/** What the most specific range that fits says. */
function findQuality(mediaType: string, ranges: readonly MediaRange[]): number {
  const [family] = mediaType.split('/');
  for (const pattern of [mediaType, `${family}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === pattern);
    if (range) return range.quality;
  }
  return 0;
}
