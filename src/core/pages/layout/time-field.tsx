// A field for a time. A script puts it into the time zone of the browser; without one, it is in that of the site.

import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { toText } from '#rest/fields.ts';
import { formatInstant, type Instant, readLocalTime } from '../../instant.ts';
import type { MessageKey } from '../../texts/languages.ts';
import { readTimeAhead } from '../../time-ahead.ts';
import { getFieldValue } from './form.tsx';
import { type FormErrors, useLanguage, useLayout } from './layout-data.ts';

interface TimeFieldProps {
  readonly name: string;
  readonly label: MessageKey;
  /** It names the `zone`. */
  readonly help: MessageKey;
  readonly instant: Instant | null;
  readonly formErrors: FormErrors | undefined;
}

export function TimeField({ name, label, help, instant, formErrors }: TimeFieldProps) {
  const id = `f-${name}`;
  const language = useLanguage();
  const { timeZone } = useLayout();
  const local = instant === null ? '' : formatInstant(instant, timeZone).slice(0, 16);
  const errors = formErrors?.errors[name];
  const zone = String(getFieldValue(formErrors, 'time_zone', timeZone) ?? timeZone);
  return (
    <div class="form-field">
      <label for={id}>{language.t(label)}</label>
      <p class="help" id={`${id}-help`}>
        {language.rich(help, { zone: <span class="time-zone">{zone}</span> })}
      </p>
      {errors && (
        <p class="field-error" id={`${id}-wrong`}>
          {language.join(errors)}
        </p>
      )}
      <input
        id={id}
        type="datetime-local"
        name={name}
        value={String(getFieldValue(formErrors, name, local) ?? '')}
        data-instant={formErrors || instant === null ? undefined : new Date(instant / 1000).toISOString()}
        aria-describedby={errors ? `${id}-help ${id}-wrong` : `${id}-help`}
        aria-invalid={errors ? 'true' : undefined}
      />
      <input type="hidden" name="time_zone" value={zone} />
    </div>
  );
}

/** Null for an empty field, undefined for a form without it. */
export function readTimeField(
  data: Readonly<Record<string, unknown>>,
  name: string,
  timeZone: string,
): Instant | null | undefined {
  if (data[name] === undefined) return undefined;
  const refuse = (text: Text) => new Invalid({ [name]: [text] });
  const text = toText(data[name]).trim();
  if (text === '') return null;
  const instant = readLocalTime(text, toText(data.time_zone) || timeZone);
  if (instant === 'skipped') throw refuse(apiText('skippedHour'));
  if (instant === undefined) throw refuse(apiText('notDate'));
  try {
    return readTimeAhead(formatInstant(instant, 'UTC'));
  } catch (error) {
    if (error instanceof InvalidValue) throw refuse(error.text);
    throw error;
  }
}
