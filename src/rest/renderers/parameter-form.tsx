// The query parameters of a GET, as a form with their present values. Empty values are ignored; parameters for which an
// empty value has a meaning are left out: links on the page set them.

import { z } from 'zod';
import type { RequestUrl } from '../request-url.ts';
import type { Parameter, Parameters } from '../resource.ts';
import { FormField } from './form-field.tsx';

interface ParameterFormProps {
  readonly parameters: Parameters;
  readonly url: RequestUrl;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export function ParameterForm({ parameters, url: { path, query }, errors }: ParameterFormProps) {
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
              field={toField(name, parameter)}
              value={values.get(name)}
              errors={errors[name] ?? []}
            />
          ))}
        </div>
        <button type="submit">GET</button> <a href={path}>Without parameters</a>
      </form>
    </details>
  );
}

function toField(name: string, { description, schema, lookup }: Parameter) {
  const { enum: values } = z.toJSONSchema(schema, { io: 'input' });
  const choices = values?.map((value) => ({ value: String(value), display_name: String(value) }));
  return { label: name, help: description, schema: {}, ...(choices && { choices }), lookup };
}
