// What a GET of this address can be told, as a form that holds what it was told. A parameter that is left empty is
// as good as none; those to which an empty value says something are not asked for here: they are reached by links.

import { z } from 'zod';
import type { Address } from '../address.ts';
import type { Parameter, Parameters } from '../resource.ts';
import { Member } from './member.tsx';

interface FiltersProps {
  readonly parameters: Parameters;
  readonly address: Address;
  readonly wrong: Readonly<Record<string, readonly string[]>>;
}

export function Filters({ parameters, address: { path, query }, wrong }: FiltersProps) {
  const asked = Object.entries(parameters).filter(([, { emptyCounts }]) => !emptyCounts);
  if (asked.length === 0) return null;
  const given = new Map(query);
  const set = asked.map(([name]) => name).filter((name) => given.get(name));
  return (
    <details class="filters" open={set.some((name) => wrong[name]) || undefined}>
      <summary>Parameters{set.length > 0 && `: ${set.join(', ')}`}</summary>
      <form action={path} data-sparse="">
        <div class="fields">
          {asked.map(([name, parameter]) => (
            <Member
              id={`get-${name}`}
              name={name}
              field={fieldOf(name, parameter)}
              value={given.get(name)}
              wrong={wrong[name] ?? []}
            />
          ))}
        </div>
        <button type="submit">GET</button> <a href={path}>Without parameters</a>
      </form>
    </details>
  );
}

function fieldOf(name: string, { description, schema, lookUp }: Parameter) {
  const { enum: values } = z.toJSONSchema(schema, { io: 'input' });
  const choices = values?.map((value) => ({ value: String(value), display_name: String(value) }));
  return { label: name, help: description, schema: {}, ...(choices && { choices }), lookUp };
}
