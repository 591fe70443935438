// The OpenAPI document with everything that the server takes and sends, for tools that check each request and response: forms
// beside JSON, pages for browsers, words as page numbers, and records of which only some members were asked for. Generators
// of clients want the plain document, in which each body and each response has one type.

import { mapValues } from '../../../common/src/json.ts';
import {
  type Content,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type PathItem,
  type Reference,
  type Schemas,
  schemaName,
} from './document.ts';

export function toComplete({ paths, components, ...document }: OpenApiDocument): OpenApiDocument {
  const { schemas } = components;
  const operations = Object.values(paths).flatMap(listOperations);
  const partialNames = new Set(
    operations.filter(takesFields).flatMap((operation) => findRecordName(operation, schemas) ?? []),
  );
  const convert = (part: unknown, name: string) =>
    name === 'parameters' ? part : completeOperation(part as OpenApiOperation, schemas);
  return {
    ...document,
    paths: mapValues(paths, (item) => mapValues(item, convert) as PathItem),
    components: {
      ...components,
      schemas: mapValues(schemas, ({ required, ...schema }, name) => ({
        ...schema,
        ...(required && !partialNames.has(name) && { required }),
      })),
    },
  };
}

const listOperations = ({ parameters, ...operations }: PathItem): OpenApiOperation[] =>
  Object.values(operations) as OpenApiOperation[];

const takesFields = ({ parameters }: OpenApiOperation) =>
  parameters?.some(({ name, in: place }) => name === 'fields' && place === 'query') ?? false;

/** The name of the schema of one record, also where the response is a page of them. */
function findRecordName({ responses }: OpenApiOperation, schemas: Schemas): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const $ref = success && 'content' in success ? findJson(success.content)?.$ref : undefined;
  if ($ref === undefined) return undefined;
  const record = schemas[schemaName($ref)]?.properties?.results?.items?.$ref ?? $ref;
  return schemaName(record);
}

const findJson = (content: Content | undefined) => content?.['application/json']?.schema;

function completeOperation(operation: OpenApiOperation, schemas: Schemas): OpenApiOperation {
  const { parameters = [], requestBody, responses } = operation;
  return {
    ...operation,
    parameters: parameters.map(completeParameter),
    ...(requestBody && { requestBody: { ...requestBody, content: addForms(requestBody.content, schemas) } }),
    responses: mapValues(responses, addPage),
  };
}

/** What is not a page number is answered by 404, and a page that is too long is cut. */
function completeParameter(parameter: OpenApiParameter): OpenApiParameter {
  const isLenient = ['page', 'page_size', 'limit', 'offset'].includes(parameter.name);
  return isLenient ? { ...parameter, schema: { type: 'string' } } : parameter;
}

/** A form has all values as texts, and a name as often as there are values. */
function addForms(content: Content, schemas: Schemas): Content {
  const [schema] = Object.values(content).flatMap(({ schema: { $ref } }) =>
    $ref === undefined ? [] : (schemas[schemaName($ref)] ?? []),
  );
  if (!schema) return content;
  const form = { ...schema, properties: mapValues(schema.properties ?? {}, takeTexts) };
  const [isUpload] = Object.keys(content).map((type) => type === 'multipart/form-data');
  return {
    ...content,
    ...(!isUpload && { 'application/x-www-form-urlencoded': { schema: form } }),
    'multipart/form-data': { schema: form },
  };
}

function takeTexts(schema: JsonSchema): JsonSchema {
  const text = { type: 'string' };
  return { anyOf: [schema, text, { type: 'array', items: text }] };
}

function addPage(response: OpenApiResponse | Reference): OpenApiResponse | Reference {
  if (!('content' in response) || !findJson(response.content)) return response;
  return { ...response, content: { ...response.content, 'text/html': { schema: { type: 'string' } } } };
}
