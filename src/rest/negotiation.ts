// Which rendering a reader gets: the `format` of the address if there is one, else the Accept header with its
// q-values, JSON where nothing decides.

import { NotFound } from '../errors.ts';
import { NotAcceptable } from './exceptions.ts';

export interface Rendering {
  readonly format: 'json' | 'api';
  /** Spaces to indent JSON by, if the reader asked for it. */
  readonly indent: number;
  /** Errors as RFC 9457 has them. */
  readonly problems: boolean;
}

/** In the order in which they are taken when a reader likes them equally. */
const mediaTypes = { json: 'application/json', api: 'text/html' } as const;
const problem = 'application/problem+json';

interface Range {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

export const plainJson: Rendering = { format: 'json', indent: 0, problems: false };

export function negotiate(accept: string | null, format: string | undefined): Rendering {
  if (format === undefined && (accept === null || accept === '*/*')) return plainJson;
  const ranges = parse(accept ?? '');
  const problems = ranges.some(({ type, quality }) => type === problem && quality > 0);
  const indent = ranges.find(({ type }) => type === mediaTypes.json)?.parameters.get('indent');
  const details = { indent: Math.min(8, Math.max(0, Number.parseInt(indent ?? '0', 10) || 0)), problems };
  if (format !== undefined) {
    if (format === 'json' || format === 'api') return { format, ...details };
    throw new NotFound();
  }
  if (accept === null || accept.trim() === '') return { format: 'json', ...details };
  // Who asks for problems only gets successes as JSON.
  const json = Math.max(
    qualityOf(mediaTypes.json, ranges),
    problems ? (ranges.find(({ type }) => type === problem)?.quality ?? 0) : 0,
  );
  const html = qualityOf(mediaTypes.api, ranges);
  if (json === 0 && html === 0) throw new NotAcceptable();
  return { format: html > json ? 'api' : 'json', ...details };
}

function parse(accept: string): Range[] {
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
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [family] = mediaType.split('/');
  for (const wanted of [mediaType, `${family}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === wanted);
    if (range) return range.quality;
  }
  return 0;
}
