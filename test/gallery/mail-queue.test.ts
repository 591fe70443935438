// Mails that are queued arrive once, whatever the SMTP server does, and wait for nobody else.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count } from '#sql';
import { doTasks } from '../../src/core/jobs/sweep.ts';
import { queueMail } from '../../src/core/mail/queue.ts';
import { closeLater } from '../support/closing.ts';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { contributor, dump, type Site } from '../support/site.ts';
import { mailSite, startSmtp } from '../support/smtp.ts';

const minute = 60_000;
const people = dump(
  contributor(1, 'ana'),
  contributor(2, 'bob'),
  ...[1, 2].flatMap((id) => [
    JSON.stringify({ type: 'account', contributor: id, role: 'contributor', password: null, disabled: null }),
    JSON.stringify({
      type: 'email',
      contributor: id,
      address: `p${id}@example.org`,
      pending: null,
      language: '',
    }),
  ]),
);

const openSite = (kind: Kind, options: Parameters<typeof mailSite>[1] = {}) =>
  mailSite(kind, { dump: people, ...options });

const queueFor = ({ database }: Site, id: number, notice = 'key_created') =>
  database.transaction((transaction) => queueMail(transaction, id, { kind: 'notice', content: { notice } }));

const countWaiting = ({ database }: Site) => count(database, sql`from job where kind = 'mail'`);

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('processes that send at the same time send each mail once', async () => {
    const { site, smtp, mailer, anotherMailer } = await openSite(kind);
    for (let number = 0; number < 20; number++) await queueFor(site, 1 + (number % 2));
    const results = await Promise.all(
      [mailer, anotherMailer(), anotherMailer()].map((each) => each.sendDue()),
    );
    expect([results, smtp.mails.length, await countWaiting(site)]).toEqual([[true, true, true], 20, 0]);
    expect(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size).toBe(20);
  });

  test('a server that is down is tried again, with longer and longer pauses, for three days', async () => {
    const { site, smtp, sendDue } = await openSite(kind);
    const { port } = smtp;
    await smtp.stop();
    await queueFor(site, 1);
    await queueFor(site, 2);
    const start = Date.now();
    const at = (ms: number) => setSystemTime(start + ms);
    expect(await sendDue()).toBe(false);
    at(minute);
    expect(await sendDue()).toBe(false);
    at(1.9 * minute);
    expect([
      await sendDue(),
      site.logged.filter((line) => line.startsWith('Mails cannot be sent')).length,
    ]).toEqual([false, 1]);
    const again = await startSmtp({ port });
    at(6 * minute);
    expect([await sendDue(), again.mails.map(({ to }) => to).toSorted()]).toEqual([
      true,
      ['p1@example.org', 'p2@example.org'],
    ]);
    expect(site.logged.at(-1)).toBe('Mails are sent again.');

    await queueFor(site, 1);
    again.refuseWith(451);
    for (const hours of [1, 2, 20, 50, 71]) {
      at(6 * minute + hours * 60 * minute);
      await sendDue();
      expect(await countWaiting(site)).toBe(1);
    }
    at(80 * 60 * minute);
    expect([await sendDue(), await countWaiting(site)]).toEqual([true, 0]);
    expect(site.logged.at(-1)).toBe('A mail (notice) was given up: the server answered 451.');
  });

  test('nobody fills the queue or an inbox with what they do to their own account', async () => {
    const { site, smtp, sendDue } = await openSite(kind);
    for (let number = 0; number < 40; number++) await queueFor(site, 1);
    expect(await countWaiting(site)).toBe(30);
    await queueFor(site, 2);
    await sendDue();
    for (let number = 0; number < 5; number++) await queueFor(site, 1);
    await sendDue();
    const recipients = Object.groupBy(smtp.mails, ({ to }) => to);
    expect(Object.entries(recipients).map(([to, mails]) => [to, mails?.length])).toEqual([
      ['p1@example.org', 20],
      ['p2@example.org', 1],
    ]);
    expect(await countWaiting(site)).toBe(0);
  });

  test('a mail that the server refuses for good is given up, and others are sent', async () => {
    const { site, smtp, sendDue, mailer } = await openSite(kind);
    await queueFor(site, 1);
    smtp.refuseWith(550);
    expect([await sendDue(), await countWaiting(site)]).toEqual([true, 0]);
    smtp.refuseWith(0);
    await queueFor(site, 2);
    await sendDue();
    expect([smtp.mails.map(({ to }) => to), mailer.counts]).toEqual([
      ['p2@example.org'],
      { sent: 1, failed: 1, given_up: 1 },
    ]);
    expect(site.logged.join('\n')).not.toContain('p1@example.org');
  });
});

