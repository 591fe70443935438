// An endpoint, described once, as data. The view serves it, OPTIONS and the OpenAPI document tell of it, the
// browsable page shows it: all from the same description. `Caller` is whoever the api room says makes requests.

import type { z } from 'zod';

export interface Parameter {
  readonly description: string;
  readonly schema: z.ZodType<unknown, string>;
  /** An empty value says something; elsewhere it is as good as none. */
  readonly emptyCounts?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export interface Given {
  readonly text: string;
  readonly value: unknown;
}

export interface Call<Caller> {
  readonly request: Request;
  readonly caller: Caller;
  /** Scheme and host, on which every address in the answer is. */
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stood in the path, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters that were given, read. */
  readonly given: ReadonlyMap<string, Given>;
  /** Nothing is to be dropped in silence. */
  readonly strict: boolean;
}

export interface Success {
  readonly data: unknown;
  /** Microseconds. */
  readonly lastModified?: number;
}

export interface Operation<Caller> {
  readonly summary: string;
  readonly parameters?: Parameters;
  /** Throws what keeps this caller from it. */
  permission(caller: Caller): void;
  /** The body of a 200, by the `id` in its metadata. None: nobody holds the permission yet. */
  readonly answer?: z.ZodType;
  handle?(call: Call<Caller>): Promise<Success>;
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
}

export function allowOf(resource: Resource<never>): string {
  const declared = methods.filter((method) => resource.operations[method]);
  return [...declared, ...(resource.operations.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
