// Forms for the operations of a resource that the viewer may use. They work without script: one has a field for each
// member, one takes JSON. The form for DELETE must be opened first, and says what will happen.

import { type Fields, isFileSchema } from '../fields.ts';
import type { Method } from '../methods.ts';
import { contentField, csrfTokenField, methodField } from '../parsers.ts';
import { FormField } from './form-field.tsx';

export interface Forms {
  readonly operations: { readonly method: Method; readonly fields?: Fields; readonly summary: string }[];
  /** Undefined if the viewer needs none. */
  readonly csrfToken: string | undefined;
  /** The present values, or those that were typed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

const writableFields = (fields: Fields) => Object.entries(fields).filter(([, { readOnly }]) => !readOnly);

export function OperationForms({ operations, action, ...rest }: Forms & { action: string }) {
  if (operations.length === 0) return null;
  const [post, put, patch, deletion] = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    operations.find((operation) => operation.method === method),
  );
  const common = { action, ...rest };
  return (
    <section class="operation-forms" aria-label="Actions">
      {post && <OperationForm {...common} method="POST" summary={post.summary} fields={post.fields ?? {}} />}
      {put?.fields && (
        <OperationForm
          {...common}
          method="PUT"
          summary={put.summary}
          fields={fieldsWithValues(put.fields, rest.values)}
        />
      )}
      {put?.fields && (
        <JsonForm {...common} methods={patch ? ['PUT', 'PATCH'] : ['PUT']} fields={put.fields} />
      )}
      {post?.fields && writableFields(post.fields).length > 0 && !needsFile(post.fields) && (
        <JsonForm {...common} methods={['POST']} fields={post.fields} />
      )}
      {deletion && (
        <details class="danger">
          <summary>DELETE …</summary>
          <OperationForm
            {...common}
            method="DELETE"
            summary={deletion.summary}
            fields={deletion.fields ?? {}}
          />
        </details>
      )}
    </section>
  );
}

/** A field without its present value would be sent empty and delete the value. */
function fieldsWithValues(fields: Fields, values: Forms['values']): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, { required }]) => required || Object.hasOwn(values, name)),
  );
}

/** A required file cannot be sent as JSON. */
const needsFile = (fields: Fields) =>
  Object.values(fields).some(({ schema, required }) => required && isFileSchema(schema));

const takesFiles = (fields: Fields) => Object.values(fields).some(({ schema }) => isFileSchema(schema));

interface FormProps extends Omit<Forms, 'operations'> {
  readonly action: string;
}

function HiddenInputs({ csrfToken, method }: { csrfToken: string | undefined; method?: Method }) {
  return (
    <>
      {csrfToken && <input type="hidden" name={csrfTokenField} value={csrfToken} />}
      {method && method !== 'POST' && <input type="hidden" name={methodField} value={method} />}
    </>
  );
}

interface OperationFormProps extends FormProps {
  readonly method: Method;
  readonly summary: string;
  readonly fields: Fields;
}

function OperationForm({ action, method, summary, fields, csrfToken, values, errors }: OperationFormProps) {
  const names = new Set(Object.keys(fields));
  const otherErrors = Object.entries(errors).filter(([name]) => !names.has(name));
  return (
    <form method="post" action={action} enctype={takesFiles(fields) ? 'multipart/form-data' : undefined}>
      <h2>{summary}</h2>
      {method === 'DELETE' && (
        <p>
          The button does this to <code>{action}</code> right away.
        </p>
      )}
      {otherErrors.map(([, sentences]) => (
        <p class="field-error">{sentences.join(' ')}</p>
      ))}
      <HiddenInputs csrfToken={csrfToken} method={method} />
      {writableFields(fields).map(([name, field]) => (
        <FormField
          id={`${method.toLowerCase()}-${name}`}
          name={name}
          field={field}
          value={values[name]}
          errors={errors[name] ?? []}
        />
      ))}
      <button class={method === 'DELETE' ? 'danger' : undefined} type="submit">
        {method === 'DELETE' ? 'Yes, DELETE' : method}
      </button>
    </form>
  );
}

interface JsonFormProps extends FormProps {
  readonly methods: readonly Method[];
  readonly fields: Fields;
}

function JsonForm({ action, methods, fields, csrfToken, values }: JsonFormProps) {
  const names = writableFields(fields)
    .filter(([, { schema }]) => schema.format !== 'password' && !isFileSchema(schema))
    .map(([name]) => name);
  const content = Object.fromEntries(
    names.map((name) => [name, values[name]]).filter(([, value]) => value !== undefined),
  );
  const id = `raw-${methods.join('-').toLowerCase()}`;
  return (
    <details>
      <summary>{methods.join(' or ')} with JSON</summary>
      <form method="post" action={action}>
        <HiddenInputs csrfToken={csrfToken} />
        <div class="form-field">
          <label for={id}>Content</label>
          <textarea id={id} name={contentField} rows={12} spellcheck={false} dir="ltr">
            {JSON.stringify(content, null, 4)}
          </textarea>
        </div>
        {methods.map((method) => (
          <button type="submit" name={methodField} value={method}>
            {method}
          </button>
        ))}
      </form>
    </details>
  );
}
