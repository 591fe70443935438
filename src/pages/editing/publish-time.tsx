// The field for a time to publish at, in the forms for projects. A script puts it into the time zone of the browser; without
// one, it is in that of the site.

import { apiText, type Text } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { toText } from '../../common/fields.ts';
import { InvalidValue } from '../../common/inputs.ts';
import { formatInstant, type Instant, readLocalTime } from '../../gallery/instant.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { publishTimeMember } from '../../gallery/projects/time-members.ts';
import { getFieldValue } from '../layout/form.tsx';
import { type FormErrors, useLanguage, useLayout } from '../layout/layout-data.ts';

interface PublishTimeProps {
  readonly project: Pick<Project, 'publish_at'> | undefined;
  readonly formErrors: FormErrors | undefined;
}

const id = 'f-publish_time';

export function PublishTime({ project, formErrors }: PublishTimeProps) {
  const language = useLanguage();
  const { timeZone } = useLayout();
  const instant = project?.publish_at ?? null;
  const local = instant === null ? '' : formatInstant(instant, timeZone).slice(0, 16);
  const errors = formErrors?.errors.publish_time;
  const zone = String(getFieldValue(formErrors, 'publish_zone', timeZone) ?? timeZone);
  return (
    <div class="form-field">
      <label for={id}>{language.t('publishTime.label')}</label>
      <p class="help" id={`${id}-help`}>
        {language.rich('publishTime.help', { zone: <span class="publish-zone">{zone}</span> })}
      </p>
      {errors && (
        <p class="field-error" id={`${id}-wrong`}>
          {language.join(errors)}
        </p>
      )}
      <input
        id={id}
        type="datetime-local"
        name="publish_time"
        value={String(getFieldValue(formErrors, 'publish_time', local) ?? '')}
        data-instant={formErrors || instant === null ? undefined : new Date(instant / 1000).toISOString()}
        aria-describedby={errors ? `${id}-help ${id}-wrong` : `${id}-help`}
        aria-invalid={errors ? 'true' : undefined}
      />
      <input type="hidden" name="publish_zone" value={zone} />
    </div>
  );
}

const refuse = (text: Text) => new Invalid({ publish_time: [text] });

/** Null for an empty field, undefined for a form without it. */
export function readPublishTime(
  { publish_time, publish_zone }: Readonly<Record<string, unknown>>,
  timeZone: string,
): Instant | null | undefined {
  if (publish_time === undefined) return undefined;
  const text = toText(publish_time).trim();
  if (text === '') return null;
  const instant = readLocalTime(text, toText(publish_zone) || timeZone);
  if (instant === 'skipped') throw refuse(apiText('skippedHour'));
  if (instant === undefined) throw refuse(apiText('notDate'));
  try {
    return publishTimeMember.field.read(formatInstant(instant, 'UTC'));
  } catch (error) {
    if (error instanceof InvalidValue) throw refuse(error.text);
    throw error;
  }
}
