// The members of a project that are times: when a draft is published, and two of a class.

import { z } from 'zod';
import { apiText, type Text } from '../../common/api-text.ts';
import { type Field, readText } from '../../common/fields.ts';
import { InvalidValue } from '../../common/inputs.ts';
import { addDays, type Instant, now, parseInstant } from '../instant.ts';
import { instant, optional } from '../line-format.ts';

const maxDaysAhead = 366;

/** With an offset: nobody has to guess the time zone, and no hour is skipped. */
const timeField = (label: Text, help: string): Field<Instant | null> => ({
  label,
  help: `${help} An ISO 8601 date-time with an offset.`,
  schema: { type: ['string', 'null'], format: 'date-time' },
  read(value) {
    if (value === null || value === '') return null;
    const text = readText(value);
    const parsed = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? parseInstant(text, 'UTC') : undefined;
    if (parsed === undefined) throw new InvalidValue(apiText('badTime'));
    if (parsed > addDays(now(), maxDaysAhead)) throw new InvalidValue(apiText('lateTime'));
    return parsed;
  },
});

/** See fields.ts. */
const timeMember = (label: Text, help: string, description: string) =>
  ({
    field: timeField(label, help),
    schema: z.string().meta({ format: 'date-time' }).nullable().describe(description),
    line: optional(instant),
    initial: null,
    isCopied: false,
  }) as const;

export const publishTimeMember = timeMember(
  apiText('publishAt'),
  'When a draft is published by itself: a time in the past publishes it now.',
  'When a draft, or a project that waits for a moderator, is published by itself.',
);

export const dueMember = timeMember(
  apiText('due'),
  'For classes: when what is handed in is taken.',
  'For classes: when what is handed in is taken.',
);

export const endsMember = timeMember(apiText('ends'), 'When a class ends.', 'When a class ends.');
