// An endpoint, described once, as data. The view, OPTIONS, the OpenAPI document and the browsable page all use the same
// description. The application decides what a `Viewer` is.

import type { z } from 'zod';
import type { ReadSettings, TextInput } from '../../common/src/inputs.ts';
import type { Fields, FindProblems, Lookup, PartialValues, Values } from './fields.ts';
import type { IdempotencyKey } from './idempotency.ts';
import type { Child } from './jsx/jsx-runtime.ts';
import type { ListColumn } from './list-formats.ts';
import { type Method, methods } from './methods.ts';
import type { ErrorStatus, ResponseHeader } from './openapi/responses.ts';
import type { Bytes } from './prepared-response.ts';

export interface Parameter extends TextInput {
  readonly description: string;
  /** For tools that make requests from the OpenAPI document. */
  readonly example?: string | number;
  /** In strict mode instead of `read`: also rejects what that ignores. */
  readStrictly?(text: string, settings?: ReadSettings): unknown;
  /** An empty value has a meaning; for other parameters it is ignored. */
  readonly acceptsEmpty?: boolean;
  readonly lookup?: Lookup;
  /** It chooses a page of a list, so that it has no meaning for the whole list. */
  readonly isForPages?: boolean;
  /** It has no meaning if one of these is sent too. */
  readonly unusedWith?: readonly string[];
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of query parameters; one that was not sent is missing. */
export type Query<Declared extends Parameters> = {
  readonly [Name in keyof Declared]?: ReturnType<Declared[Name]['read']>;
};

/** The arguments of a handler. */
export interface OperationContext<Viewer, Declared extends Parameters = Parameters, Body = Values<Fields>> {
  readonly headers: Headers;
  readonly viewer: Viewer;
  /** Scheme and host for the URLs in the response. */
  readonly origin: string;
  /** Where the request comes from: the network address, and the cookie of a device on which somebody has signed in. */
  readonly client: { readonly address: string; readonly device: string | undefined };
  /** The code of the language that the sender reads; undefined for the usual one. */
  readonly language: string | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The variable parts of the path, as text. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The parsed query parameters. */
  readonly parameters: Query<Declared>;
  /** The name of the media type to send, if the operation produces several. */
  readonly produced: string | undefined;
  /** Unknown members and parameters are errors. */
  readonly isStrict: boolean;
  /** The response is compact JSON that every visitor gets: the result may have `json`. */
  readonly isShared: boolean;
  /**
   * Parses the members of the body, or throws Invalid. A handler calls it once it knows that the viewer may write.
   * Members that are sent as they are stored need not follow the rules, and their values are missing.
   */
  readValues(isUnchanged?: (name: string, value: unknown) => boolean): Body;
  /** The key by which a repeated POST is recognized, if the client sent one. */
  readRequestKey(): Promise<IdempotencyKey | undefined>;
}

/** The body of an operation that is partial may lack any member. */
export type HandlerContext<
  Viewer,
  Declared extends Parameters,
  Body extends Fields,
  IsPartial extends boolean,
> = OperationContext<Viewer, Declared, IsPartial extends true ? PartialValues<Body> : Values<Body>>;

export interface OperationResult {
  /** Undefined for a 204. */
  readonly data?: unknown;
  /** The body that the data would have, if it is at hand. */
  readonly json?: Bytes;
  readonly status?: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** The header `Link`; empty for none, if other responses of the resource have one. */
  readonly link?: string | undefined;
  /** Microseconds. */
  readonly lastModified?: number;
  /** Differs for each state of the data; `If-Match` is compared with it. */
  readonly version?: number;
  /** The id of the only row that the response depends on: a cached response stays valid until that changes. */
  readonly subjectId?: number;
  /** A body that is generated while it is sent, and has no ETag. */
  readonly stream?: () => ReadableStream;
  /** The stream never fails, and is open for hours. */
  readonly staysOpen?: boolean;
  /** The Content-Type of the stream. */
  readonly mediaType?: string;
}

/** All records of a list, as far as the viewer may see each of them when it is read. */
export interface WholeList {
  /** Of a table with these records. */
  readonly columns: readonly ListColumn[];
  readonly batches: AsyncGenerator<readonly Readonly<Record<string, unknown>>[], void>;
}

export interface OperationDescription<
  Viewer,
  Declared extends Parameters,
  Body extends Fields,
  IsPartial extends boolean,
> {
  /** The name that generated clients give to it: a verb and a noun, such as `listProjects`. It never changes. */
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: Declared;
  /** Request headers that the handler reads itself. */
  readonly headers?: Parameters;
  /** The members of the body. If undefined, a body is ignored. */
  readonly fields?: Body;
  readonly exampleBody?: Readonly<Record<string, unknown>>;
  /** The errors of members that do not fit together. */
  readonly findProblems?: FindProblems;
  /** No member is required, as for PATCH. */
  readonly isPartial?: IsPartial;
  /** Multipart forms can send files: the body may be larger than for other operations. */
  readonly acceptsFiles?: boolean;
  /** The form has one file that may be far larger still: its field gets a `StoredFile`. */
  readonly acceptsArchive?: boolean;
  /** The viewer is anonymous: an expired key or session does not prevent signing in again. */
  readonly ignoresCredentials?: boolean;
  /** Only people who are signed in get a response, so that no cache may store it. */
  readonly isPrivate?: boolean;
  /**
   * Throws if the operation would fail for this viewer on the object in the path. Called before OPTIONS or a form offers
   * the operation and before a large body is read; the handler checks again in its transaction.
   */
  precheck?(context: OperationContext<Viewer>): Promise<void>;
  /** The status of a success; 200 by default. */
  readonly status?: 200 | 201 | 204;
  /** Statuses of errors that only some operations have. 403 is for reads; every write has it. */
  readonly errors?: readonly ErrorStatus[];
  /** The headers of a success beside its ETag. */
  readonly responseHeaders?: readonly ResponseHeader[];
  /** The schema of a successful response's body; it has an `id` in its metadata. */
  readonly responseSchema?: z.ZodType;
  /** Another name of JSON for the response, sent to clients that name it in their Accept header. */
  readonly jsonMediaType?: string;
  /**
   * The media types of a successful response that is neither JSON nor a page, whatever else the client accepts. They have
   * names for `?format=`, and the first is sent unless the client prefers another.
   */
  readonly produces?: Readonly<Record<string, string>>;
  handle(context: HandlerContext<Viewer, Declared, Body, IsPartial>): Promise<OperationResult>;
  /** The whole list, for the formats of `listFormats`: see list-formats.ts. */
  list?(context: OperationContext<Viewer, Declared>): Promise<WholeList>;
}

/** An operation of any parameters and fields. */
export interface Operation<Viewer> extends OperationDescription<Viewer, Parameters, Fields, boolean> {
  /** Throws if the viewer may not use the operation at all. */
  checkPermission(viewer: Viewer): void;
}

export interface Resource<Viewer> {
  /** For example `/api/v1/projects/:id/`. */
  readonly path: string;
  readonly pathParameters?: Parameters;
  readonly name: string;
  /** Of the browsable page, instead of the name. */
  readonly heading?: string;
  readonly description: string;
  readonly operations: Readonly<Partial<Record<Method, Operation<Viewer>>>>;
  /** Shown to browsers instead of the exchange. */
  renderPage?(request: PageRequest): OwnPage;
}

export interface PageRequest {
  readonly origin: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export interface OwnPage {
  readonly title: string;
  readonly content: Child;
}

/** HEAD is served as GET. */
export function findOperation<Viewer>({ operations }: Resource<Viewer>, method: string) {
  const name = method === 'HEAD' ? 'GET' : method;
  const known = methods.find((candidate) => candidate === name);
  return known && operations[known];
}

export function buildAllowHeader(resource: Resource<never>): string {
  const declared = methods.filter((method) => resource.operations[method]);
  return [...declared, ...(resource.operations.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
