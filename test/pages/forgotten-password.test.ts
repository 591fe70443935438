// Forgotten passwords: a mailed link, or the words of the site about whom to ask.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { makePasskey } from '../support/passkeys.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { vitrine, writtenTo } from '../support/server.ts';
import { contributor, dump } from '../support/site.ts';
import { type MailSite, mailSite } from '../support/smtp.ts';

const password = 'long and unusual';
const new_password = 'another quiet room';
const people = dump(contributor(1, 'boss'), contributor(2, 'rival'));
const forgottenPath = '/forgotten-password/';

/** Signs up, and confirms the address if there is one. */
async function signUp({ site, smtp, sendDue }: MailSite, username: string, email = ''): Promise<Person> {
  await visitor(site).send('/sign-up/', { username, password, ...(email && { email }) });
  await sendDue();
  if (email) await visitor(site).submit(smtp.mails.at(-1)?.links[0] ?? '', 'Confirm');
  smtp.mails.length = 0;
  return person(site, username);
}

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('a mailed link sets a new password, once and within an hour; sessions end and the second factor stays', async () => {
    const mails = await mailSite(kind, { dump: people });
    const { site, smtp, sendDue } = mails;
    const ana = await signUp(mails, 'ana', 'family@example.org');
    await signUp(mails, 'bob', 'Family@example.org');
    await signUp(mails, 'cleo');
    const stranger = visitor(site);
    expect((await stranger.open('/sign-in/')).html).toContain(`href="${forgottenPath}"`);
    const answers = [];
    for (const name of ['FAMILY@example.org', 'ana', 'cleo', 'nobody', 'nobody@example.org', '%']) {
      const response = await stranger.submit(forgottenPath, 'Send the link', { name });
      answers.push([response.status, response.headers.get('Location'), await response.text()]);
    }
    expect(answers).toEqual(answers.map(() => [303, '/forgotten-password/?sent', '']));
    expect((await stranger.open('/forgotten-password/?sent')).text).toContain('within a few minutes');
    await sendDue();
    // Their links are mailed in any order.
    const [ofBoth, ofAna, ...others] = smtp.mails.toSorted((a, b) => b.links.length - a.links.length);
    expect(others).toEqual([]);
    expect(ofBoth?.to.toLowerCase()).toBe('family@example.org');
    expect(ofBoth?.headers.get('subject')).toBe('Vitrine: choose a new password');
    expect(ofBoth?.text).toContain('\n\nana\nhttps://gallery.example/new-password/');
    expect(ofBoth?.text).toContain('\n\nbob\nhttps://gallery.example/new-password/');
    expect(ofAna?.text).not.toContain('\nbob\n');

    await makePasskey(ana);
    await ana.submit('/account/second-step/', 'Turn on');
    const [link = ''] = ofAna?.links ?? [];
    expect((await stranger.open(link)).text).toContain('It’s for the account ana');
    const saved = await stranger.submit(link, 'Save', { new_password });
    expect(saved.headers.get('Location')).toBe('/sign-in/?new-password');
    expect((await ana.browser.get('/mine/')).status).toBe(303);
    const signedIn = await visitor(site).send('/sign-in/', { username: 'ana', password: new_password });
    expect(signedIn.headers.get('Location')).toBe('/sign-in/second-step/?next=%2F');
    const [sameAccount = '', otherAccount = ''] = ofBoth?.links ?? [];
    expect((await stranger.browser.get(sameAccount)).status).toBe(404);
    expect((await stranger.browser.get(otherAccount)).status).toBe(200);
    await sendDue();
    expect(smtp.mails.slice(2).map(({ text }) => text.split('\n')[0])).toEqual([
      'A new passkey can sign you in.',
      'Two-step sign-in was turned on.',
      'Your password was changed.',
    ]);
    setSystemTime(Date.now() + 3600_000 + 1000);
    expect((await stranger.browser.get(otherAccount)).status).toBe(404);
    expect(site.logged.join('\n')).not.toContain('example.org');
  });

  test('a link ends with the address it was mailed to, and nobody floods somebody with links', async () => {
    const environment = { VITRINE_TRUSTED_PROXIES: '10.0.0.1' };
    const mails = await mailSite(kind, { dump: people, environment, peer: '10.0.0.1' });
    const { site, smtp, sendDue } = mails;
    const ana = await signUp(mails, 'ana', 'ana@example.org');
    const ask = async (name: string, client: number) => {
      const headers = { 'X-Forwarded-For': `192.0.2.${client}` };
      return (await visitor(site).send(forgottenPath, { name }, headers)).status;
    };
    const statuses = [];
    for (let client = 1; client <= 4; client++)
      for (let number = 0; number < 4; number++) statuses.push(await ask('ana', client));
    const three = [303, 303, 303, 429];
    expect(statuses).toEqual([...three, ...three, ...three, 303, 429, 429, 429]);
    for (const name of ['ANA@example.org', 'Ana'])
      for (let client = 5; client < 9; client++) await ask(name, client);
    await sendDue();
    expect(smtp.mails.length).toBe(10);
    const [link = ''] = smtp.mails[0]?.links ?? [];
    await ana.submit('/account/email/', 'Save', { email: '', password });
    expect((await visitor(site).browser.get(link)).status).toBe(404);
  });

  test('an admin sees and sets the address of others, and the operator that of everybody', async () => {
    const mails = await mailSite(kind, { dump: people });
    const { site, smtp, sendDue } = mails;
    await signUp(mails, 'ana');
    const boss = await person(site, 'boss', { role: 'admin' });
    const mo = await person(site, 'rival', { role: 'moderator' });
    const page = '/moderation/people/?username=ana';
    await boss.submit(page, 'Save', { email: 'ana@example.org' });
    expect((await boss.open(page)).text).toContain('Not confirmed yet: ana@example.org');
    expect((await mo.open(page)).html).not.toContain('ana@example.org');
    const values = { contributor: '3', email: 'mo@example.org' };
    expect((await mo.send('/moderation/people/email/', values)).status).toBe(403);
    expect((await boss.send('/moderation/people/email/', { ...values, contributor: '1' })).status).toBe(403);
    await sendDue();
    expect(smtp.mails.map(({ to }) => to)).toEqual(['ana@example.org']);

    const command = (...args: string[]) => vitrine('user', 'email', ...args, '--database', site.address);
    expect((await command('ana')).out).toBe('ana@example.org (not confirmed)\n');
    expect((await command('boss', 'boss@example.org')).error).toBe(
      `boss has the address boss@example.org now.\n${writtenTo(site.address)}`,
    );
    expect((await command('boss', 'boss')).error).toBe('vitrine: ADDRESS: Enter a valid email address.\n');
    expect((await command('boss')).out).toBe('boss@example.org\n');
    expect((await boss.get('/api/v1/me/')).status).toBe(200);
    expect(await boss.json('/api/v1/me/')).toMatchObject({ email: 'boss@example.org' });
    const log = (await boss.open('/moderation/log/')).text;
    expect(log).toContain('boss changed the email address of ana');
    await command('boss', 'none');
    expect((await command('boss')).out).toBe('none\n');
  });
});

test('where no mail is sent, the sign-in page says whom to ask', async () => {
  const { site } = await mailSite('SQLite', { dump: people, environment: { VITRINE_SMTP: '' } });
  const textOf = async () => (await visitor(site).open('/sign-in/')).text;
  expect(await textOf()).toContain(
    'Forgotten your password? Ask the people who run this site for a new password.',
  );
  const boss = await person(site, 'boss', { role: 'admin' });
  await boss.submit('/admin/site/?part=texts', 'Save', { password_help: 'Ask <b>Ms Vega</b> in room 12.' });
  expect(await textOf()).toContain('Forgotten your password? Ask <b>Ms Vega</b> in room 12.');
  expect((await visitor(site).browser.get(forgottenPath)).status).toBe(404);
  expect((await visitor(site).send(forgottenPath, { name: 'boss' })).status).toBe(404);
});
