// Chooses the rendering: by the `format` of the URL, else by the Accept header with its q-values, else JSON. The page
// that `?format=api` names is for clients that accept a page.

import { type Accept, parseAccept } from 'hono/utils/accept';
import { NotFound } from '../../common/src/errors.ts';
import { NotAcceptable } from './error-responses.ts';
import { isListFormat, type ListFormatName, listFormats } from './list-formats.ts';

/** JSON, a page with the JSON, or a page with a table of the records. */
export const formats = ['json', 'api', 'table'] as const;
type Format = (typeof formats)[number] | ListFormatName;

export interface Rendering {
  readonly format: Format;
  /** Spaces for indenting JSON, as requested by `Accept: application/json; indent=4`. */
  readonly indent: number;
  /** Errors are sent as problem details (RFC 9457). */
  readonly usesProblemDetails: boolean;
  /** The name of the media type that the client prefers, of those that the operation produces. */
  readonly produced?: string;
  /** Instead of `application/json`. */
  readonly jsonMediaType?: string;
}

/** With equal q-values, the first one wins. */
const mediaTypes = { json: 'application/json', api: 'text/html' } as const;
export const problemMediaType = 'application/problem+json';

export const plainJson: Rendering = { format: 'json', indent: 0, usesProblemDetails: false };

/** What an operation can respond with besides JSON and a page. */
interface Renderings {
  readonly produces?: Readonly<Record<string, string>>;
  /** Undefined if it is no list. */
  readonly list?: ((...values: never) => unknown) | undefined;
  readonly jsonMediaType?: string;
}

/** The operation may respond with another media type than JSON or a page, or with a whole list; errors are JSON then. */
export function negotiate(
  accept: string | null,
  requested: string | undefined,
  { produces, list, jsonMediaType }: Renderings = {},
): Rendering {
  if (requested === undefined && (accept === null || accept === '*/*')) return plainJson;
  // Names of media types and of their parameters have no case.
  const ranges = parseAccept((accept ?? '').toLowerCase());
  const usesProblemDetails = ranges.some(({ type, q }) => type === problemMediaType && q > 0);
  const indent = ranges.find(({ type }) => type === mediaTypes.json)?.params.indent;
  const produced = produces && findProduced(produces, requested, ranges);
  const options = {
    indent: Math.min(8, Math.max(0, Number.parseInt(indent ?? '0', 10) || 0)),
    usesProblemDetails,
    ...(produced && { produced: produced.name }),
    ...(namesJson(ranges, jsonMediaType) && { jsonMediaType }),
  };
  if (produced && produced.name === requested) return { format: 'json', ...options };
  const listFormat = list && isListFormat(requested) ? requested : undefined;
  const format = listFormat ?? formats.find((known) => known === requested);
  if (format === undefined && requested !== undefined) throw new NotFound();
  if (format === 'json' || isListFormat(format)) return { format, ...options };
  if (accept === null || accept.trim() === '') return { format: format ?? 'json', ...options };
  // With only problem details in Accept, successful responses are JSON.
  const json = Math.max(
    findQuality(mediaTypes.json, ranges),
    usesProblemDetails ? findQuality(problemMediaType, ranges) : 0,
    produced?.quality ?? 0,
    jsonMediaType === undefined ? 0 : findQuality(jsonMediaType, ranges),
  );
  const html = findQuality(mediaTypes.api, ranges);
  // The `url` of a record has `?format=api`: a program that accepts no page gets JSON there.
  if (format !== undefined) return { format: json > 0 && html === 0 ? 'json' : format, ...options };
  const preferred = list && findPreferredList(ranges, Math.max(json, html));
  if (preferred) return { format: preferred, ...options };
  if (json === 0 && html === 0) throw new NotAcceptable();
  return { format: html > json ? 'api' : 'json', ...options };
}

/** The other name of JSON is for clients that name it, and do not prefer `application/json`. */
function namesJson(ranges: readonly Accept[], jsonMediaType: string | undefined): boolean {
  const quality = (name: string | undefined) => ranges.find(({ type }) => type === name)?.q ?? 0;
  return quality(jsonMediaType) > 0 && quality(jsonMediaType) >= quality(mediaTypes.json);
}

/** Whole lists are for clients that name them and prefer them to everything else. */
function findPreferredList(ranges: readonly Accept[], otherQuality: number): ListFormatName | undefined {
  let best: ListFormatName | undefined;
  let bestQuality = otherQuality;
  for (const { type, q } of ranges) {
    const name = Object.keys(listFormats)
      .filter(isListFormat)
      .find((known) => listFormats[known].mediaType === type);
    if (name && q > bestQuality) [best, bestQuality] = [name, q];
  }
  return best;
}

/** The one that was requested by its name, or else the one that the client prefers. */
function findProduced(
  produces: Readonly<Record<string, string>>,
  requested: string | undefined,
  ranges: readonly Accept[],
): { readonly name: string; readonly quality: number } | undefined {
  const all = Object.entries(produces).map(([name, type]) => ({ name, quality: findQuality(type, ranges) }));
  return (
    all.find(({ name }) => name === requested) ?? all.toSorted((one, other) => other.quality - one.quality)[0]
  );
}

/** Everything else is sent to programs. */
export const isPage = ({ format }: Rendering): boolean => format === 'api' || format === 'table';

/** JSON without spaces. */
export const isCompactJson = ({ format, indent }: Rendering): boolean => format === 'json' && indent === 0;

/** The q-value of the most specific matching range. */
function findQuality(mediaType: string, ranges: readonly Accept[]): number {
  const [family] = mediaType.split('/');
  for (const pattern of [mediaType, `${family}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === pattern);
    if (range) return range.q;
  }
  return 0;
}
