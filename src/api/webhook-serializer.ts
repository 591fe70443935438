// Webhooks as the API shows them.

import { z } from 'zod';
import { formatInstant, type Instant } from '../gallery/instant.ts';
import {
  attemptErrors,
  type CountedWebhook,
  disabledReasons,
  webhookEvents,
} from '../gallery/webhooks/webhook.ts';
import { idSchema } from './operation.ts';
import { timestampSchema } from './timestamp.ts';

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const webhookSchema = z
  .object({
    id: idSchema,
    url: z.url(),
    events: z.enum(webhookEvents).describe('`own`: changes of your projects. `gallery`: all.'),
    filter: z.string().describe('Filters such as `tags=paper`, or empty.'),
    active: z.boolean(),
    disabled: timestampSchema.nullable().describe('Since when it is switched off.'),
    disabled_reason: z.enum(disabledReasons).nullable().describe('Why it is switched off.'),
    created: timestampSchema,
    position: number.describe('All changes up to this number were delivered, or are dead letters.'),
    failures: number.describe('How often the next event has failed.'),
    next_attempt: timestampSchema.nullable().describe('When it is tried again; null if it does not fail.'),
    last_success: timestampSchema.nullable(),
    dead_letters: number.describe('How many events could not be delivered within three days.'),
  })
  .meta({ id: 'Webhook', description: 'An address to which the gallery sends changes.' });
export const webhooksSchema = z
  .array(webhookSchema)
  .meta({ id: 'Webhooks', description: 'All your webhooks.' });
export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Signs the events; it is never shown again.') })
  .meta({ id: 'NewWebhook', description: 'A webhook with a new secret.' });
const attemptSchema = z
  .object({
    id: idSchema,
    sequence: number.describe('The number of the change; 0 for a test.'),
    at: timestampSchema,
    status: z.int().nullable().describe('Of the response; null without one.'),
    error: z.enum(attemptErrors).describe('What went wrong; empty after a success.'),
    milliseconds: number,
    request: z.string().describe('The headers and the body as JSON.'),
    response: z.string().describe('The beginning of the body.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'A request to a webhook.' });
export const attemptsSchema = z
  .object({
    results: z.array(attemptSchema),
    dead_letters: z.array(z.object({ sequence: number, at: timestampSchema })),
  })
  .meta({ id: 'WebhookAttempts', description: 'The last requests, the newest first, and all dead letters.' });

export function serializeWebhook(
  {
    id,
    url,
    events,
    filter,
    disabled,
    disabled_reason,
    created,
    position,
    ...state
  }: Omit<CountedWebhook, 'secret'>,
  timeZone: string,
): z.input<typeof webhookSchema> {
  const formatTime = (instant: Instant | null) =>
    instant === null || instant === 0 ? null : formatInstant(instant, timeZone);
  return {
    id,
    url,
    events,
    filter,
    active: disabled === null,
    disabled: formatTime(disabled),
    disabled_reason,
    created: formatInstant(created, timeZone),
    position,
    failures: state.failures,
    next_attempt: formatTime(state.next_attempt),
    last_success: formatTime(state.last_success),
    dead_letters: state.dead_letters,
  };
}
