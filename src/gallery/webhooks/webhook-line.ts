import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, oneOf, text } from '../line-members.ts';
import { webhookEvents, webhookLimits } from './webhook.ts';

/** Without secrets, and without what was delivered: see docs/decisions/0063-webhooks.md. */
export const webhookLine = defineLine('webhook', {
  id,
  contributor: id,
  url: text({ maxLength: webhookLimits.url, isSingleLine: true, pattern: [/^https?:\/\/./, 'a URL'] }),
  origin: text({ maxLength: webhookLimits.url, isSingleLine: true, pattern: [/^https?:\/\/./, 'a URL'] }),
  events: oneOf(webhookEvents),
  filter: text({ maxLength: webhookLimits.filter, isSingleLine: true }),
  created: instant,
});

export type WebhookLine = LineOf<typeof webhookLine>;
