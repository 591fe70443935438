// Queues mails about notifications. The transaction that queues a mail also stores the number of its last notification, so
// that no process mails a notification twice. The text is written when the mail is sent.

import sql from 'sql-template-tag';
import { all, countUpTo, type Database, execute, executeReturning, integer, type RowOf, text } from '#sql';
import { type Instant, microsecondsPerSecond, now } from '../../core/instant.ts';
import { runJob } from '../../core/jobs/jobs.ts';
import { queueMail } from '../../core/mail/queue.ts';
import type { CreateWork } from '../../projects/background-work.ts';
import { defaultFrequency, type MailFrequency, settingColumns } from './notification-settings.ts';

const everyMs = 50_000;
/** How often a process looks whether it is time. */
const lookMs = 60_000;
const batchSize = 200;
/** If more mails wait, none is added until there is room. */
const maxWaiting = 5000;
const hour = 60;
/** With `at_once`, too, there is a pause: many comments must not become many mails. */
const minutesBetween: Readonly<Record<MailFrequency, number>> = {
  never: 0,
  at_once: 10,
  daily: 24 * hour,
  weekly: 7 * 24 * hour,
};

const frequency = sql`coalesce(setting.mail, ${defaultFrequency})`;
const mailed = sql`coalesce(setting.mailed, 0)`;

const dueColumns = {
  contributor: integer(sql`email.contributor`),
  frequency: text(frequency).narrow<MailFrequency>(),
  mailed: integer(mailed),
  newest: integer(
    sql`(select max(number) from notification where notification.contributor = email.contributor)`,
  ),
};
type DuePerson = RowOf<typeof dueColumns>;

/** Not more often than once in `everyMs`, by one of all processes. */
export async function queueNotificationMails(database: Database): Promise<void> {
  await runJob(database, 'notification_mails', everyMs, () => queueDueMails(database));
}

export const createQueueing: CreateWork = ({ database, sendsMail, logError }) => ({
  start() {
    const queue = () => void queueNotificationMails(database).catch(logError);
    const timer = sendsMail ? setInterval(queue, lookMs) : undefined;
    return async () => clearInterval(timer);
  },
});

async function queueDueMails(database: Database): Promise<void> {
  for (let after = 0; ; ) {
    if ((await countUpTo(maxWaiting, database, sql`from job where kind = 'mail'`)) >= maxWaiting) return;
    const at = now();
    const people = await all(database.slowReader, dueColumns)`from email
      left join notification_setting as setting on setting.contributor = email.contributor
      where email.contributor > ${after} and email.address is not null and ${frequency} <> 'never'
        and coalesce(setting.next_mail, 0) <= ${at}
        and exists (
          select 1 from notification where notification.contributor = email.contributor
          and is_read = 0 and number > ${mailed})
      order by email.contributor limit ${batchSize}`;
    for (const person of people) await queueFor(database, person, at);
    const last = people.at(-1);
    if (!last || people.length < batchSize) return;
    after = last.contributor;
  }
}

/** Does nothing if another process has queued the mail meanwhile. */
function queueFor(database: Database, { contributor, frequency, mailed, newest }: DuePerson, at: Instant) {
  return database.transaction(async (transaction) => {
    await execute(transaction)`insert into notification_setting (contributor, muted)
      values (${contributor}, '')
      on conflict do nothing`;
    const taken = await executeReturning(transaction, settingColumns)`update notification_setting
      set mailed = ${newest}, next_mail = ${at + minutesBetween[frequency] * 60 * microsecondsPerSecond}
      where contributor = ${contributor} and mailed = ${mailed}`;
    if (!taken) return;
    const content = { after: String(mailed), upTo: String(newest) };
    await queueMail(transaction, contributor, { kind: 'notifications', content, isBulk: true });
  });
}
