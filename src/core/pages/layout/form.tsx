// Components for forms. A form posts to its own page, works without scripts, and after an error is shown again with the
// values that were entered and the messages.

import { randomUUIDv7 } from 'bun';
import type { Text } from '#common/api-text.ts';
import type { Fields } from '#rest/fields.ts';
import type { Child, JSX } from '#rest/jsx/jsx-runtime.ts';
import { csrfTokenField } from '#rest/parsers.ts';
import { FormField } from '#rest/renderers/form-field.tsx';
import type { Translator } from '../../texts/translator.ts';
import { type FormErrors, useLanguage, useLayout } from './layout-data.ts';

type FormProps = Omit<JSX.IntrinsicElements['form'], 'children'> & { readonly children?: Child };

/** A form that writes, with the CSRF token. Those of anonymous visitors need none. */
export function Form({ action, children, ...attributes }: FormProps) {
  const { csrfToken } = useLayout();
  return (
    <form {...attributes} method="post" action={action}>
      {csrfToken !== undefined && <input type="hidden" name={csrfTokenField} value={csrfToken} />}
      {children}
    </form>
  );
}

export const onceField = 'once';

/** The idempotency key of a form: a form that is sent twice writes once. */
export function OnceField({ formErrors }: { formErrors?: FormErrors }) {
  const key = formErrors?.values[onceField];
  return <input type="hidden" name={onceField} value={typeof key === 'string' ? key : randomUUIDv7()} />;
}

/** The same fields, with labels, help and choices in the language. */
export function translateFields<Declared extends Fields>(
  { translate }: Translator,
  fields: Declared,
): Declared {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        label: translate(field.label),
        help: field.help && translate(field.help),
        choices: field.choices?.map((choice) => ({
          ...choice,
          display_name: translate(choice.display_name),
        })),
      },
    ]),
  ) as unknown as Declared;
}

interface FormFieldsProps {
  readonly fields: Fields;
  /** The initial values. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly formErrors?: FormErrors | undefined;
  /** The prefix of the fields' ids, which differs between the forms of one page. */
  readonly prefix?: string | undefined;
  /** Above the control of the field `text`. */
  readonly textTools?: Child;
}

export function FormFields({ fields, values = {}, formErrors, prefix = 'f', textTools }: FormFieldsProps) {
  const language = useLanguage();
  return (
    <>
      {Object.entries(translateFields(language, fields)).map(([name, field]) => (
        <FormField
          id={`${prefix}-${name}`}
          name={name}
          field={field}
          value={getFieldValue(formErrors, name, values[name])}
          errors={(formErrors?.errors[name] ?? []).map(language.translate)}
          tools={name === 'text' && textTools}
        >
          {/* The script shows it. */}
          {field.schema.format === 'password' && (
            <button type="button" class="plain show-password" aria-pressed="false" hidden>
              {language.t('form.showPassword')}
            </button>
          )}
        </FormField>
      ))}
    </>
  );
}

export interface PostFormProps extends FormProps, Partial<FormFieldsProps> {
  /** The label of its button. */
  readonly button: Child;
  readonly variant?: 'danger' | undefined;
  readonly buttonAttributes?: Readonly<Record<string, string>>;
  /** A form that is sent twice writes once. */
  readonly isOnce?: boolean;
  /** Between the fields and the button. */
  readonly after?: Child;
}

/** A form with its errors above it. The children, hidden fields and text, are before the fields. */
export function PostForm(props: PostFormProps) {
  const {
    fields = {},
    values,
    formErrors,
    prefix,
    isOnce,
    after,
    button,
    variant,
    buttonAttributes,
    ...form
  } = props;
  return (
    <>
      <ErrorSummary formErrors={formErrors} fields={fields} prefix={prefix} />
      <Form class="stacked-form" {...form}>
        {isOnce && <OnceField formErrors={formErrors} />}
        {form.children}
        <FormFields fields={fields} values={values} formErrors={formErrors} prefix={prefix} />
        {after}
        <button class={variant} type="submit" {...buttonAttributes}>
          {button}
        </button>
      </Form>
    </>
  );
}

interface ChoiceGroupProps {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly { readonly value: string; readonly label: Child; readonly help?: string }[];
  readonly errors?: readonly Text[] | undefined;
  readonly help?: string | undefined;
}

interface RadioGroupProps extends ChoiceGroupProps {
  readonly selected: unknown;
  readonly required?: boolean;
}

