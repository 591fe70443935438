// The query parameters of a GET, as a form with their present values. Empty values are ignored; parameters for which an
// empty value has a meaning are left out: links on the page set them.

import { z } from 'zod';
import type { RequestUrl } from '../request-url.ts';
import type { Parameter, Parameters } from '../resource.ts';
import { FormField } from './form-field.tsx';

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
  if (!parameter) return undefined;
  const { enum: values, examples } = z.toJSONSchema(parameter.schema, { io: 'input' });
  return (values ?? examples)?.map(String);
}
