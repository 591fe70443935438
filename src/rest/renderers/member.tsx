// A labelled control for one member of a body or one parameter of a query, with what is said of it.

import { type Field, isFile } from '../../fields.ts';

interface MemberProps {
  readonly id: string;
  readonly name: string;
  readonly field: Omit<Field, 'read' | 'readOnly'>;
  readonly value: unknown;
  readonly wrong: readonly string[];
}

export function Member({ id, name, field, value, wrong }: MemberProps) {
  const described = [field.help ? `${id}-help` : '', wrong.length ? `${id}-wrong` : '']
    .filter(Boolean)
    .join(' ');
  const common = {
    id,
    name,
    required: field.required || undefined,
    autocomplete: field.autocomplete,
    'aria-describedby': described || undefined,
    'aria-invalid': wrong.length ? 'true' : undefined,
  };
  return (
    <div class="member">
      <label for={id}>{field.label}</label>
      {field.help && (
        <p class="help" id={`${id}-help`}>
          <Told text={field.help} />
        </p>
      )}
      {wrong.length > 0 && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong.join(' ')}
        </p>
      )}
      <Control common={common} field={field} value={value} />
    </div>
  );
}

/** What stands between backticks is code, as in the OpenAPI document. */
function Told({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>;
}

/** Longer texts want more than a line. */
const oneLine = 300;

interface ControlProps extends Pick<MemberProps, 'field' | 'value'> {
  readonly common: { readonly id: string };
}

function Control({ common, field, value }: ControlProps) {
  const { choices, schema, lookUp } = field;
  const text = value === null || value === undefined ? '' : String(value);
  if (choices) {
    return (
      <select {...common}>
        {!field.required && <option value="">–</option>}
        {choices.map((choice) => (
          <option value={String(choice.value)} selected={text === String(choice.value) || undefined}>
            {choice.display_name}
          </option>
        ))}
      </select>
    );
  }
  if (lookUp) {
    const list = `${common.id}-found`;
    const { address, value: given, label, several } = lookUp;
    const told = { 'data-value': given, 'data-label': label, 'data-several': several ? '' : undefined };
    return (
      <>
        <input {...common} type="text" dir="auto" value={text} list={list} autocomplete="off" />
        <datalist id={list} data-look-up={address} {...told} />
      </>
    );
  }
  if (isFile(schema)) return <input {...common} type="file" multiple={schema.maxItems !== 1} />;
  if (schema.format === 'password') return <input {...common} type="password" />;
  if (schema.type === 'integer') {
    return <input {...common} type="number" min={Number(schema.minimum)} value={text} />;
  }
  if (Number(schema.maxLength) > oneLine && schema.format !== 'uri') {
    return (
      <textarea {...common} rows={8} dir="auto">
        {/* The first line break is not part of what is in it. */}
        {`\n${text}`}
      </textarea>
    );
  }
  return <input {...common} type="text" dir="auto" value={text} />;
}