/** A choice between a few values, as radio buttons. */
export const RadioGroup = ({ selected, required, ...group }: RadioGroupProps) => (
  <ChoiceGroup {...group} type="radio" required={required} isSelected={(value) => value === selected} />
);

interface CheckboxGroupProps extends ChoiceGroupProps {
  readonly help: string;
  readonly selected: readonly unknown[];
}

/** A choice of several values. */
export const CheckboxGroup = ({ selected, ...group }: CheckboxGroupProps) => (
  <ChoiceGroup {...group} type="checkbox" isSelected={(value) => selected.includes(value)} />
);

interface ChoiceInputsProps extends ChoiceGroupProps {
  readonly type: 'radio' | 'checkbox';
  readonly required?: boolean | undefined;
  isSelected(value: string): boolean;
}

function ChoiceGroup(props: ChoiceInputsProps) {
  const { name, legend, choices, errors, type, help: groupHelp, required, isSelected } = props;
  const language = useLanguage();
  const id = `f-${name}`;
  // The values of checkboxes may be paths, which are no ids.
  const idOf = (value: string, index: number) => `${id}-${type === 'radio' ? value : index}`;
  const describedBy = [groupHelp && `${id}-help`, errors && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <fieldset
      class={type === 'radio' ? 'form-field choices' : 'form-field choices several'}
      id={id}
      tabindex={-1}
      aria-describedby={describedBy || undefined}
    >
      <legend>{legend}</legend>
      {groupHelp && (
        <p class="help" id={`${id}-help`}>
          {groupHelp}
        </p>
      )}
      {errors && (
        <p class="field-error" id={`${id}-wrong`}>
          {language.join(errors)}
        </p>
      )}
      {choices.map(({ value, label, help }, index) => (
        <div class="choice">
          <input
            type={type}
            id={idOf(value, index)}
            name={name}
            value={value}
            required={required}
            checked={isSelected(value) || undefined}
            aria-describedby={help && `${idOf(value, index)}-words`}
          />
          <label for={idOf(value, index)}>{label}</label>
          {help && (
            <p class="help" id={`${idOf(value, index)}-words`}>
              {help}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  );
}

/** The value that was entered, or the initial one. */
export function getFieldValue(formErrors: FormErrors | undefined, name: string, value: unknown): unknown {
  return formErrors ? formErrors.values[name] : value;
}

/** All errors above the form, each a link to its field, in the order of the fields; those of no field come first. */
export function ErrorSummary({ formErrors, fields = {}, prefix = 'f' }: Partial<FormFieldsProps>) {
  const language = useLanguage();
  // A preview shows a form again, without errors.
  if (!formErrors || Object.keys(formErrors.errors).length === 0) return null;
  const shownFields = translateFields(language, fields);
  const order = Object.keys(shownFields);
  const errors = Object.entries(formErrors.errors).sort(
    ([one], [other]) => order.indexOf(one) - order.indexOf(other),
  );
  return (
    <div class="error-summary" role="alert" tabindex={-1}>
      <h2>{language.t('form.errors')}</h2>
      <ul>
        {errors.map(([name, messages]) => {
          const field = shownFields[name];
          const text = language.join(messages);
          return (
            <li>
              {field ? (
                <a href={`#${prefix}-${name}`}>
                  {`${field.label}`.replace(/(?<!\?)$/, ':')} {text}
                </a>
              ) : (
                text
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A part of a text that only screen readers read. */
export const visuallyHidden = (text: Child) => <span class="visually-hidden">{text}</span>;

/** The label of a button or link in a list: screen readers add the name of what it acts on. */
export function NamedAction({ action, name }: { action: string; name: string }) {
  return <>{useLanguage().rich('form.named', { action, name, hidden: visuallyHidden })}</>;
}

interface ButtonFormProps {
  readonly action: string;
  readonly children: Child;
  readonly variant?: 'plain' | 'quiet' | 'danger';
  /** Of the button. */
  readonly name?: string;
  readonly value?: string;
  /** What the form sends. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A button that sends a form, beside or after a more important one. */
export const QuietButton = ({ children }: { children: Child }) => (
  <button class="quiet" type="submit">
    {children}
  </button>
);

/** A form with a single button. */
export function ButtonForm({ action, children, variant, values = {}, ...nameAndValue }: ButtonFormProps) {
  return (
    <Form action={action}>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class={variant} type="submit" {...nameAndValue}>
        {children}
      </button>
    </Form>
  );
}
