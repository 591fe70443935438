// Builds the OpenAPI 3.1 document from the resources that the views serve.

import { z } from 'zod';
import { isJsonObject, mapValues } from '../../../common/src/json.ts';
import { methods } from '../methods.ts';
import type { Operation, Resource } from '../resource.ts';
import type { JsonSchema, OpenApiDocument, PathItem } from './document.ts';
import {
  buildBodySchema,
  buildOperation,
  buildParameters,
  buildWholeList,
  findBodySchemaName,
  readerSecurity,
  wholeListParameter,
} from './operation.ts';
import { errorSchemas, headerComponents, responseComponents } from './responses.ts';

interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Its identifier in the list of SPDX. */
  readonly license?: string;
  /** The path below which all resources are. */
  readonly root: string;
  /** The name of the session's cookie; missing if there are only keys. */
  readonly sessionCookie?: string;
  /** The choices that have a name, wherever they occur. */
  readonly choices: Readonly<Record<string, NamedChoices>>;
}

/** Texts, or numbers by their names. */
export type NamedChoices = readonly string[] | Readonly<Record<string, number>>;

const buildSecuritySchemes = (sessionCookie: string | undefined) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key, as in `Authorization: Bearer YOUR_KEY`.',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The same key after another word: `Authorization: Token YOUR_KEY`.',
  },
  ...(sessionCookie !== undefined && {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description: 'The session of a browser. Under https, the name begins with `__Host-`.',
    },
    csrf: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRFToken',
      description: 'Writes in a session need it: the token that the sign-in returned.',
    },
  }),
});

export function buildOpenApi(info: ApiInfo, resources: readonly Resource<never>[]): OpenApiDocument {
  const { title, version, description, license } = info;
  const hasSessions = info.sessionCookie !== undefined;
  const choices = mapValues(info.choices, describeChoices);
  const names = new Map(Object.entries(choices).map(([name, schema]) => [String(schema.enum), name]));
  const { paths, schemas } = nameChoices(
    { paths: buildPaths(resources, info.root, hasSessions), schemas: buildSchemas(resources) },
    names,
  );
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      ...(license !== undefined && { license: { name: license, identifier: license } }),
    },
    tags: buildTags(resources, info.root),
    security: readerSecurity(hasSessions),
    paths,
    components: {
      schemas: { ...schemas, ...choices },
      responses: responseComponents,
      headers: headerComponents,
      securitySchemes: buildSecuritySchemes(info.sessionCookie),
    },
  };
}

const listOperations = ({ operations }: Resource<never>): Operation<never>[] =>
  methods.flatMap((method) => operations[method] ?? []);

/** Adds the schemas with an `id` in their metadata: this one, and those of its parts. */
function collectNamed(schema: unknown, named: Set<z.core.$ZodType>): void {
  if (schema instanceof z.core.$ZodType) {
    if (named.has(schema)) return;
    if (z.globalRegistry.get(schema)?.id !== undefined) named.add(schema);
    collectNamed(schema._zod.def, named);
  } else if (typeof schema === 'object' && schema !== null)
    for (const part of Object.values(schema)) collectNamed(part, named);
}

function buildSchemas(resources: readonly Resource<never>[]) {
  const operations = resources.flatMap(listOperations);
  const named = new Set<z.core.$ZodType>();
  for (const { responseSchema } of operations) collectNamed(responseSchema, named);
  const registry = z.registry<{ id: string; description?: string }>();
  for (const schema of [...named, ...errorSchemas])
    registry.add(schema, z.globalRegistry.get(schema) as { id: string });
  // As input, schemas allow more members: a later version may send more.
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri }) as {
    schemas: Record<string, JsonSchema & { $schema?: string; $id?: string; id?: string }>;
  };
  const bodies = operations.flatMap((operation) => {
    const name = findBodySchemaName(operation);
    return name === undefined ? [] : [[name, buildBodySchema(operation)] as const];
  });
  return {
    ...mapValues(schemas, ({ $schema, $id, id, ...schema }): JsonSchema => schema),
    ...Object.fromEntries(bodies),
  };
}

function describeChoices(choices: NamedChoices): JsonSchema {
  if (Array.isArray(choices)) return { type: 'string', enum: choices };
  return { type: 'integer', enum: Object.values(choices), 'x-enum-varnames': Object.keys(choices) };
}

/** Puts a reference in the place of choices that have a name. */
function nameChoices<Value>(value: Value, names: ReadonlyMap<string, string>): Value;
function nameChoices(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => nameChoices(part, names));
  if (!isJsonObject(value)) return value;
  const name = Array.isArray(value.enum) ? names.get(String(value.enum)) : undefined;
  if (name === undefined) return mapValues(value, (part) => nameChoices(part, names));
  const { enum: choices, type, ...rest } = value;
  return { $ref: `#/components/schemas/${name}`, ...rest };
}

const findTag = ({ path }: Resource<never>, root: string) => path.slice(root.length).split('/')[0] || 'root';

/** Described by the first resource. */
function buildTags(resources: readonly Resource<never>[], root: string): OpenApiDocument['tags'] {
  const tagOf = (resource: Resource<never>) => findTag(resource, root);
  return [...new Set(resources.map(tagOf))].map((name) => ({
    name,
    description: resources.find((resource) => tagOf(resource) === name)?.description ?? '',
  }));
}

const buildPaths = (
  resources: readonly Resource<never>[],
  root: string,
  hasSessions: boolean,
): Record<string, PathItem> =>
  Object.fromEntries(resources.flatMap((resource) => buildPathItems(resource, root, hasSessions)));

function buildPathItems(
  resource: Resource<never>,
  root: string,
  hasSessions: boolean,
): [path: string, item: PathItem][] {
  const path = resource.path.replace(/:([a-z]+)/g, '{$1}');
  const { pathParameters = {}, operations } = resource;
  const tags = [findTag(resource, root)];
  const described = methods.flatMap((method) => {
    const operation = operations[method];
    return operation
      ? [[method.toLowerCase(), buildOperation(method, operation, resource, { tags, hasSessions })] as const]
      : [];
  });
  const item = { ...buildPathParameters(pathParameters), ...Object.fromEntries(described) };
  if (!operations.GET?.list) return [[path, item]];
  const wholeList = {
    ...buildPathParameters({ ...pathParameters, ...wholeListParameter }),
    get: buildWholeList(operations.GET, { tags, hasSessions }),
  };
  return [
    [path, item],
    [`${path.replace(/\/$/, '')}.{format}`, wholeList],
  ];
}

const buildPathParameters = (parameters: NonNullable<Resource<never>['pathParameters']>) =>
  Object.keys(parameters).length ? { parameters: buildParameters(parameters, 'path') } : {};
