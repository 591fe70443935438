// Compares two versions of the OpenAPI document: what breaks programs that were written or generated for the earlier one?
// More operations, parameters that may be left out and more members of responses break nothing.

import {
  type Content,
  type Document,
  type FoundOperation,
  findResponse,
  findSchema,
  listOperations,
  nameOf,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from './openapi.ts';

/** A program sends bodies and parameters, and receives responses. */
type Direction = 'sent' | 'received';

export function findBreakingChanges(before: Document, after: Document): string[] {
  const comparison = new Comparison(before, after);
  comparison.compareDocuments();
  return [...comparison.changes];
}

class Comparison {
  readonly changes = new Set<string>();
  /** The pairs of named schemas that have been compared. */
  readonly #compared = new Set<string>();

  constructor(
    private readonly before: Document,
    private readonly after: Document,
  ) {}

  compareDocuments(): void {
    const { before, after } = this;
    for (const found of listOperations(before)) this.#compareOperation(found);
    for (const name of Object.keys(before.components.schemas))
      if (!after.components.schemas[name]) this.#report(`The type ${name} is gone.`);
    for (const name of Object.keys(before.components.securitySchemes))
      if (!after.components.securitySchemes[name]) this.#report(`The security scheme ${name} is gone.`);
  }

  #report(sentence: string): void {
    this.changes.add(sentence);
  }

  #compareOperation({ path, method, operation: old }: FoundOperation): void {
    const place = `${method} ${path}`;
    const item = this.after.paths[path];
    const found = listOperations({ paths: { [path]: item ?? {} } }).find((other) => other.method === method);
    if (!found) {
      this.#report(`${place} is gone.`);
      return;
    }
    const { operation } = found;
    if (operation.operationId !== old.operationId)
      this.#report(`${place} is named ${operation.operationId}, and was ${old.operationId}.`);
    if (allowsVisitors(old, this.before) && !allowsVisitors(operation, this.after))
      this.#report(`${place} needs credentials now.`);
    this.#compareParameters(place, parametersOf(this.before.paths[path], old), parametersOf(item, operation));
    this.#compareBodies(place, old, operation);
    this.#compareResponses(place, old, operation);
  }

  #compareParameters(place: string, olds: Map<string, Parameter>, news: Map<string, Parameter>): void {
    for (const [key, old] of olds) {
      const parameter = news.get(key);
      if (parameter) this.#compareSchemas(`${place}, ${key}`, old.schema, parameter.schema, 'sent');
      else this.#report(`${place} has no ${key} any more.`);
    }
    for (const [key, { required }] of news)
      if (required && !olds.get(key)?.required) this.#report(`${place} needs the ${key} now.`);
  }

  #compareBodies(place: string, { requestBody: old }: Operation, { requestBody }: Operation): void {
    if (requestBody?.required && !old?.required) this.#report(`${place} needs a body now.`);
    if (old) this.#compareContents(`${place}, body`, old.content, requestBody?.content ?? {}, 'sent');
  }

  #compareResponses(place: string, old: Operation, operation: Operation): void {
    for (const [status, oldResponse] of Object.entries(old.responses)) {
      const response = operation.responses[status];
      if (!response) {
        if (status < '3') this.#report(`${place} has no response ${status} any more.`);
        continue;
      }
      const [was, is] = [findResponse(this.before, oldResponse), findResponse(this.after, response)];
      for (const header of Object.keys(was.headers ?? {}))
        if (!is.headers?.[header]) this.#report(`${place}, ${status} has no header ${header} any more.`);
      this.#compareContents(`${place}, ${status}`, was.content ?? {}, is.content ?? {}, 'received');
    }
  }

  #compareContents(place: string, olds: Content, news: Content, direction: Direction): void {
    for (const [type, old] of Object.entries(olds)) {
      const content = news[type];
      if (content) this.#compareSchemas(place, old.schema, content.schema, direction);
      else this.#report(`${place} is no ${type} any more.`);
    }
  }

  #compareSchemas(place: string, old: Schema, schema: Schema, direction: Direction): void {
    const [olds, news] = [alternativesOf(old), alternativesOf(schema)];
    if (olds.length === 1 && news.length === 1) {
      this.#compareTypes(place, old, schema, direction);
      return;
    }
    const shapes = (one: Schema, other: Schema) => [
      kindOf(findSchema(this.before, one)),
      kindOf(findSchema(this.after, other)),
    ];
    const isSame = (one: Schema, other: Schema) => new Set(shapes(one, other)).size === 1;
    for (const alternative of olds) {
      const partner =
        news.find((other) => kindOf(other) === kindOf(alternative)) ??
        news.find((other) => isSame(alternative, other));
      if (partner) this.#compareTypes(place, alternative, partner, direction);
      else if (direction === 'sent') this.#report(`${place} cannot be ${kindOf(alternative)} any more.`);
    }
    for (const alternative of news)
      if (direction === 'received' && !olds.some((other) => isSame(other, alternative)))
        this.#report(`${place} can be ${kindOf(alternative)} now.`);
  }

  #compareTypes(place: string, old: Schema, schema: Schema, direction: Direction): void {
    const names = [old, schema].map(({ $ref }) => ($ref === undefined ? '' : nameOf({ $ref })));
    const [oldName, name] = names;
    if (oldName && oldName !== name) {
      this.#report(`${place} is ${name || 'without a named type'}, and was ${oldName}.`);
      return;
    }
    const pair = `${direction} ${name}`;
    if (oldName && this.#compared.has(pair)) return;
    if (oldName) this.#compared.add(pair);
    this.#compareShapes(
      oldName || place,
      findSchema(this.before, old),
      findSchema(this.after, schema),
      direction,
    );
  }

  #compareShapes(place: string, old: Schema, schema: Schema, direction: Direction): void {
    if (kindOf(old) !== kindOf(schema)) {
      this.#report(`${place} is ${kindOf(schema)}, and was ${kindOf(old)}.`);
      return;
    }
    if (direction === 'sent') this.#compareLimits(place, old, schema);
    else if (old.enum && !schema.enum) this.#report(`${place} can be any ${kindOf(schema)} now.`);
    this.#compareMembers(place, old, schema, direction);
    if (old.items && schema.items) this.#compareSchemas(`${place}[]`, old.items, schema.items, direction);
    const [oldRest, rest] = [old.additionalProperties, schema.additionalProperties];
    if (typeof oldRest === 'object' && typeof rest === 'object')
      this.#compareSchemas(`${place}.*`, oldRest, rest, direction);
  }

  #compareMembers(place: string, old: Schema, schema: Schema, direction: Direction): void {
    for (const [name, member] of Object.entries(old.properties ?? {})) {
      const now = schema.properties?.[name];
      if (now) this.#compareSchemas(`${place}.${name}`, member, now, direction);
      else this.#report(`${place}.${name} is gone.`);
    }
    const [wasRequired, isRequired] = [new Set(old.required), new Set(schema.required)];
    if (direction === 'sent') {
      for (const name of isRequired.difference(wasRequired)) this.#report(`${place}.${name} is needed now.`);
    } else {
      for (const name of wasRequired.difference(isRequired))
        this.#report(`${place}.${name} can be missing now.`);
    }
  }

  /** Limits of the values that a program may send. */
  #compareLimits(place: string, old: Schema, schema: Schema): void {
    const lost =
      schema.enum && (old.enum ?? ['other values']).filter((value) => !schema.enum?.includes(value));
    if (lost?.length) this.#report(`${place} cannot be ${lost.join(', ')} any more.`);
    for (const name of ['minimum', 'minLength'] as const)
      if ((schema[name] ?? -Infinity) > (old[name] ?? -Infinity))
        this.#report(`${place} has the ${name} ${schema[name]} now.`);
    for (const name of ['maximum', 'maxLength', 'maxItems'] as const)
      if ((schema[name] ?? Infinity) < (old[name] ?? Infinity))
        this.#report(`${place} has the ${name} ${schema[name]} now.`);
    if (schema.pattern !== undefined && schema.pattern !== old.pattern)
      this.#report(`${place} has another pattern.`);
  }
}

const allowsVisitors = ({ security }: Operation, document: Document) =>
  (security ?? document.security).some((requirement) => Object.keys(requirement).length === 0);

const parametersOf = (item: PathItem | undefined, { parameters = [] }: Operation) =>
  new Map(
    [...(item?.parameters ?? []), ...parameters].map((parameter) => [
      `${parameter.in} parameter ${parameter.name}`,
      parameter,
    ]),
  );

function alternativesOf(schema: Schema): readonly Schema[] {
  if (schema.anyOf) return schema.anyOf;
  const { type } = schema;
  if (typeof type !== 'object') return [schema];
  return type.map((name) => (name === 'null' ? { type: name } : { ...schema, type: name }));
}

/** In the words of a message. */
function kindOf({ $ref, type, format, enum: choices }: Schema): string {
  if ($ref !== undefined) return nameOf({ $ref });
  const isText = choices?.every((choice) => typeof choice === 'string');
  return [type ?? (isText ? 'string' : 'anything'), format && `of the format ${format}`]
    .filter(Boolean)
    .join(' ');
}
