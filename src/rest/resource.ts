// An endpoint, described once, as data. The view serves it, OPTIONS and the OpenAPI document tell of it, the
// browsable page shows it: all from the same description. `Caller` is whoever the api room says makes requests.

import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import type { Fields, Lookup } from '../fields.ts';
import type { ParsedBody } from './parsers.ts';
import type { SiteFiles } from './site.ts';

export interface Parameter {
  readonly description: string;
  readonly schema: z.ZodType<unknown, string>;
  /** An empty value says something; elsewhere it is as good as none. */
  readonly acceptsEmpty?: boolean;
  readonly lookup?: Lookup;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export interface ParameterValue {
  readonly text: string;
  readonly value: unknown;
}

export interface OperationContext<Viewer> {
  readonly request: Request;
  readonly viewer: Viewer;
  /** Scheme and host, on which every address in the answer is. */
  readonly origin: string;
  /** The address that limits are counted by. */
  readonly clientAddress: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stood in the path, as text. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The parameters that were given, read. */
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** Nothing is to be dropped in silence. */
  readonly strict: boolean;
  /** What was sent, where the operation takes something. */
  readonly body: ParsedBody;
}

export interface OperationResult {
  /** Not there for a 204. */
  readonly data?: unknown;
  readonly status?: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Microseconds. */
  readonly lastModified?: number;
  /** Another number for each state of what is answered: what `If-Match` is held against. */
  readonly version?: number;
  /** The one thing that is told of: while that does not change, the answer stays the same. */
  readonly subjectId?: number;
  /** A body that is no JSON: it is sent as it is. */
  readonly text?: { readonly type: string; readonly body: string };
  /** The same, made while it is sent; it has no ETag. */
  readonly stream?: { readonly type: string; readonly body: () => ReadableStream };
}

export interface Operation<Viewer> {
  readonly summary: string;
  readonly parameters?: Parameters;
  /** The headers that change what it does; read by whoever does it. */
  readonly headers?: Parameters;
  /** What may be sent. None: a body is not looked at. */
  readonly fields?: Fields;
  /** A form in parts brings files: who may do this may send more than others. */
  readonly acceptsFiles?: boolean;
  /** Nobody is asked who they are, so that a key or a session of old is in nobody's way. */
  readonly ignoresCredentials?: boolean;
  /** Throws what keeps this caller from it, whatever it is done to. */
  checkPermission(viewer: Viewer): void;
  /** Throws what keeps this caller from doing it to what the call names; OPTIONS asks before it offers it. */
  checkObjectPermission?(call: OperationContext<Viewer>): Promise<void>;
  /** The status of a success; 200 unless said. */
  readonly status?: 200 | 201 | 204;
  /** The body of a success, by the `id` in its metadata. */
  readonly responseSchema?: z.ZodType;
  handle(call: OperationContext<Viewer>): Promise<OperationResult>;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export interface Resource<Viewer> {
  /** As in `/api/v1/projects/:id/`. */
  readonly path: string;
  readonly pathParameters?: Parameters;
  readonly name: string;
  readonly description: string;
  readonly operations: Readonly<Partial<Record<Method, Operation<Viewer>>>>;
  /** What a browser is shown of it in place of request and answer. */
  renderPage?(files: SiteFiles): Child;
}

export function buildAllowHeader(resource: Resource<never>): string {
  const declared = methods.filter((method) => resource.operations[method]);
  return [...declared, ...(resource.operations.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
