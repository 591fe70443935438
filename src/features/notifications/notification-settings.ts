// Settings of a person for notifications, and the secret in the address of their feed.

import sql from 'sql-template-tag';
import { isSameSecret, sign } from '#common/signature.ts';
import { type Database, execute, first, one, type Reader, type RowOf, type Transaction } from '#sql';
import { hashSecret, newSecret } from '../../core/accounts/secret.ts';
import { type NotificationKind, notificationKinds } from '../../core/changes/change-kinds.ts';
import { notificationSettingTable } from '../../core/changes/tables.ts';
import { parseId } from '../../core/ids.ts';
import { getOrCreateSecret } from '../../core/server-secrets.ts';
import { findReader } from '../../core/viewer/credentials.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';

/** The frequency is the maximum: there is no mail without unread notifications. */
export const mailFrequencies = ['never', 'at_once', 'daily', 'weekly'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];
/** For people who have confirmed an email address and not chosen. */
export const defaultFrequency: MailFrequency = 'daily';

const { columns: tableColumns } = notificationSettingTable;
export const settingColumns = { ...tableColumns, mail: tableColumns.mail.narrow<MailFrequency | null>() };
export type NotificationSettings = RowOf<typeof settingColumns>;

export async function loadNotificationSettings(reader: Reader, contributor: number) {
  const isOwn = sql`contributor = ${contributor}`;
  const found = await first(reader, settingColumns)`from notification_setting where ${isOwn}`;
  return found ?? { contributor, muted: '', feed_hash: null, mail: null, mailed: 0, next_mail: 0 };
}

export const listEnabledKinds = ({ muted }: Pick<NotificationSettings, 'muted'>): NotificationKind[] =>
  notificationKinds().filter((kind) => !muted.split(' ').includes(kind));

/** For new notifications: those that exist stay. */
export function setEnabledKinds(
  transaction: Transaction,
  contributor: number,
  enabledKinds: readonly NotificationKind[],
): Promise<void> {
  const muted = notificationKinds()
    .filter((kind) => !enabledKinds.includes(kind))
    .join(' ');
  return execute(transaction)`insert into notification_setting (contributor, muted)
    values (${contributor}, ${muted})
    on conflict (contributor) do update set muted = excluded.muted`;
}

export const setMailFrequency = (
  transaction: Transaction,
  contributor: number,
  mail: MailFrequency,
): Promise<void> =>
  execute(transaction)`insert into notification_setting (contributor, muted, mail)
    values (${contributor}, '', ${mail})
    on conflict (contributor) do update set mail = excluded.mail, next_mail = 0`;

/** Returns the secret of a new address. The old address stops working at once. */
export async function renewFeed(transaction: Transaction, contributor: number): Promise<string> {
  const secret = newSecret();
  await execute(transaction)`insert into notification_setting (contributor, muted, feed_hash)
    values (${contributor}, '', ${hashSecret(secret)})
    on conflict (contributor) do update set feed_hash = excluded.feed_hash`;
  return secret;
}

export const endFeed = (transaction: Transaction, contributor: number): Promise<void> =>
  execute(transaction)`update notification_setting set feed_hash = null where contributor = ${contributor}`;

/** Everybody who knows the address sees what the person would see without the rights of a moderator. */
export async function findFeedViewer(reader: Reader, secret: string): Promise<Viewer> {
  const owner = await one(reader, settingColumns)`from notification_setting
    where feed_hash = ${hashSecret(secret)} and exists (
      select 1 from account
      where account.contributor = notification_setting.contributor and disabled is null)`;
  return findReader(reader, owner.contributor);
}

// The link that ends mails about notifications with one click, without signing in. Its code stays valid: mails are kept
// for years.

export const unsubscribePath = (code: string): string => `/unsubscribe/?${new URLSearchParams({ code })}`;

export async function createUnsubscribeCode(database: Database, contributor: number): Promise<string> {
  const secret = await getOrCreateSecret(database, 'unsubscribe');
  return `${contributor}-${sign(secret, contributor)}`;
}

/** The contributor that the code is for; undefined if it is no code. */
export async function findUnsubscriber(database: Database, code: string): Promise<number | undefined> {
  const contributor = parseId(code.split('-', 1)[0] ?? '');
  if (contributor === undefined) return undefined;
  return isSameSecret(code, await createUnsubscribeCode(database, contributor)) ? contributor : undefined;
}
