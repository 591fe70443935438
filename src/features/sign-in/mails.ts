// The mails that the server sends. Each kind has a function that writes the mail when it is sent, or returns undefined if its
// account, its address or its link no longer exists. A mail to an address that nobody has confirmed has no name that people
// choose freely: otherwise somebody could write to strangers with it.

import { join } from 'sql-template-tag';
import { all, pick } from '#sql';
import { findAccount, findAccountByUsername } from '../../core/accounts/account.ts';
import { emailTable } from '../../core/accounts/tables.ts';
import { once } from '../../core/feature.ts';
import {
  type ComposedMail,
  type MailContext,
  type MailDependencies,
  type Message,
  toHtml,
  toPlainText,
} from '../../core/mail/message.ts';
import {
  type FeatureMails,
  type MailKind,
  notices,
  type QueuedMail,
  queueMail,
} from '../../core/mail/queue.ts';
import { findConfirmedRecipient, findRecipient, translatorOf } from '../../core/mail/recipient.ts';
import { loadSite } from '../../core/site/settings.ts';
import { confirmEmailPath, createEmailLink, findByEmail } from './email/email.ts';
import { createOwnPasswordLink, passwordLinkPath } from './password-link.ts';

export type Compose = (context: MailContext) => Promise<ComposedMail | undefined>;

const ownKinds: Readonly<Record<Exclude<MailKind, keyof FeatureMails>, Compose>> = {
  confirm_email: composeConfirmation,
  email_changed: composeEmailChange,
  forgotten_password: findForgottenAccounts,
  password_link: composePasswordLinks,
  notice: composeNotice,
};

declare module '../../core/feature.ts' {
  interface Feature {
    readonly mails?: Readonly<
      Record<
        string,
        {
          /** About an event of an account: the owner gets few of them. */
          readonly isNotice?: true;
          load(): Promise<Compose>;
        }
      >
    >;
  }
}

const featureMails = once((features) => new Map(features.flatMap(({ mails = {} }) => Object.entries(mails))));

const isOwn = (kind: MailKind): kind is keyof typeof ownKinds => Object.hasOwn(ownKinds, kind);

/** Undefined if there is nothing to send. */
export async function composeMail(deps: MailDependencies, mail: QueuedMail): Promise<Message | undefined> {
  const added = featureMails().get(mail.kind);
  const compose = isOwn(mail.kind) ? ownKinds[mail.kind] : await added?.load();
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

async function composeNotice({ database, mail, content, site, linkTo }: MailContext) {
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
}
