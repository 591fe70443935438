// A labelled control for a member of a body or a query parameter, with its help and errors.

import { type Field, isFileSchema } from '../fields.ts';
import type { Child } from '../jsx/jsx-runtime.ts';
import type { RequestUrl } from '../request-url.ts';
import type { Parameter, Parameters } from '../resource.ts';
import { CodeText } from './code-text.tsx';

interface FormFieldProps {
  readonly id: string;
  readonly name: string;
  readonly field: Omit<Field, 'read' | 'readOnly'>;
  readonly value: unknown;
  readonly errors: readonly string[];
  /** Between the label and the control. */
  readonly tools?: Child;
  /** Below the control. */
  readonly children?: Child;
}

export function FormField({ id, name, field, value, errors, tools, children }: FormFieldProps) {
  const describedBy = [field.help ? `${id}-help` : '', errors.length ? `${id}-wrong` : '']
    .filter(Boolean)
    .join(' ');
  const attributes = {
    id,
    name,
    required: field.required || undefined,
    autocomplete: field.autocomplete,
    placeholder: field.placeholder,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': errors.length ? 'true' : undefined,
  };
  return (
    <div class="form-field">
      <label for={id}>{String(field.label)}</label>
      {field.help && (
        <p class="help" id={`${id}-help`}>
          <CodeText text={String(field.help)} />
        </p>
      )}
      {errors.length > 0 && (
        <p class="field-error" id={`${id}-wrong`}>
          {errors.join(' ')}
        </p>
      )}
      {tools}
      <Control attributes={attributes} field={field} value={value} />
      {children}
    </div>
  );
}

/** Longer texts get a textarea. */
const maxLineLength = 300;

interface ControlProps extends Pick<FormFieldProps, 'field' | 'value'> {
  readonly attributes: { readonly id: string };
}

function Control({ attributes, field, value }: ControlProps) {
  const { choices, schema, lookup, accept } = field;
  const text = value === null || value === undefined ? '' : String(value);
  if (choices) {
    return (
      // One is always chosen: without an empty option, HTML allows no `required`.
      <select {...attributes} required={undefined}>
        {!field.required && <option value="">–</option>}
        {choices.map((choice) => (
          <option value={String(choice.value)} selected={text === String(choice.value) || undefined}>
            {String(choice.display_name)}
          </option>
        ))}
      </select>
    );
  }
  if (lookup) {
    const listId = `${attributes.id}-found`;
    const { url, valueMember, labelMember, isMultiple } = lookup;
    const dataAttributes = {
      'data-value': valueMember,
      'data-label': labelMember,
      'data-multiple': isMultiple ? '' : undefined,
    };
    return (
      <>
        <input {...attributes} type="text" dir="auto" value={text} list={listId} autocomplete="off" />
        <datalist id={listId} data-lookup={url} {...dataAttributes} />
      </>
    );
  }
  if (isFileSchema(schema))
    return <input {...attributes} type="file" accept={accept} multiple={schema.maxItems !== 1} />;
  // From right to left, "ada@" would begin with the sign while it is typed.
  if (schema.format === 'password') return <input {...attributes} type="password" dir="ltr" />;
  if (schema.format === 'email') return <input {...attributes} type="email" dir="ltr" value={text} />;
  if (schema.type === 'integer')
    return <input {...attributes} type="number" min={Number(schema.minimum)} value={text} />;
  if (Number(schema.maxLength) > maxLineLength && schema.format !== 'uri') {
    return (
      <textarea {...attributes} rows={8} dir="auto">
        {/* HTML ignores the first line break. */}
        {`\n${text}`}
      </textarea>
    );
  }
  return <input {...attributes} type="text" dir="auto" value={text} />;
}

// The query parameters of a GET, as a form with their present values. Empty values are ignored; parameters for which an
// empty value has a meaning are left out: links on the page set them.

interface ParameterFormProps {
  readonly parameters: Parameters;
  readonly url: RequestUrl;
  /** The list is shown as a table, and stays one. */
  readonly isTable: boolean;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export function ParameterForm({ parameters, url: { path, query }, isTable, errors }: ParameterFormProps) {
  const entries = Object.entries(parameters).filter(([, { acceptsEmpty }]) => !acceptsEmpty);
  if (entries.length === 0) return null;
  const values = new Map(query);
  const namesInUse = entries.map(([name]) => name).filter((name) => values.get(name));
  return (
    <details class="filters" open={namesInUse.some((name) => errors[name]) || undefined}>
      <summary>Parameters{namesInUse.length > 0 && `: ${namesInUse.join(', ')}`}</summary>
      <form action={path} data-omit-empty="">
        <div class="fields">
          {entries.map(([name, parameter]) => (
            <FormField
              id={`get-${name}`}
              name={name}
              field={toField(name, parameter, values.get(name))}
              value={values.get(name)}
              errors={errors[name] ?? []}
            />
          ))}
        </div>
        {isTable && <input type="hidden" name="format" value="table" />}
        <button type="submit">GET</button>{' '}
        <a href={isTable ? `${path}?format=table` : path}>Without parameters</a>
      </form>
    </details>
  );
}

function toField(name: string, parameter: Parameter, value = '') {
  const { description, lookup } = parameter;
  const choices = listChoices(parameter);
  // An address may combine them.
  const offered = choices?.includes(value) || value === '' ? choices : choices && [value, ...choices];
  return {
    label: name,
    help: description,
    schema: {},
    ...(offered && { choices: offered.map((choice) => ({ value: choice, display_name: choice })) }),
    lookup,
  };
}

/** The values that a parameter takes, or those that are offered; undefined if it takes any. */
export function listChoices(parameter: Parameter | undefined): string[] | undefined {
  const values = parameter?.schema.enum ?? parameter?.schema.examples;
  return Array.isArray(values) ? values.map(String) : undefined;
}
