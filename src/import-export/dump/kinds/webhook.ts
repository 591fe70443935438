import sql, { join } from 'sql-template-tag';
import { select } from '../../../database/query.ts';
import { accountTable, webhookTable } from '../../../database/schema.ts';
import { now } from '../../../gallery/instant.ts';
import { type Webhook, webhookColumns } from '../../../gallery/webhooks/webhook.ts';
import { type WebhookLine, webhookLine } from '../../../gallery/webhooks/webhook-line.ts';
import { newWebhookSecret } from '../../../gallery/webhooks/write.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

/** The gallery has the webhook already: it keeps its secret and goes on. */
const isSame = (known: Webhook | undefined, line: WebhookLine): known is Webhook =>
  known?.contributor === line.contributor && known.url === line.url;

export const webhookKind: LineKind<WebhookLine> = {
  format: webhookLine,
  exporter: exportTable(webhookTable, webhookColumns, (row) => webhookLine.stringify(row)),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', accountTable);
    const lines = keepLast(batch, ({ id }) => id);
    const ids = lines.map(({ id }) => id);
    const existing = await context.transaction.all(
      select(webhookColumns, sql`from webhook where id in (${join(ids)})`),
    );
    const known = new Map(existing.map((webhook) => [webhook.id, webhook]));
    const rows = lines.map((line): Webhook => {
      const webhook = known.get(line.id);
      return isSame(webhook, line) ? { ...webhook, ...line } : { ...newState(), ...line };
    });
    await context.transaction.upsert(webhookTable, rows);
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(webhookTable),
};

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
