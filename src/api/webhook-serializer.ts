// Webhooks as the API shows them.

import { z } from 'zod';
import { formatInstant, type Instant } from '../gallery/instant.ts';
import {
  attemptErrors,
  type CountedWebhook,
  disabledReasons,
  webhookEvents,
} from '../gallery/webhooks/webhook.ts';
import { formatOptionalInstant, idSchema, numberSchema, timestampSchema, toRecord } from './schemas.ts';

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
    position: numberSchema.describe('All changes up to this number were delivered, or are dead letters.'),
    failures: numberSchema.describe('How often the next event has failed.'),
    next_attempt: timestampSchema.nullable().describe('When it is tried again; null if it does not fail.'),
    last_success: timestampSchema.nullable(),
    dead_letters: numberSchema.describe('How many events could not be delivered within three days.'),
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
    sequence: numberSchema.describe('The number of the change; 0 for a test.'),
    at: timestampSchema,
    status: z.int().nullable().describe('Of the response; null without one.'),
    error: z.enum(attemptErrors).describe('What went wrong; empty after a success.'),
    milliseconds: numberSchema,
    request: z.string().describe('The headers and the body as JSON.'),
    response: z.string().describe('The beginning of the body.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'A request to a webhook.' });
export const attemptsSchema = z
  .object({
    results: z.array(attemptSchema),
    dead_letters: z.array(z.object({ sequence: numberSchema, at: timestampSchema })),
  })
  .meta({ id: 'WebhookAttempts', description: 'The last requests, the newest first, and all dead letters.' });

export function serializeWebhook(webhook: Omit<CountedWebhook, 'secret'>, timeZone: string) {
  const formatTime = (instant: Instant | null) => formatOptionalInstant(instant || null, timeZone);
  return toRecord(webhookSchema, webhook, {
    active: webhook.disabled === null,
    disabled: formatTime(webhook.disabled),
    created: formatInstant(webhook.created, timeZone),
    next_attempt: formatTime(webhook.next_attempt),
    last_success: formatTime(webhook.last_success),
  });
}
