// The parts of the forms on pages: they post to where they stand, work without a script, and show what was typed and
// what is wrong with it.

import { randomUUIDv7 } from 'bun';
import type { Child } from 'hono/jsx';
import type { Fields } from '../fields.ts';
import { tokenField } from '../rest/parsers.ts';
import { Member } from '../rest/renderers/member.tsx';
import type { Frame } from './frame.ts';
import type { Refused } from './serve.ts';

/** What shows that a form is of a page of ours; a visitor's need none. */
export function Token({ token }: Pick<Frame, 'token'>) {
  return token === undefined ? null : <input type="hidden" name={tokenField} value={token} />;
}

export const onceField = 'once';

/** Makes a form count once, however often it is sent. */
export function Once({ refused }: { refused?: Refused }) {
  const typed = refused?.typed[onceField];
  return <input type="hidden" name={onceField} value={typeof typed === 'string' ? typed : randomUUIDv7()} />;
}

interface MembersProps {
  readonly fields: Fields;
  /** What is there before anybody types. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly refused?: Refused;
  /** Tells the form's fields from those of another on the same page. */
  readonly prefix?: string;
}

export function Members({ fields, values = {}, refused, prefix = 'f' }: MembersProps) {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <Member
          id={`${prefix}-${name}`}
          name={name}
          field={field}
          value={typedOr(refused, name, values[name])}
          wrong={refused?.wrong[name] ?? []}
        />
      ))}
    </>
  );
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly help?: string }[];
  readonly chosen: unknown;
  readonly wrong?: readonly string[];
  readonly required?: boolean;
}

/** One of a few, all of which are seen at once. */
export function Choices({ name, legend, choices, chosen, wrong, required }: ChoicesProps) {
  const id = `f-${name}`;
  return (
    <fieldset class="member choices" id={id} tabindex={-1} aria-describedby={wrong && `${id}-wrong`}>
      <legend>{legend}</legend>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong.join(' ')}
        </p>
      )}
      {choices.map(({ value, label, help }) => (
        <div class="choice">
          <input
            type="radio"
            id={`${id}-${value}`}
            name={name}
            value={value}
            required={required}
            checked={value === chosen || undefined}
            aria-describedby={help && `${id}-${value}-words`}
          />
          <label for={`${id}-${value}`}>{label}</label>
          {help && (
            <p class="help" id={`${id}-${value}-words`}>
              {help}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  );
}

/** A window's title says first that something was not taken: that is what is read out. */
export function titleOf(refused: Refused | undefined, title: string): string {
  return refused ? `Not yet – ${title}` : title;
}

/** What was typed, or what is there. A secret is never given back. */
export function typedOr(refused: Refused | undefined, name: string, value: unknown): unknown {
  return refused ? refused.typed[name] : value;
}

interface WrongProps {
  readonly refused?: Refused;
  readonly fields?: Fields;
  readonly prefix?: string;
}

/** All that is wrong, before the form: each leads to its field. */
export function Wrong({ refused, fields = {}, prefix = 'f' }: WrongProps) {
  if (!refused) return null;
  return (
    <div class="mistakes" role="alert" tabindex={-1}>
      <h2>That could not be done yet</h2>
      <ul>
        {Object.entries(refused.wrong).map(([name, sentences]) => {
          const field = fields[name];
          return (
            <li>
              {field ? (
                <a href={`#${prefix}-${name}`}>
                  {field.label}: {sentences.join(' ')}
                </a>
              ) : (
                sentences.join(' ')
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ButtonFormProps {
  readonly action: string;
  readonly token: string | undefined;
  readonly children: Child;
  readonly kind?: 'plain' | 'quiet' | 'danger';
}

/** A form of one button. */
export function ButtonForm({ action, token, children, kind }: ButtonFormProps) {
  return (
    <form method="post" action={action}>
      <Token token={token} />
      <button class={kind} type="submit">
        {children}
      </button>
    </form>
  );
}
