// A form that sends an operation's request. With script the response is shown below it; without, the form opens the
// path in the browsable API, which has forms for writes.

import type { JsonSchema, OpenApiDocument, Schemas } from '../openapi/document.ts';
import { exampleBody } from './examples.ts';
import { type DocumentedOperation, listBodyMembers, resolve } from './operations.ts';

/** The parameter of `open/` that names the path; the others are the values of the path and of the query. */
const pathField = '_path';

interface TryFormProps {
  readonly operation: DocumentedOperation;
  readonly schemas: Schemas;
  /** The path of the documentation. */
  readonly base: string;
}

export function TryForm({ operation, schemas, base }: TryFormProps) {
  const { id, method, path, parameters } = operation;
  return (
    <details class="try">
      <summary>Try it</summary>
      <form action={`${base}open/`} data-method={method} data-path={path}>
        <input type="hidden" name={pathField} value={path} />
        {parameters.map(({ name, in: place, required, schema }) => (
          <Field id={`${id}--${name}`} label={name} isRequired={required}>
            <Control
              id={`${id}--${name}`}
              // Without script only a GET is sent, which has no headers of its own.
              name={place === 'path' || (method === 'GET' && place === 'query') ? name : undefined}
              place={place}
              parameter={name}
              isRequired={required}
              schema={resolve(schema, schemas)}
            />
          </Field>
        ))}
        <BodyFields operation={operation} schemas={schemas} />
        <button type="submit" class={method === 'DELETE' ? 'danger' : undefined}>
          Open in the browsable API
        </button>
      </form>
    </details>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly children?: unknown;
}

function Field({ id, label, isRequired, children }: FieldProps) {
  return (
    <div class="form-field">
      <label for={id}>
        <code>{label}</code>
        {isRequired && ' (required)'}
      </label>
      {children}
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly name: string | undefined;
  readonly place: string;
  readonly parameter: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

function Control({ id, name, place, parameter, isRequired, schema }: ControlProps) {
  const common = { id, name, 'data-in': place, 'data-name': parameter, required: isRequired || undefined };
  if (schema.enum)
    return (
      <select {...common}>
        <option value="">–</option>
        {schema.enum.map((value) => (
          <option value={String(value)}>{value}</option>
        ))}
      </select>
    );
  const example = schema.examples?.[0];
  return (
    <input
      {...common}
      type="text"
      autocomplete="off"
      spellcheck={false}
      placeholder={typeof example === 'string' ? example : undefined}
    />
  );
}

/** A file if the operation needs one, else JSON. */
function BodyFields({ operation, schemas }: Pick<TryFormProps, 'operation' | 'schemas'>) {
  const { id } = operation;
  const body = exampleBody(operation, schemas);
  const file = listBodyMembers(operation).find(({ isFile, isRequired }) => isFile && isRequired);
  if (file)
    return (
      <Field id={`${id}--file`} label={file.name}>
        <input id={`${id}--file`} type="file" multiple data-in="file" data-name={file.name} />
      </Field>
    );
  if (body === undefined) return null;
  return (
    <Field id={`${id}--body`} label="JSON">
      <textarea id={`${id}--body`} rows={6} spellcheck={false} dir="ltr" data-in="body">
        {JSON.stringify(body, null, 2)}
      </textarea>
    </Field>
  );
}

/**
 * The address that the form opens without script. Undefined if the document has no such path, or a part of the path is
 * missing.
 */
export function findOpenedUrl({ paths }: OpenApiDocument, query: URLSearchParams): string | undefined {
  const template = query.get(pathField) ?? '';
  if (!Object.hasOwn(paths, template)) return undefined;
  const rest = new URLSearchParams([...query].filter(([name, value]) => name !== pathField && value !== ''));
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (!names.every((name) => rest.has(name))) return undefined;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(rest.get(name) ?? ''));
  for (const name of names) rest.delete(name);
  return `${path}${rest.size ? '?' : ''}${rest}`;
}
