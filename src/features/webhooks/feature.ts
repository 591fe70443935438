import sql from 'sql-template-tag';
import type { Feature } from '../../core/feature.ts';
import { changeFeed } from '../change-feed/feature.ts';
import { ownAccount } from '../own-account/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { forgetArchived } from './archived.ts';
import { webhookCommand } from './command.ts';
import { webhooksPath } from './path.ts';
import {
  webhookAttemptTable,
  webhookDeadLetterTable,
  webhookRedeliveryTable,
  webhookTable,
} from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';
import { deleteWebhooks } from './write-webhook.ts';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    webhooks: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureChanges {
    webhook: 'created' | 'changed' | 'removed' | 'requested' | 'disabled' | 'imported';
  }
}

declare module '../../core/mail/queue.ts' {
  interface FeatureMails {
    webhook_off: true;
  }
  interface FeatureNotices {
    webhook_created: true;
  }
}

export const webhooks: Feature = {
  name: 'webhooks',
  does: 'The gallery sends changes to the addresses of programs as they happen, and again until they arrive.',
  uses: [signIn, ownAccount, changeFeed],
  tables: [webhookTable, webhookAttemptTable, webhookDeadLetterTable, webhookRedeliveryTable],
  lines: [{ before: 'profile', load: async () => (await import('./dump.ts')).webhookKind }],
  changes: {
    webhook: {
      invalidates: 'nothing',
      actions: {
        created: {},
        changed: {},
        removed: {},
        /** A range is to be sent again, or a test. */
        requested: {},
        /** By the gallery itself, because nothing could be delivered. */
        disabled: {},
        imported: {},
      },
    },
  },
  archive: {
    settled: sql`select position from webhook where disabled is null`,
    beforeMove: forgetArchived,
  },
  whenAccountDeleted: ({ transaction }, contributor) =>
    deleteWebhooks(transaction, sql`contributor = ${contributor}`),
  mails: { webhook_off: { isNotice: true, load: async () => (await import('./mail.ts')).composeWebhookEnd } },
  notices: ['webhook_created'],
  resources: { after: '/api/v1/changes/stream/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  links: {
    'account.programs': [
      { href: webhooksPath, text: 'webhooks.title', permission: 'changeAccount', after: '/account/keys/' },
    ],
  },
  work: async () => (await import('./webhooks.ts')).createWebhooks,
  commands: [{ after: 'key', name: 'webhook', command: webhookCommand }],
  texts: { en, de, es, ar },
};
