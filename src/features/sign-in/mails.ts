// The mails of signing in. One to an address that nobody has confirmed has no name that people choose freely: otherwise somebody
// could write to strangers with it.

import { join } from 'sql-template-tag';
import { all, pick } from '#sql';
import { findAccount, findAccountByUsername } from '../../core/accounts/account.ts';
import { emailTable } from '../../core/accounts/tables.ts';
import type { MailContext } from '../../core/mail/message.ts';
import { queueMail } from '../../core/mail/queue.ts';
import { findRecipient, translatorOf } from '../../core/mail/recipient.ts';
import { confirmEmailPath, createEmailLink, findByEmail } from './email/email.ts';
import { createOwnPasswordLink, passwordLinkPath } from './password-link.ts';

export async function composeConfirmation({ database, mail, site, linkTo }: MailContext) {
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

export async function composeEmailChange({ database, mail, content, site, linkTo }: MailContext) {
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
export async function findForgottenAccounts({
  database,
  content,
  attempts,
}: MailContext): Promise<undefined> {
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

export async function composePasswordLinks({ database, mail, content, site, linkTo }: MailContext) {
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
