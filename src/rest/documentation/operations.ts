// The operations of an OpenAPI document, by the resource that they belong to.

import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../openapi-document.ts';
import { formatParameter } from '../parameters.ts';
import { methods } from '../resource.ts';

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
  /** Those of the path too, without `format`, which every operation has. */
  readonly parameters: readonly OpenApiParameter[];
}

/** Without OPTIONS, which every path has. `root` is the path below which all resources are. */
export function listResources({ paths }: OpenApiDocument, root: string): DocumentedResource[] {
  const documented = Object.entries(paths).map(([path, { parameters = [], ...item }]): DocumentedPath => {
    const idSuffix =
      path
        .slice(root.length)
        .match(/[a-z]+/g)
        ?.join('-') ?? 'root';
    const operations = methods.flatMap((method) => {
      const operation = item[toLowerCase(method)];
      if (!operation) return [];
      const own = operation.parameters?.filter(({ name }) => !Object.hasOwn(formatParameter, name)) ?? [];
      const id = `${method.toLowerCase()}-${idSuffix}`;
      return [{ ...operation, id, method, path, parameters: [...parameters, ...own] }];
    });
    return { path, description: operations[0]?.description ?? '', operations };
  });
  const byName = Map.groupBy(documented, ({ operations }) => operations[0]?.tags[0] ?? '');
  return [...byName].map(([name, paths]) => ({ name, paths }));
}

const toLowerCase = <Text extends string>(text: Text) => text.toLowerCase() as Lowercase<Text>;

/** The status and the response of a success. */
export function findSuccess({ responses }: DocumentedOperation) {
  const [status = '', response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  // A page answers 200 where a program gets 204.
  const empty = responses['204'];
  return empty ? { status: '204', response: empty } : { status, response };
}

/** The properties of a body; those that only a multipart form can have come last. */
export function listBodyMembers({ requestBody }: DocumentedOperation) {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  const properties = Object.assign({}, ...schemas.map(({ properties }) => properties)) as NonNullable<
    (typeof schemas)[number]['properties']
  >;
  const [json] = schemas;
  const required = new Set(schemas.flatMap(({ required = [] }) => required));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.has(name),
    isFile: json?.properties?.[name] === undefined,
  }));
}
