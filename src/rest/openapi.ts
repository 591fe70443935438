// The OpenAPI 3.1 document, made from the resources that the views serve.

import { z } from 'zod';
import { type Field, type Fields, isFileSchema } from '../fields.ts';
import { sessionCookieName } from './authentication.ts';
import { renderedMediaTypes } from './metadata.ts';
import { parsedMediaTypes } from './parsers.ts';
import { type Method, methods, type Operation, type Parameters, type Resource } from './resource.ts';

interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

export interface OpenApiDocument extends Record<string, unknown> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const errorDescriptions = {
  400: 'Something in the request is wrong; one list of sentences for each member.',
  401: 'Only for those who are signed in.',
  403: 'This reader may see it, and may not do this.',
  404: 'There is none that this reader may see.',
  406: 'None of the media types of the Accept header is to be had.',
  412: 'It has changed since the state that If-Match names.',
  413: 'The body is too large.',
  415: 'The body is of a media type that is not read here.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests.',
  503: 'The database is away; try again.',
  507: 'There is no room left to store this.',
} as const;

const errorSchema = z
  .object({ detail: z.string() })
  .meta({ id: 'Error', description: 'What went wrong, in a sentence.' });
const fieldErrorsSchema = z
  .record(z.string(), z.array(z.string()))
  .meta({ id: 'FieldErrors', description: 'What is wrong with each member or parameter.' });
/** A wrong host, say, is no member's fault. */
const badRequestSchema = z
  .union([errorSchema, fieldErrorsSchema])
  .meta({ id: 'BadRequest', description: 'What is wrong with the request, or with each of its parameters.' });
const metadataSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    renders: z.array(z.string()),
    parses: z.array(z.string()),
    actions: z.record(z.string(), z.record(z.string(), z.looseObject({ type: z.string() }))).optional(),
  })
  .meta({ id: 'Metadata', description: 'What a resource is and speaks.' });

/** A visitor shows nothing; which operations want more, the description of their 401 and 403 tells. */
const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'A key; `Token` is as good a word as `Bearer`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description: 'What changes something also needs the X-CSRFToken that the sign-in told.',
  },
};

/** `named` are all schemas that operations answer with; each has an `id` in its metadata. */
export function buildOpenApi(
  info: ApiInfo,
  resources: readonly Resource<never>[],
  namedSchemas: readonly z.ZodType[],
): OpenApiDocument {
  const registry = z.registry<{ id: string; description?: string }>();
  for (const schema of [...namedSchemas, errorSchema, fieldErrorsSchema, badRequestSchema, metadataSchema]) {
    registry.add(schema, schema.meta() as { id: string });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
    delete schema.id;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: info.license, identifier: info.license },
    },
    servers: [{ url: '/' }],
    security: [{}, { key: [] }, { session: [] }],
    paths: Object.fromEntries(
      resources.map((resource) => [toOpenApiPath(resource), buildPathItem(resource)]),
    ),
    components: { schemas, securitySchemes },
  };
}

const toOpenApiPath = ({ path }: Resource<never>) => path.replace(/:([a-z]+)/g, '{$1}');

function buildPathItem(resource: Resource<never>): Record<string, unknown> {
  const tags = [resource.path.split('/')[3] || 'root'];
  const toOperationId = (method: string) =>
    `${method.toLowerCase()} ${resource.name}`.toLowerCase().replace(/[^a-z]+/g, '_');
  const operations = methods.flatMap((method) => {
    const operation = resource.operations[method];
    if (!operation) return [];
    return [
      [
        method.toLowerCase(),
        { operationId: toOperationId(method), tags, ...buildOperation(method, operation, resource) },
      ],
    ];
  });
  const options = {
    operationId: toOperationId('options'),
    tags,
    summary: 'What this resource is and speaks.',
    responses: { 200: buildResponse('Metadata', metadataSchema) },
  };
  return {
    ...(resource.pathParameters && { parameters: buildParameters(resource.pathParameters, 'path') }),
    ...Object.fromEntries(operations),
    options: { ...options, responses: { ...options.responses, ...buildErrorResponses(401, 404, 406, 429) } },
  };
}

function buildOperation(
  method: Method,
  operation: Operation<never>,
  resource: Resource<never>,
): Record<string, unknown> {
  const { summary, parameters, headers = {}, responseSchema, fields, status = 200 } = operation;
  const isWrite = method !== 'GET';
  return {
    summary,
    description: resource.description,
    parameters: [
      ...buildParameters({ ...parameters, ...formatParameter }, 'query'),
      ...buildParameters(headers, 'header'),
    ],
    ...(fields && { requestBody: buildRequestBody(fields, method === 'PATCH') }),
    responses: {
      [status]: responseSchema ? buildResponse(summary, responseSchema) : { description: summary },
      ...(!isWrite && { 304: { description: 'Not changed since the copy that the request speaks of.' } }),
      ...buildErrorResponses(400, 401, 404, 406, 429, 503),
      ...(isWrite && buildErrorResponses(403, 413, 415, 507)),
      ...('If-Match' in headers && buildErrorResponses(412)),
      ...('Idempotency-Key' in headers && buildErrorResponses(422)),
    },
  };
}

function buildRequestBody(fields: Fields, partial: boolean): Record<string, unknown> {
  const writable = Object.entries(fields).filter(([, { readOnly }]) => !readOnly);
  const content = parsedMediaTypes.map((type) => {
    const sendable = writable.filter(
      ([, { schema }]) => type === 'multipart/form-data' || !isFileSchema(schema),
    );
    return [type, { schema: buildObjectSchema(sendable, partial) }];
  });
  return {
    required: !partial && writable.some(([, { required }]) => required),
    content: Object.fromEntries(content),
  };
}

function buildObjectSchema(
  writable: [name: string, field: Field][],
  partial: boolean,
): Record<string, unknown> {
  const required = partial ? [] : writable.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length && { required }),
    properties: Object.fromEntries(
      writable.map(([name, { label, help, schema }]) => [
        name,
        { title: label, ...(help !== undefined && { description: help }), ...schema },
      ]),
    ),
  };
}

export const formatParameter: Parameters = {
  format: {
    description: 'The rendering, in place of the Accept header: `json`, or `api` for a page to look at.',
    schema: z.enum(['json', 'api']),
  },
};

function buildParameters(parameters: Parameters, location: 'path' | 'query' | 'header'): unknown[] {
  return Object.entries(parameters).map(([name, { description, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return { name, in: location, required: location === 'path', description, schema: rest };
  });
}

function buildResponse(description: string, schema: z.ZodType): Record<string, unknown> {
  const reference = { $ref: `#/components/schemas/${(schema.meta() as { id: string }).id}` };
  return {
    description,
    content: Object.fromEntries(
      renderedMediaTypes.map((type) => [
        type,
        { schema: type === 'text/html' ? { type: 'string' } : reference },
      ]),
    ),
  };
}

function buildErrorResponses(...statuses: (keyof typeof errorDescriptions)[]): Record<string, unknown> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      buildResponse(errorDescriptions[status], status === 400 ? badRequestSchema : errorSchema),
    ]),
  );
}
