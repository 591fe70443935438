// The members of a project that are times: when a draft is published, and two of a class.

import { z } from 'zod';
import { apiText, type Text } from '#common/api-text.ts';
import type { Field } from '#rest/fields.ts';
import { instant, optional } from '../core/dump/line-format.ts';
import type { Instant } from '../core/instant.ts';
import { readTimeAhead } from '../core/time-ahead.ts';

/** With an offset: nobody has to guess the time zone, and no hour is skipped. */
const timeField = (label: Text, help: string): Field<Instant | null> => ({
  label,
  help: `${help} An ISO 8601 date-time with an offset.`,
  schema: { type: ['string', 'null'], format: 'date-time' },
  read: readTimeAhead,
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
