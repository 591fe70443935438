// What can be done at an address of the API, as forms that need no script: one with a field for each member, and one
// for JSON as it would be sent. Those who may not do a thing are not shown its form. What takes something away is a
// second act: its form is opened first, and says what will happen.

import { type Fields, isFile } from '../../fields.ts';
import { contentField, methodField, tokenField } from '../parsers.ts';
import type { Method } from '../resource.ts';
import { Member } from './member.tsx';

export interface Forms {
  readonly offered: { readonly method: Method; readonly fields?: Fields; readonly summary: string }[];
  /** What a form must bring against forgery. */
  readonly token: string | undefined;
  /** What is there, or what was typed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, readonly string[]>>;
}

const writableOf = (fields: Fields) => Object.entries(fields).filter(([, { readOnly }]) => !readOnly);

export function Actions({ offered, action, ...rest }: Forms & { action: string }) {
  if (offered.length === 0) return null;
  const by = (method: Method) => offered.find((one) => one.method === method);
  const [post, put, patch, gone] = [by('POST'), by('PUT'), by('PATCH'), by('DELETE')];
  const common = { action, ...rest };
  return (
    <section class="offers" aria-label="What you can do here">
      {post?.fields && <Members {...common} method="POST" summary={post.summary} fields={post.fields} />}
      {put?.fields && (
        <Members {...common} method="PUT" summary={put.summary} fields={known(put.fields, rest.values)} />
      )}
      {put?.fields && <Raw {...common} methods={patch ? ['PUT', 'PATCH'] : ['PUT']} fields={put.fields} />}
      {post?.fields && writableOf(post.fields).length > 0 && !needsFile(post.fields) && (
        <Raw {...common} methods={['POST']} fields={post.fields} />
      )}
      {gone && (
        <details class="danger">
          <summary>DELETE …</summary>
          <Members {...common} method="DELETE" summary={gone.summary} fields={gone.fields ?? {}} />
        </details>
      )}
    </section>
  );
}

/** A field whose value is not at hand would be sent empty, and take away what is there. */
function known(fields: Fields, values: Forms['values']): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, { required }]) => required || Object.hasOwn(values, name)),
  );
}

/** JSON could not bring it. */
const needsFile = (fields: Fields) =>
  Object.values(fields).some(({ schema, required }) => required && isFile(schema));

const takesFiles = (fields: Fields) => Object.values(fields).some(({ schema }) => isFile(schema));

interface FormProps extends Omit<Forms, 'offered'> {
  readonly action: string;
}

function Hidden({ token, method }: { token: string | undefined; method?: Method }) {
  return (
    <>
      {token && <input type="hidden" name={tokenField} value={token} />}
      {method && method !== 'POST' && <input type="hidden" name={methodField} value={method} />}
    </>
  );
}

interface MembersProps extends FormProps {
  readonly method: Method;
  readonly summary: string;
  readonly fields: Fields;
}

function Members({ action, method, summary, fields, token, values, wrong }: MembersProps) {
  const known = new Set(Object.keys(fields));
  const others = Object.entries(wrong).filter(([name]) => !known.has(name));
  return (
    <form method="post" action={action} enctype={takesFiles(fields) ? 'multipart/form-data' : undefined}>
      <h2>{summary}</h2>
      {method === 'DELETE' && (
        <p>
          This is done to <code>{action}</code> as soon as you press the button.
        </p>
      )}
      {others.map(([, sentences]) => (
        <p class="wrong">{sentences.join(' ')}</p>
      ))}
      <Hidden token={token} method={method} />
      {writableOf(fields).map(([name, field]) => (
        <Member
          id={`${method.toLowerCase()}-${name}`}
          name={name}
          field={field}
          value={values[name]}
          wrong={wrong[name] ?? []}
        />
      ))}
      <button class={method === 'DELETE' ? 'danger' : undefined} type="submit">
        {method === 'DELETE' ? 'Yes, DELETE' : method}
      </button>
    </form>
  );
}

interface RawProps extends FormProps {
  readonly methods: readonly Method[];
  readonly fields: Fields;
}

function Raw({ action, methods, fields, token, values }: RawProps) {
  const names = writableOf(fields)
    .filter(([, { schema }]) => schema.format !== 'password' && !isFile(schema))
    .map(([name]) => name);
  const content = Object.fromEntries(
    names.map((name) => [name, values[name]]).filter(([, value]) => value !== undefined),
  );
  const id = `raw-${methods.join('-').toLowerCase()}`;
  return (
    <details>
      <summary>{methods.join(' or ')} with JSON</summary>
      <form method="post" action={action}>
        <Hidden token={token} />
        <div class="member">
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
