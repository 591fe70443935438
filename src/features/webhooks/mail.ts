import type { Compose } from '../../core/mail/message.ts';
import { findConfirmedRecipient } from '../../core/mail/recipient.ts';
import { webhooksPath } from './path.ts';

export const composeWebhookEnd: Compose = async ({ database, mail, site, linkTo }) => {
  const recipient = await findConfirmedRecipient(database, mail.contributor);
  if (!recipient) return undefined;
  const { account, to, language } = recipient;
  const { t } = language;
  return {
    to,
    language,
    subject: t('mail.webhook.subject', { site }),
    paragraphs: [
      t('mail.webhook.text', { username: account.username, site }),
      { href: linkTo(webhooksPath) },
    ],
  };
};
