// An endpoint, described once, as data. The view serves it, OPTIONS and the OpenAPI document tell of it, the
// browsable page shows it: all from the same description. `Caller` is whoever the api room says makes requests.

import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import type { Fields, LookUp } from '../fields.ts';
import type { Body } from './parsers.ts';
import type { SiteFiles } from './site.ts';

export interface Parameter {
  readonly description: string;
  readonly schema: z.ZodType<unknown, string>;
  /** An empty value says something; elsewhere it is as good as none. */
  readonly emptyCounts?: boolean;
  readonly lookUp?: LookUp;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export interface Given {
  readonly text: string;
  readonly value: unknown;
}

export interface Call<Caller> {
  readonly request: Request;
  readonly viewer: Caller;
  /** Scheme and host, on which every address in the answer is. */
  readonly base: string;
  /** The address that limits are counted by. */
  readonly client: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stood in the path, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters that were given, read. */
  readonly given: ReadonlyMap<string, Given>;
  /** Nothing is to be dropped in silence. */
  readonly strict: boolean;
  /** What was sent, where the operation takes something. */
  readonly body: Body;
}

export interface Success {
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
  readonly about?: number;
  /** A body that is no JSON: it is sent as it is. */
  readonly text?: { readonly type: string; readonly body: string };
  /** The same, made while it is sent; it has no ETag. */
  readonly stream?: { readonly type: string; readonly body: () => ReadableStream };
}

export interface Operation<Caller> {
  readonly summary: string;
  readonly parameters?: Parameters;
  /** The headers that change what it does; read by whoever does it. */
  readonly headers?: Parameters;
  /** What may be sent. None: a body is not looked at. */
  readonly fields?: Fields;
  /** A form in parts brings files: who may do this may send more than others. */
  readonly takesFiles?: boolean;
  /** Nobody is asked who they are, so that a key or a session of old is in nobody's way. */
  readonly asStranger?: boolean;
  /** Throws what keeps this caller from it, whatever it is done to. */
  permission(viewer: Caller): void;
  /** Throws what keeps this caller from doing it to what the call names; OPTIONS asks before it offers it. */
  allowed?(call: Call<Caller>): Promise<void>;
  /** The status of a success; 200 unless said. */
  readonly status?: 200 | 201 | 204;
  /** The body of a success, by the `id` in its metadata. */
  readonly answer?: z.ZodType;
  handle(call: Call<Caller>): Promise<Success>;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export interface Resource<Caller> {
  /** As in `/api/v1/projects/:id/`. */
  readonly path: string;
  readonly pathParameters?: Parameters;
  readonly name: string;
  readonly description: string;
  readonly operations: Readonly<Partial<Record<Method, Operation<Caller>>>>;
  /** What a browser is shown of it in place of request and answer. */
  page?(files: SiteFiles): Child;
}

export function allowOf(resource: Resource<never>): string {
  const declared = methods.filter((method) => resource.operations[method]);
  return [...declared, ...(resource.operations.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
