// The headers and the errors that operations of the OpenAPI document have in common.

import { z } from 'zod';
import { mapValues } from '../../common/json.ts';
import { problemMediaType } from '../negotiation.ts';
import type { Content, JsonSchema, OpenApiResponse, Reference } from './document.ts';

/** An operation names those that its success has beside the ETag: see resource.ts. */
const headerDescriptions = {
  ETag: 'Differs for each state of the response: send it back as If-None-Match, or with a write as If-Match.',
  'Last-Modified': 'When anything in the response was last changed; missing for two seconds after a change.',
  Location: 'The URL of what was created.',
  Link: 'URLs of related resources (RFC 8288).',
  'Content-Disposition': 'The name of the file.',
  'Results-Truncated': 'The list has only the best matches, and so many of them.',
  'Retry-After': 'The number of seconds after which the request may succeed.',
  RateLimit: 'What is left of the limit, and when it is full again.',
  'RateLimit-Policy': 'The limit that was exceeded.',
  'WWW-Authenticate': 'How to sign in: `Token`.',
  'X-Request-Id': 'The id of the request in the log, for the operator. Every response has it.',
} as const;

export type ResponseHeader = keyof typeof headerDescriptions;

export const headerComponents = mapValues(headerDescriptions, (description, name) => ({
  description,
  schema: { type: name === 'Retry-After' ? 'integer' : 'string' },
}));

export const referToHeaders = (names: readonly ResponseHeader[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

interface ErrorDescription {
  /** Of the component. */
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly ResponseHeader[];
}

const errorTable = {
  400: { name: 'BadRequest', description: 'The request is not valid: a list of messages for each member.' },
  401: {
    name: 'Unauthorized',
    description: 'This needs credentials, or those that were sent are not valid.',
    headers: ['WWW-Authenticate'],
  },
  403: { name: 'Forbidden', description: 'You may see it, but you may not do this.' },
  404: { name: 'NotFound', description: 'It does not exist, or you may not see it.' },
  406: { name: 'NotAcceptable', description: 'None of the media types in the Accept header is available.' },
  408: { name: 'RequestTimeout', description: 'The files arrive too slowly.' },
  409: { name: 'Conflict', description: 'It conflicts with what somebody else has done.' },
  410: { name: 'Gone', description: 'The change is not in this gallery: begin anew.' },
  412: {
    name: 'PreconditionFailed',
    description: 'It has changed since the version that If-Match names.',
  },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The media type of the body is not supported.' },
  422: { name: 'UnprocessableContent', description: 'The Idempotency-Key was used for another request.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: {
    name: 'InternalServerError',
    description: 'An internal error: the log has its cause.',
    headers: ['X-Request-Id'],
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The database is not available; try again later.',
    headers: ['Retry-After'],
  },
  507: { name: 'InsufficientStorage', description: 'There is no room left to store this.' },
} as const satisfies Record<number, ErrorDescription>;

export type ErrorStatus = keyof typeof errorTable;

/** By their status. */
export const errors: Readonly<Record<ErrorStatus, ErrorDescription>> = errorTable;

const errorSchema = z
  .object({ detail: z.string() })
  .meta({ id: 'ErrorDetail', description: 'What went wrong, as one sentence.' });
const fieldErrorsSchema = z
  .record(z.string(), z.array(z.string()))
  .meta({ id: 'FieldErrors', description: 'What is wrong with each member or parameter.' });
const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    errors: fieldErrorsSchema.optional(),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457), for clients that accept them.' });

export const errorSchemas = [errorSchema, fieldErrorsSchema, problemSchema];

export const referTo = (schema: z.ZodType): Reference => ({
  $ref: `#/components/schemas/${schema.meta()?.id}`,
});

/** Some bad requests concern no member, for example those with a wrong Host header. */
const schemaOfErrors = (status: string): JsonSchema =>
  status === '400' ? { anyOf: [referTo(errorSchema), referTo(fieldErrorsSchema)] } : referTo(errorSchema);

const buildErrorContent = (status: string): Content => ({
  'application/json': { schema: schemaOfErrors(status) },
  [problemMediaType]: { schema: referTo(problemSchema) },
});

const notModified = {
  description: 'Not modified since the copy that the client has.',
  headers: referToHeaders(['ETag']),
};

export const responseComponents: Record<string, OpenApiResponse> = {
  NotModified: notModified,
  ...Object.fromEntries(
    Object.entries(errors).map(([status, { name, description, headers }]) => [
      name,
      {
        description,
        ...(headers && { headers: referToHeaders(headers) }),
        content: buildErrorContent(status),
      },
    ]),
  ),
};

const referToResponse = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

export const notModifiedResponse = { 304: referToResponse('NotModified') };

export const referToErrors = (...statuses: readonly ErrorStatus[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, referToResponse(errors[status].name)]));
