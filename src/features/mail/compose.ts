import { once } from '../../core/feature.ts';
import {
  type Compose,
  type MailDependencies,
  type Message,
  toHtml,
  toPlainText,
} from '../../core/mail/message.ts';
import { notices, type QueuedMail } from '../../core/mail/queue.ts';
import { findConfirmedRecipient } from '../../core/mail/recipient.ts';
import { loadSite } from '../../core/site/site-settings.ts';

// Writes a mail when it is sent: each kind has a function for it, which returns undefined if its account, its address or its
// link no longer exists.

const featureMails = once((features) => new Map(features.flatMap(({ mails = {} }) => Object.entries(mails))));

const composeNotice: Compose = async ({ database, mail, content, site, linkTo }) => {
  const recipient = await findConfirmedRecipient(database, mail.contributor);
  const notice = notices().find((known) => known === content.notice);
  if (!notice || !recipient) return undefined;
  const { account, to, language } = recipient;
  const { t } = language;
  return {
    to,
    language,
    subject: t('mail.notice.subject', { site }),
    paragraphs: [
      t(`mail.notice.${notice}`),
      t('mail.notice.account', { username: account.username, site }),
      t('mail.notYou'),
      { href: linkTo('/account/password/') },
    ],
  };
};

/** Undefined if there is nothing to send. */
export async function composeMail(deps: MailDependencies, mail: QueuedMail): Promise<Message | undefined> {
  const added = featureMails().get(mail.kind);
  const compose = mail.kind === 'notice' ? composeNotice : await added?.load();
  if (!compose) return undefined;
  const isNotice = mail.kind === 'notice' || added?.isNotice === true;
  // Counted at the first attempt only.
  if (isNotice && mail.attempts === 1 && !(await deps.attempts.allowsNotice(mail.contributor)))
    return undefined;
  const { publicUrl } = deps.settings;
  const { name: site } = await loadSite(deps.database, new URL(publicUrl).hostname);
  const { content } = mail;
  const composed = await compose({ ...deps, mail, content, site, linkTo: (path) => publicUrl + path });
  if (!composed) return undefined;
  const { to, language, subject, paragraphs, headers } = composed;
  return {
    to,
    from: site,
    subject,
    text: toPlainText(paragraphs),
    html: toHtml(language, subject, paragraphs),
    headers,
    // A mail that is sent again after a failure is the same mail for many programs.
    messageId: `<${mail.uuid}@${new URL(publicUrl).hostname}>`,
  };
}
