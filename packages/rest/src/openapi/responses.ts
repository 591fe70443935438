// The headers and the errors that operations of the OpenAPI document have in common.

import { z } from 'zod';
import { mapValues } from '../../../common/src/json.ts';
import { titleOf } from '../error-responses.ts';
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

/** By their status. */
export const errorDescriptions = {
  400: 'The request is not valid: a list of messages for each member.',
  401: 'This needs credentials, or those that were sent are not valid.',
  403: 'You may see it, but you may not do this.',
  404: 'It does not exist, or you may not see it.',
  406: 'None of the media types in the Accept header is available.',
  408: 'The files arrive too slowly.',
  409: 'It conflicts with what somebody else has done.',
  410: 'The change is not in this gallery: begin anew.',
  412: 'It has changed since the version that If-Match names.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests.',
  500: 'An internal error: the log has its cause.',
  503: 'The database is not available; try again later.',
  507: 'There is no room left to store this.',
};

export type ErrorStatus = keyof typeof errorDescriptions;

const errorHeaders: Readonly<Record<string, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  500: ['X-Request-Id'],
  503: ['Retry-After'],
};

/** The name of the component. */
const nameOf = (status: string | number) => titleOf(Number(status)).replaceAll(' ', '');

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
    Object.entries(errorDescriptions).map(([status, description]) => [
      nameOf(status),
      {
        description,
        ...(errorHeaders[status] && { headers: referToHeaders(errorHeaders[status]) }),
        content: buildErrorContent(status),
      },
    ]),
  ),
};

const referToResponse = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

export const notModifiedResponse = { 304: referToResponse('NotModified') };

export const referToErrors = (...statuses: readonly ErrorStatus[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, referToResponse(nameOf(status))]));
