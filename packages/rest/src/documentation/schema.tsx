// JSON Schema for people: the type in words, and the members of an object as a list.

import { type JsonSchema, type Schemas, schemaName } from '../openapi/document.ts';
import { CodeText } from '../renderers/code-text.tsx';

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly description?: string;
  /** Beside the type, such as `required`. */
  readonly note?: string;
}

export function MemberList({ members }: { members: readonly Member[] }) {
  return (
    <dl class="members">
      {members.map(({ name, schema, description = schema.description, note }) => (
        <div>
          <dt>
            <code>{name}</code> <TypeText schema={schema} />
            {note && <b class="note"> {note}</b>}
          </dt>
          <dd>
            {description && <CodeText text={description} />}
            <Members schema={schema} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The members of an object, or of the objects of an array; nothing for other values. */
export function Members({ schema }: { schema: JsonSchema }) {
  const { properties, required = [] } = schema.items ?? schema;
  if (!properties) return null;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    note: required.includes(name) ? undefined : 'optional',
  }));
  return <MemberList members={members} />;
}

export function TypeText({ schema }: { schema: JsonSchema }) {
  return (
    <span class="type">
      <Type schema={schema} />
    </span>
  );
}

const formats: Readonly<Record<string, string>> = {
  uri: 'URL',
  binary: 'file',
  'date-time': 'date-time',
};

function Type({ schema }: { schema: JsonSchema }) {
  const { $ref, anyOf, items, type, format, additionalProperties } = schema;
  if ($ref !== undefined) return <a href={`#schema-${schemaName($ref)}`}>{schemaName($ref)}</a>;
  if (schema.enum) return <Alternatives parts={schema.enum.map((value) => <code>{value}</code>)} />;
  if (anyOf) return <Alternatives parts={anyOf.map((part) => <Type schema={part} />)} />;
  if (items)
    return (
      <>
        array of <Type schema={items} />
      </>
    );
  if (type === 'object' && typeof additionalProperties === 'object')
    return (
      <>
        object of <Type schema={additionalProperties} />
      </>
    );
  const name = formats[format ?? ''] ?? [type ?? 'any value'].flat().join(' or ');
  return <>{[name, ...describeLimits(schema)].join(', ')}</>;
}

function Alternatives({ parts }: { parts: readonly unknown[] }) {
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index > 0 && (index < parts.length - 1 ? ', ' : ' or ')}
          {part}
        </>
      ))}
    </>
  );
}

/** Bounds of all integers are left out. */
function describeLimits({ minimum, maximum, minLength, maxLength }: JsonSchema): string[] {
  const isBound = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < 2 ** 53 - 1;
  return [
    ...(isBound(minimum) ? [isBound(maximum) ? `${minimum} to ${maximum}` : `at least ${minimum}`] : []),
    ...(maxLength === undefined
      ? []
      : [`${minLength ? `${minLength} to` : 'at most'} ${maxLength} characters`]),
  ];
}

/** The schemas to which these lead, directly or through others, in the order in which they are met. */
export function collectSchemas(roots: readonly JsonSchema[], schemas: Schemas) {
  const found = new Map<string, JsonSchema>();
  const visit = ({ $ref, anyOf = [], items, properties = {}, additionalProperties }: JsonSchema) => {
    if ($ref !== undefined) {
      const name = schemaName($ref);
      const schema = schemas[name];
      if (found.has(name) || !schema) return;
      found.set(name, schema);
      visit(schema);
    }
    const parts = [...anyOf, ...Object.values(properties), items, additionalProperties];
    for (const part of parts) if (typeof part === 'object') visit(part);
  };
  roots.forEach(visit);
  return [...found];
}
