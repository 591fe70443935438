// The settings of mails, `vitrine mail-test`, and a server that sends mails.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, temporaryPath } from '../support/databases.ts';
import { serveIn, vitrine, vitrineIn } from '../support/server.ts';
import { mailSite, startSmtp } from '../support/smtp.ts';
import { waitFor } from '../support/waiting.ts';

const mailFrom = { VITRINE_MAIL_FROM: 'gallery@example.org', VITRINE_PUBLIC_URL: 'https://gallery.example' };

afterEach(() => void setSystemTime());

test('wrong settings are one sentence, and no password is shown', async () => {
  const errorOf = async (environment: Record<string, string>, ...args: string[]) => {
    const { code, error } = await vitrineIn(environment, 'mail-test', 'me@example.org', ...args);
    return [code, error];
  };
  expect(await errorOf({ VITRINE_SMTP: 'http://u:secret@host' })).toEqual([
    2,
    'vitrine: VITRINE_SMTP must be an address such as smtp://user:password@mail.example.org:587 or smtps://….\n',
  ]);
  expect(await errorOf({}, '--smtp', 'smtp://u:secret@host')).toEqual([
    2,
    'vitrine: --smtp holds a password, which others on this machine could read: set VITRINE_SMTP instead.\n',
  ]);
  expect(await errorOf({}, '--smtp', 'smtp://localhost')).toEqual([
    2,
    'vitrine: --smtp needs --mail-from: the email address that mails come from.\n',
  ]);
  const noOrigin = await vitrine('serve', '--smtp', 'smtp://localhost', '--mail-from', 'gallery@example.org');
  expect([noOrigin.code, noOrigin.error]).toEqual([
    2,
    'vitrine: --smtp needs --public-url: the address for links in mails.\n',
  ]);
  expect(await errorOf({}, '--public-url', 'gallery.example')).toEqual([
    2,
    'vitrine: --public-url must begin with http:// or https:// and have no path; it was "gallery.example".\n',
  ]);
  expect(await errorOf({})).toEqual([2, 'vitrine: mail-test needs --smtp: the server that takes mails.\n']);
});

test('a test mail arrives, or the command says why not; doctor says it too', async () => {
  const smtp = await startSmtp();
  const environment = { ...mailFrom, VITRINE_SMTP: `smtp://127.0.0.1:${smtp.port}` };
  const sent = await vitrineIn(environment, 'mail-test', 'me@example.org');
  expect([sent.code, sent.out]).toEqual([0, 'The server has taken the mail for me@example.org.\n']);
  expect(smtp.mails.map(({ to, text }) => [to, text])).toEqual([
    ['me@example.org', 'https://gallery.example can send mails.'],
  ]);
  smtp.refuseWith(550);
  const refused = await vitrineIn(environment, 'mail-test', 'me@example.org');
  expect([refused.code, refused.error]).toEqual([
    2,
    'vitrine: The mail was not sent: the server answered 550.\n',
  ]);
  await smtp.stop();
  const { out } = await vitrineIn(environment, 'doctor', '--database', temporaryPath('doctor.sqlite'));
  expect(out).toContain('- Mails cannot be sent: ESOCKET: ');
  expect(out).toContain('- Links in mails begin with https://gallery.example, but the server does not serve');
});

test('a server sends mails; after one was killed while it sent a mail, another sends it', async () => {
  let connections = 0;
  const silent = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: () => void connections++, data() {} },
  });
  closeLater(async () => silent.stop(true));
  const smtp = await startSmtp();
  const database = await emptyDatabase('SQLite');
  const signUp = async (port: number, username: string) => {
    const response = await fetch(`http://localhost:${port}/api/v1/auth/sign-up/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password: 'long and unusual', email: `${username}@example.org` }),
    });
    expect(response.status).toBe(201);
  };
  const start = (port: number, ...args: string[]) =>
    serveIn(
      { ...mailFrom, VITRINE_SMTP: `smtp://127.0.0.1:${port}` },
      ...['--database', database, '--files', temporaryPath('files'), '--sign-up', 'open', ...args],
    );
  const first = await start(silent.port);
  await signUp(first.port, 'ana');
  await waitFor(async () => connections > 0);
  await first.stop('SIGKILL');
  silent.stop(true);

  const second = await start(smtp.port);
  await signUp(second.port, 'bob');
  await waitFor(async () => smtp.mails.length === 1);
  await second.stop();

  const { mailer, smtp: later } = await mailSite('SQLite', { address: database });
  setSystemTime(Date.now() + 3 * 60_000);
  await mailer.sendDue();
  expect([...smtp.mails, ...later.mails].map(({ to }) => to)).toEqual(['bob@example.org', 'ana@example.org']);
});
