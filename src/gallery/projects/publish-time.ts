// When a draft is published by itself.

import { z } from 'zod';
import { apiText } from '../../common/api-text.ts';
import { type Field, readText } from '../../common/fields.ts';
import { InvalidValue } from '../../common/inputs.ts';
import { addDays, type Instant, now, parseInstant } from '../instant.ts';
import { instant, optional } from '../line-format.ts';

const maxDaysAhead = 366;

/** With an offset: nobody has to guess the time zone, and no hour is skipped. */
const publishTimeField: Field<Instant | null> = {
  label: apiText('publishAt'),
  help: 'When a draft is published by itself: an ISO 8601 date-time with an offset. A time in the past publishes it now.',
  schema: { type: ['string', 'null'], format: 'date-time' },
  read(value) {
    if (value === null || value === '') return null;
    const text = readText(value);
    const parsed = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? parseInstant(text, 'UTC') : undefined;
    if (parsed === undefined) throw new InvalidValue(apiText('badPublishAt'));
    if (parsed > addDays(now(), maxDaysAhead)) throw new InvalidValue(apiText('latePublishAt'));
    return parsed;
  },
};

/** The member `publish_at` of a project: see ../projects/fields.ts. */
export const publishTimeMember = {
  field: publishTimeField,
  schema: z
    .string()
    .meta({ format: 'date-time' })
    .nullable()
    .describe('When a draft, or a project that waits for a moderator, is published by itself.'),
  line: optional(instant),
  initial: null,
  isCopied: false,
} as const;
