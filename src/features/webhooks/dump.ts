import { join } from 'sql-template-tag';
import { all } from '#sql';
import { id, instant, oneOf, text, unless, wholeNumber } from '../../core/dump/line-format.ts';
import { now } from '../../core/instant.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { webhookTable } from './tables.ts';
import { type Webhook, webhookColumns, webhookEvents, webhookLimits } from './webhook.ts';
import { newWebhookSecret } from './write-webhook.ts';

const url = text({ maxLength: webhookLimits.url, isSingleLine: true, pattern: [/^https?:\/\/./, 'a URL'] });

/** Without secrets, and without what was delivered: see docs/decisions/0063-webhooks.md. */
export const webhookKind = tableKind(
  webhookTable,
  {
    id,
    contributor: id,
    url,
    origin: url,
    events: oneOf(webhookEvents),
    filter: text({ maxLength: webhookLimits.filter, isSingleLine: true }),
    created: instant,
    concurrency: unless(wholeNumber(1, webhookLimits.concurrency), 1),
    batch_size: unless(wholeNumber(1, webhookLimits.batchSize), 1),
  },
  {
    ownData: false,
    rights: { name: 'webhook', columns: ['contributor', 'url', 'origin', 'events', 'filter'] },
    async write({ transaction }, lines) {
      const ids = lines.map((line) => line.id);
      const existing = await all(transaction, webhookColumns)`from webhook where id in (${join(ids)})`;
      const known = new Map(existing.map((webhook) => [webhook.id, webhook]));
      const rows = lines.map((line): Webhook => {
        const webhook = known.get(line.id);
        return isSame(webhook, line) ? { ...webhook, ...line } : { ...newState(), ...line };
      });
      await transaction.upsert(webhookTable, rows);
    },
  },
);

/** The gallery has the webhook already: it keeps its secret and continues. */
const isSame = (known: Webhook | undefined, line: Pick<Webhook, 'contributor' | 'url'>): known is Webhook =>
  known?.contributor === line.contributor && known.url === line.url;

/** Switched off: the receiver belongs to the gallery that the dump is from. */
const newState = () => ({
  secret: newWebhookSecret(),
  previous_secret: null,
  previous_secret_until: null,
  disabled: now(),
  disabled_reason: 'imported' as const,
  position: 0,
  failures: 0,
  failing_since: null,
  next_attempt: 0,
  last_success: null,
});
