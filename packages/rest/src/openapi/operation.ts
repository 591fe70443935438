// One operation of the OpenAPI document. Each body and each response has one media type, although the server also takes
// forms and sends pages: a generated client has one type for each.

import { choiceText } from '../../../common/src/inputs.ts';
import { mapValues } from '../../../common/src/json.ts';
import { type Fields, isFormField } from '../fields.ts';
import { listFormats } from '../list-formats.ts';
import type { Method } from '../methods.ts';
import { describeFormat, withoutPages } from '../parameters.ts';
import type { Operation, Parameters, Resource } from '../resource.ts';
import type {
  Content,
  JsonSchema,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  SecurityRequirement,
} from './document.ts';
import {
  notModifiedResponse,
  type ResponseHeader,
  referTo,
  referToErrors,
  referToHeaders,
} from './responses.ts';

const keys: SecurityRequirement[] = [{ bearer: [] }, { token: [] }];
/** Visitors come last: tools that take the first way to sign in should take a key. */
export const readerSecurity = (hasSessions: boolean): SecurityRequirement[] => [
  ...keys,
  ...(hasSessions ? [{ session: [] }] : []),
  {},
];

interface Surroundings {
  readonly tags: string[];
  readonly hasSessions: boolean;
}

function buildSecurity(
  isWrite: boolean,
  { isPrivate, ignoresCredentials }: Operation<never>,
  { hasSessions }: Surroundings,
) {
  if (ignoresCredentials) return { security: [{}] };
  if (!isWrite && !isPrivate) return {};
  const session: SecurityRequirement = isWrite ? { session: [], csrf: [] } : { session: [] };
  return { security: [...keys, ...(hasSessions ? [session] : []), ...(isPrivate ? [] : [{}])] };
}

export function buildOperation(
  method: Method,
  operation: Operation<never>,
  { description }: Resource<never>,
  surroundings: Surroundings,
): OpenApiOperation {
  const { operationId, summary, parameters = {}, headers = {}, status = 200 } = operation;
  const isWrite = method !== 'GET';
  return {
    operationId,
    tags: surroundings.tags,
    summary,
    description,
    ...buildSecurity(isWrite, operation, surroundings),
    parameters: [
      ...buildParameters({ ...parameters, ...describeFormat(operation) }, 'query'),
      ...buildParameters(headers, 'header'),
    ],
    ...buildRequestBody(operation),
    responses: {
      [status]: buildSuccess(operation),
      ...(!isWrite && notModifiedResponse),
      ...buildErrors(isWrite, operation),
    },
  };
}

/** The whole list has a path of its own, as its type differs from that of a page. */
export function buildWholeList(operation: Operation<never>, surroundings: Surroundings): OpenApiOperation {
  const { operationId, summary, parameters = {} } = operation;
  return {
    operationId: operationId.replace(/^list/, 'export'),
    tags: surroundings.tags,
    summary: `${summary.replace(/\.$/, '')}: the whole list as a file.`,
    description: 'All records, as CSV or newline-delimited JSON.',
    ...buildSecurity(false, operation, surroundings),
    parameters: buildParameters(withoutPages(parameters), 'query'),
    responses: {
      200: {
        description: 'The whole list.',
        headers: referToHeaders(['Content-Disposition']),
        content: Object.fromEntries(
          Object.values(listFormats).map(({ mediaType, description }) => [
            mediaType,
            { schema: { type: 'string', description } },
          ]),
        ),
      },
      ...buildErrors(false, operation),
    },
  };
}

export const wholeListParameter = {
  format: { description: 'The format of the file.', example: 'csv', ...choiceText(Object.keys(listFormats)) },
} satisfies Parameters;

export function buildParameters(parameters: Parameters, location: OpenApiParameter['in']) {
  const required = location === 'path';
  return Object.entries(parameters).map(([name, { description, example, schema }]) => ({
    name,
    in: location,
    required,
    description,
    ...(example !== undefined && { example }),
    schema,
  }));
}

/** The name of the schema of the operation's body; undefined if it has none. */
export function findBodySchemaName({ operationId, fields = {} }: Operation<never>): string | undefined {
  const isEmpty = Object.values(fields).every(({ readOnly }) => readOnly);
  return isEmpty ? undefined : `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
}

function buildRequestBody(operation: Operation<never>): Pick<OpenApiOperation, 'requestBody'> {
  const name = findBodySchemaName(operation);
  if (name === undefined) return {};
  const { fields = {}, isPartial } = operation;
  const schema = { $ref: `#/components/schemas/${name}` };
  const isForm = requiresForm(fields);
  const onlyInForms = Object.keys(fields).filter((field) => fields[field] && isFormField(fields[field]));
  return {
    requestBody: {
      ...(!isForm &&
        onlyInForms.length && {
          description: `A multipart form can also have: ${onlyInForms.join(', ')}.`,
        }),
      required: !isPartial && Object.values(fields).some(({ required }) => required),
      content: buildContent([isForm ? 'multipart/form-data' : 'application/json'], schema),
    },
  };
}

const requiresForm = (fields: Fields) =>
  Object.values(fields).some((field) => field.required && isFormField(field));

export function buildBodySchema({ fields = {}, isPartial, exampleBody }: Operation<never>): JsonSchema {
  const isForm = requiresForm(fields);
  const members = Object.entries(fields).filter(
    ([, field]) => !field.readOnly && (isForm || !isFormField(field)),
  );
  const required = isPartial ? [] : members.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length && { required }),
    properties: mapValues(Object.fromEntries(members), ({ label, help, schema }) => ({
      title: String(label),
      ...(help !== undefined && { description: String(help) }),
      ...(isForm ? takeList(schema) : schema),
    })),
    ...(exampleBody && { examples: [exampleBody] }),
  };
}

/** A form has a name as often as there are values: one value is a list of one. */
const takeList = (schema: JsonSchema): JsonSchema =>
  schema.anyOf?.find(({ type }) => type === 'array') ?? schema;

function buildSuccess({ summary, status, produces, responseSchema, ...operation }: Operation<never>) {
  const own = operation.responseHeaders ?? [];
  const headers: readonly ResponseHeader[] = responseSchema ? ['ETag', ...own] : own;
  const jsonTypes = ['application/json', ...(operation.jsonMediaType ? [operation.jsonMediaType] : [])];
  return {
    description: summary,
    ...(headers.length && { headers: referToHeaders(headers) }),
    ...(responseSchema && { content: buildContent(jsonTypes, referTo(responseSchema)) }),
    ...(produces && { content: buildProducedContent(Object.values(produces)) }),
  } satisfies OpenApiResponse;
}

const buildProducedContent = (types: readonly string[]): Content =>
  Object.fromEntries(
    types.map((type) => {
      const isText = type.startsWith('text/');
      return [type, { schema: { type: 'string', ...(!isText && { format: 'binary' }) } }];
    }),
  );

const buildContent = (types: readonly string[], schema: JsonSchema): Content =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const buildErrors = (
  isWrite: boolean,
  { errors = [], headers = {}, acceptsFiles, acceptsArchive }: Operation<never>,
) => ({
  ...referToErrors(400, 401, 404, 406, 429, 500, 503, ...errors),
  ...(isWrite && referToErrors(403, 413, 415, 507)),
  ...((acceptsFiles || acceptsArchive) && referToErrors(408)),
  ...('If-Match' in headers && referToErrors(412)),
  ...('Idempotency-Key' in headers && referToErrors(422)),
});
