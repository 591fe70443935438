// Builds the OpenAPI 3.1 document from the resources that the views serve.

import { z } from 'zod';
import { type Field, type Fields, isFileSchema } from '../fields.ts';
import { listFormats } from './list-formats.ts';
import { problemMediaType } from './negotiation.ts';
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  PathItem,
  SecurityRequirement,
} from './openapi-document.ts';
import { describeFormat } from './parameters.ts';
import { parsedMediaTypes } from './parsers.ts';
import { type Method, methods, type Operation, type Parameters, type Resource } from './resource.ts';

interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** The path below which all resources are. */
  readonly root: string;
  /** The name of the session's cookie. */
  readonly sessionCookie: string;
}

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
} as const;

const errorSchema = z
  .object({ detail: z.string() })
  .meta({ id: 'Error', description: 'What went wrong, as one sentence.' });
const fieldErrorsSchema = z
  .record(z.string(), z.array(z.string()))
  .meta({ id: 'FieldErrors', description: 'What is wrong with each member or parameter.' });
/** Some errors belong to no member, for example a wrong Host header. */
const badRequestSchema = z
  .union([errorSchema, fieldErrorsSchema])
  .meta({ id: 'BadRequest', description: 'What is wrong with the request, or with each of its parameters.' });
const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    errors: fieldErrorsSchema.optional(),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457), for clients that accept them.' });
const metadataSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    renders: z.array(z.string()),
    parses: z.array(z.string()),
    actions: z.record(z.string(), z.record(z.string(), z.looseObject({ type: z.string() }))).optional(),
  })
  .meta({ id: 'Metadata', description: 'The name, description and media types of a resource.' });

const ownSchemas = [errorSchema, fieldErrorsSchema, badRequestSchema, problemSchema, metadataSchema];

const buildSecuritySchemes = (sessionCookie: string) => ({
  key: { type: 'http', scheme: 'bearer', description: 'A key. The scheme `Token` works like `Bearer`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'Under https, the name begins with `__Host-`. Writes also need the header X-CSRFToken with the token that the sign-in returned.',
  },
});

const anyCredentials: SecurityRequirement[] = [{ key: [] }, { session: [] }];

/** `namedSchemas` are the response schemas of all operations; each has an `id` in its metadata. */
export function buildOpenApi(
  info: ApiInfo,
  resources: readonly Resource<never>[],
  namedSchemas: readonly z.ZodType[],
): OpenApiDocument {
  const registry = z.registry<{ id: string; description?: string }>();
  for (const schema of [...namedSchemas, ...ownSchemas]) {
    registry.add(schema, schema.meta() as { id: string });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` }) as {
    schemas: Record<string, JsonSchema & { $schema?: string; $id?: string; id?: string }>;
  };
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
    security: [{}, ...anyCredentials],
    paths: Object.fromEntries(
      resources.map((resource) => [toOpenApiPath(resource), buildPathItem(resource, info.root)]),
    ),
    components: { schemas, securitySchemes: buildSecuritySchemes(info.sessionCookie) },
  };
}

const toOpenApiPath = ({ path }: Resource<never>) => path.replace(/:([a-z]+)/g, '{$1}');

function buildPathItem(resource: Resource<never>, root: string): PathItem {
  const tags = [resource.path.slice(root.length).split('/')[0] || 'root'];
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
    summary: 'Describes this resource.',
    responses: { 200: buildResponse('Metadata', metadataSchema) },
  };
  return {
    ...(resource.pathParameters && { parameters: buildParameters(resource.pathParameters, 'path') }),
    ...Object.fromEntries(operations),
    options: {
      ...options,
      responses: { ...options.responses, ...buildErrorResponses(400, 401, 404, 406, 429, 500, 503) },
    },
  };
}

function buildOperation(
  method: Method,
  operation: Operation<never>,
  resource: Resource<never>,
): Omit<OpenApiOperation, 'operationId' | 'tags'> {
  const {
    summary,
    parameters,
    headers = {},
    responseSchema,
    fields,
    isPartial = false,
    status = 200,
    produces,
    list,
    errors = [],
    acceptsFiles,
    acceptsArchive,
    isPrivate,
    ignoresCredentials,
  } = operation;
  const isWrite = method !== 'GET';
  return {
    summary,
    description: resource.description,
    ...(isPrivate && { security: anyCredentials }),
    ...(ignoresCredentials && { security: [{}] }),
    parameters: [
      ...buildParameters({ ...parameters, ...describeFormat(operation) }, 'query'),
      ...buildParameters(headers, 'header'),
    ],
    ...(fields && { requestBody: buildRequestBody(fields, isPartial) }),
    responses: {
      [status]: {
        description: summary,
        ...(responseSchema && { content: { ...buildContent(responseSchema), ...(list && listContent) } }),
        ...(produces && { content: buildProducedContent(produces) }),
      },
      ...(status === 204 && { 200: { description: 'The same as a page.', content: pageContent } }),
      ...(!isWrite && { 304: { description: 'Not modified since the copy that the client has.' } }),
      ...buildErrorResponses(400, 401, 404, 406, 429, 500, 503, ...errors),
      ...(isWrite && buildErrorResponses(403, 413, 415, 507)),
      ...((acceptsFiles || acceptsArchive) && buildErrorResponses(408)),
      ...('If-Match' in headers && buildErrorResponses(412)),
      ...('Idempotency-Key' in headers && buildErrorResponses(422)),
    },
  };
}

function buildRequestBody(fields: Fields, partial: boolean): OpenApiOperation['requestBody'] {
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

function buildObjectSchema(writable: [name: string, field: Field][], partial: boolean): JsonSchema {
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

function buildParameters(parameters: Parameters, location: OpenApiParameter['in']): OpenApiParameter[] {
  return Object.entries(parameters).map(([name, { description, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    const required = location === 'path';
    return { name, in: location, required, description, schema: rest as JsonSchema };
  });
}

const buildResponse = (description: string, schema: z.ZodType): OpenApiResponse => ({
  description,
  content: buildContent(schema),
});

const refer = (schema: z.ZodType) => ({ $ref: `#/components/schemas/${schema.meta()?.id}` });
const pageContent = { 'text/html': { schema: { type: 'string' } } };
const listContent: Content = Object.fromEntries(
  Object.values(listFormats).map(({ mediaType, description }) => [
    mediaType,
    { schema: { type: 'string', description } },
  ]),
);

const buildProducedContent = (produces: Readonly<Record<string, string>>): Content =>
  Object.fromEntries(Object.values(produces).map((type) => [type, { schema: { type: 'string' } }]));

function buildContent(schema: z.ZodType): Content {
  return { 'application/json': { schema: refer(schema) }, ...pageContent };
}

function buildErrorResponses(
  ...statuses: (keyof typeof errorDescriptions)[]
): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: errorDescriptions[status],
        content: {
          ...buildContent(status === 400 ? badRequestSchema : errorSchema),
          [problemMediaType]: { schema: refer(problemSchema) },
        },
      },
    ]),
  );
}
