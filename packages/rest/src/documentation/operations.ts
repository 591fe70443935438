// The operations of an OpenAPI document, by the resource that they belong to.

import { methods } from '../methods.ts';
import {
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type Schemas,
  schemaName,
} from '../openapi/document.ts';

/** Everything below one part of the path, such as `/api/v1/projects/`. */
export interface DocumentedResource {
  /** Its part of the path, also that of its page. */
  readonly name: string;
  readonly paths: readonly DocumentedPath[];
}

export interface DocumentedPath {
  readonly path: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
}

export interface DocumentedOperation extends OpenApiOperation {
  /** Of its element on the page. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Those of the path too. */
  readonly parameters: readonly OpenApiParameter[];
  readonly body?: DocumentedBody;
}

interface DocumentedBody {
  readonly mediaType: string;
  readonly schema: JsonSchema;
}

/** The schema itself, or the one to which it leads. */
export const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref === undefined ? schema : { ...schemas[schemaName(schema.$ref)], ...schema, $ref: undefined };

/** `root` is the path below which all resources are. */
export function listResources({ paths, components }: OpenApiDocument, root: string): DocumentedResource[] {
  const documented = Object.entries(paths).map(([path, { parameters = [], ...item }]): DocumentedPath => {
    const idSuffix =
      path
        .slice(root.length)
        .match(/[a-z]+/g)
        ?.join('-') ?? 'root';
    const operations = methods.flatMap((method) => {
      const operation = item[toLowerCase(method)];
      if (!operation) return [];
      const id = `${method.toLowerCase()}-${idSuffix}`;
      const all = [...parameters, ...(operation.parameters ?? [])];
      const body = findBody(operation, components.schemas);
      return [{ ...operation, id, method, path, parameters: all, ...(body && { body }) }];
    });
    return { path, description: operations[0]?.description ?? '', operations };
  });
  const nameOf = ({ operations }: (typeof documented)[number]) => operations[0]?.tags[0] ?? '';
  const names = [...new Set(documented.map(nameOf))];
  return names.map((name) => ({ name, paths: documented.filter((path) => nameOf(path) === name) }));
}

const toLowerCase = <Text extends string>(text: Text) => text.toLowerCase() as Lowercase<Text>;

function findBody({ requestBody }: OpenApiOperation, schemas: Schemas): DocumentedBody | undefined {
  const [content] = Object.entries(requestBody?.content ?? {});
  return content && { mediaType: content[0], schema: resolve(content[1].schema, schemas) };
}

/** The status and the response of a success, which is never a reference. */
export function findSuccess({ responses }: DocumentedOperation): {
  status: string;
  response?: OpenApiResponse;
} {
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2') && 'description' in response) return { status, response };
  return { status: '' };
}

export function listBodyMembers({ body }: DocumentedOperation) {
  const { properties = {}, required = [] } = body?.schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    isFile: schema.items?.format === 'binary',
  }));
}
