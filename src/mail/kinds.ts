// The mails that the server sends. Each kind has a function that writes the mail when it is sent, or returns undefined if its
// account, its address or its link no longer exists. A mail to an address that nobody has confirmed has no name that people
// choose freely: otherwise somebody could write to strangers with it.

import { join } from 'sql-template-tag';
import { pick } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { all } from '../database/query.ts';
import { emailTable } from '../database/schema.ts';
import { type AccountDetails, findAccount, findAccountByUsername } from '../gallery/accounts/account.ts';
import { type MailKind, notices, type QueuedMail, queueMail } from '../gallery/mail/queue.ts';
import {
  confirmEmailPath,
  createEmailLink,
  type Email,
  findByEmail,
  findEmail,
} from '../gallery/sign-in/email.ts';
import { createOwnPasswordLink, passwordLinkPath } from '../gallery/sign-in/password-link.ts';
import { loadSite } from '../gallery/site/settings.ts';
import { defaultLanguage, languageCodes } from '../pages/messages/languages.ts';
import { getTranslator, type Translator } from '../pages/messages/translator.ts';
import {
  type ComposedMail,
  type MailContext,
  type MailDependencies,
  toHtml,
  toPlainText,
} from './message.ts';
import { composeNotifications } from './notifications.ts';
import type { Message } from './transport.ts';

type Compose = (context: MailContext) => Promise<ComposedMail | undefined>;

const kinds: Readonly<Record<MailKind, Compose>> = {
  confirm_email: composeConfirmation,
  email_changed: composeEmailChange,
  forgotten_password: findForgottenAccounts,
  password_link: composePasswordLinks,
  webhook_off: composeWebhookEnd,
  notice: composeNotice,
  notifications: composeNotificationMail,
};

/** Undefined if there is nothing to send. */
export async function composeMail(deps: MailDependencies, mail: QueuedMail): Promise<Message | undefined> {
  const compose = kinds[mail.kind];
  if (!compose) return undefined;
  const isNotice = mail.kind === 'notice' || mail.kind === 'webhook_off';
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

/** In the language that the person had when they gave the address. */
const translatorOf = (language: string | undefined): Translator =>
  getTranslator(languageCodes.find((code) => code === language) ?? defaultLanguage);

/** The account and its address; undefined if there is no such account any more, or it is disabled. */
async function findRecipient(
  database: Database,
  contributor: number | null,
): Promise<{ account: AccountDetails; email: Email; language: Translator } | undefined> {
  if (contributor === null) return undefined;
  const account = await findAccount(database, contributor);
  const email = await findEmail(database, contributor);
  if (!account || account.role === null || account.disabled !== null || !email) return undefined;
  return { account, email, language: translatorOf(email.language) };
}

async function findConfirmedRecipient(database: Database, contributor: number | null) {
  const recipient = await findRecipient(database, contributor);
  const to = recipient?.email.address;
  return to ? { ...recipient, to } : undefined;
}

async function composeConfirmation({ database, mail, site, linkTo }: MailContext) {
  const recipient = await findRecipient(database, mail.contributor);
  if (recipient?.email.pending !== mail.address) return undefined;
  const { account, email, language } = recipient;
  const { t } = language;
  return {
    to: mail.address,
    language,
    subject: t('mail.confirm.subject', { site }),
    paragraphs: [
      t('mail.confirm.text', { username: account.username, site }),
      { href: linkTo(confirmEmailPath(await createEmailLink(database, email))) },
      t('mail.confirm.ignore'),
    ],
  };
}

async function composeEmailChange({ database, mail, content, site, linkTo }: MailContext) {
  const account = mail.contributor === null ? undefined : await findAccount(database, mail.contributor);
  if (!account) return undefined;
  const language = translatorOf(content.language);
  const { t } = language;
  const names = { username: account.username, site };
  return {
    to: mail.address,
    language,
    subject: t('mail.change.subject', { site }),
    paragraphs: [
      content.to ? t('mail.change.changed', names) : t('mail.change.removed', names),
      t('mail.notYou'),
      { href: linkTo('/account/password/') },
    ],
  };
}

/** The request only queued the text that was typed: neither its response nor its duration says anything about accounts. */
async function findForgottenAccounts({ database, content, attempts }: MailContext): Promise<undefined> {
  const typed = content.typed ?? '';
  const named = await findAccountByUsername(database, typed);
  const ids = [
    ...(named ? [named.id] : []),
    ...(await findByEmail(database, typed)).map((row) => row.contributor),
  ];
  if (ids.length === 0) return;
  const columns = pick(emailTable.columns, 'contributor', 'address', 'address_key');
  const rows = await all(database, columns)`from email
    where contributor in (${join(ids)}) and address is not null order by contributor`;
  for (const accounts of Map.groupBy(rows, (row) => row.address_key).values()) {
    const address = accounts[0]?.address ?? '';
    if (!(await attempts.allowsMailTo(address))) continue;
    const contributors = accounts.map(({ contributor }) => contributor).join(' ');
    await database.transaction((transaction) =>
      queueMail(transaction, null, { kind: 'password_link', address, content: { contributors } }),
    );
  }
}

async function composePasswordLinks({ database, mail, content, site, linkTo }: MailContext) {
  const links: { label: string; href: string }[] = [];
  let language = translatorOf(undefined);
  for (const contributor of (content.contributors ?? '').split(' ').map(Number)) {
    const recipient = await findRecipient(database, contributor);
    if (recipient?.email.address_key !== mail.address.toLowerCase()) continue;
    const code = await createOwnPasswordLink(database, recipient.account, recipient.email);
    links.push({ label: recipient.account.username, href: linkTo(passwordLinkPath(code)) });
    language = recipient.language;
  }
  if (links.length === 0) return undefined;
  const { t } = language;
  return {
    to: mail.address,
    language,
    subject: t('mail.password.subject', { site }),
    paragraphs: [t('mail.password.text', { site }), ...links, t('mail.password.ignore')],
  };
}

async function composeWebhookEnd({ database, mail, site, linkTo }: MailContext) {
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
      { href: linkTo('/account/webhooks/') },
    ],
  };
}

async function composeNotice({ database, mail, content, site, linkTo }: MailContext) {
  const recipient = await findConfirmedRecipient(database, mail.contributor);
  const notice = notices.find((known) => known === content.notice);
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
}

async function composeNotificationMail(context: MailContext) {
  const recipient = await findConfirmedRecipient(context.database, context.mail.contributor);
  if (!recipient) return undefined;
  const { account, to, language } = recipient;
  const content = await composeNotifications(context, account, language);
  return content && { to, language, ...content };
}