test('a server that says nothing holds up no request', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  closeLater(async () => silent.stop(true));
  const environment = { VITRINE_SMTP: `smtp://127.0.0.1:${silent.port}` };
  const { site, mailer } = await openSite('SQLite', { environment });
  const key = await site.key('ana');
  const sending = mailer.sendDue();
  for (let number = 0; number < 20; number++) {
    const response = await site.request('/api/v1/projects/', {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title: 'A kite',
        content_type: 'text',
        text: 'x',
        visibility: 'public',
        status: 1,
      }),
    });
    expect(response.status).toBe(201);
  }
  silent.stop(true);
  expect(await sending).toBe(false);
  expect(await countWaiting(site)).toBe(1);
});

test('mails that no server takes are dropped after three days, and the log says how many', async () => {
  const { site } = await openSite('SQLite');
  const logged: unknown[] = [];
  const hours = async (hours: number) => {
    setSystemTime(start + hours * 60 * minute);
    await doTasks(site.database, (error) => logged.push(error), { now: true });
    return [await countWaiting(site), logged];
  };
  const start = Date.now();
  for (const id of [1, 2]) await queueFor(site, id);
  expect(await hours(71)).toEqual([2, []]);
  await queueFor(site, 1);
  const report = 'No server has taken the mails of more than three days ago: 2 were dropped.';
  expect(await hours(73)).toEqual([1, [report]]);
});

test('a password goes only to a server whose certificate is valid', async () => {
  const withPassword = await openSite('SQLite', { smtp: { startTls: true, user: 'gallery' } });
  await queueFor(withPassword.site, 1);
  expect([await withPassword.sendDue(), withPassword.smtp.mails]).toEqual([false, []]);
  expect(withPassword.site.logged.at(-1)).toContain('certificate');
  const unencrypted = await openSite('SQLite', { smtp: { user: 'gallery' } });
  await queueFor(unencrypted.site, 1);
  expect([await unencrypted.sendDue(), unencrypted.smtp.mails]).toEqual([false, []]);
  expect(unencrypted.site.logged.at(-1)).toContain('STARTTLS');

  const onThisMachine = await openSite('SQLite', { smtp: { startTls: true } });
  await queueFor(onThisMachine.site, 1);
  await onThisMachine.sendDue();
  expect(onThisMachine.smtp.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
});

test('no name adds a header or a recipient', async () => {
  const { site, smtp, sendDue } = await openSite('SQLite');
  const name = 'Ñandú "Ünï" <x@y.z>, b@c.d';
  await site.database.transaction((transaction) =>
    transaction.run(sql`insert into site_setting (host, name, value) values ('', 'name', ${name})`),
  );
  await site.database.transaction((transaction) =>
    transaction.run(sql`update contributor set username = ${'ana\r\nBcc: evil@example.org'} where id = 1`),
  );
  await queueFor(site, 1);
  await sendDue();
  const [{ headers, to } = expect.unreachable()] = smtp.mails;
  expect([to, headers.get('from'), headers.has('bcc')]).toEqual([
    'p1@example.org',
    `${name} <gallery@example.org>`,
    false,
  ]);
});
