// The email address of an account, which is optional: it is confirmed by a mailed link, and then used.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { exportAll, importInto } from '../support/site.ts';
import { type MailSite, mailSite } from '../support/smtp.ts';
import { refusalOf } from '../support/waiting.ts';

const password = 'long and unusual';

async function signUp({ site }: MailSite, username: string, more: Record<string, string> = {}) {
  const response = await visitor(site).send('/sign-up/', { username, password, ...more });
  expect(response.status).toBe(303);
  return person(site, username);
}

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('an address is confirmed by a link in a mail, once and within a day, and nobody else sees it', async () => {
    const mails = await mailSite(kind);
    const { site, smtp, sendDue } = mails;
    const ana = await signUp(mails, 'ana');
    expect((await ana.open('/account/email/')).text).toContain('no email address, and needs none');
    const wrong = await ana.submit('/account/email/', 'Save', { email: 'ana at home', password });
    expect((await readPage(wrong)).errors).toEqual(['Email address: Enter a valid email address.']);
    const noPassword = await ana.submit('/account/email/', 'Save', { email: 'ana@example.org' });
    expect((await readPage(noPassword)).errors).toEqual(['Password: Please fill this in.']);

    await ana.send('/language/', { language: 'es' });
    await ana.submit('/account/email/', 'Guardar', { email: 'ana@example.org', password });
    await sendDue();
    expect(smtp.mails.map(({ to }) => to)).toEqual(['ana@example.org']);
    const { headers, text, html, links } = smtp.mails[0] ?? expect.unreachable();
    expect(headers.get('from')).toBe('Vitrine <gallery@example.org>');
    expect(headers.get('subject')).toBe('Vitrine: confirma tu dirección de correo');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(text).toStartWith(
      'Alguien, seguramente tú, dio esta dirección de correo para la cuenta ana de Vitrine.',
    );
    expect(html).toContain(`<a href="https://gallery.example${links[0]}">`);

    const [link = ''] = links;
    const friend = visitor(site);
    expect((await friend.open(link)).text).toContain('Is ana@example.org the address of your account ana');
    expect(await ana.json('/api/v1/me/')).toMatchObject({ email: null, pending_email: 'ana@example.org' });
    expect((await friend.submit(link, 'Confirm')).headers.get('Location')).toBe('/confirm-email/?confirmed');
    expect((await friend.browser.get(link)).status).toBe(404);
    expect(await ana.json('/api/v1/me/')).toMatchObject({ email: 'ana@example.org', pending_email: null });
    for (const path of ['/contributors/ana/', '/api/v1/contributors/'])
      expect(await (await friend.get(path)).text()).not.toContain('ana@example.org');
    expect(site.logged.join('\n')).not.toContain('ana@example.org');

    await ana.submit('/account/email/', 'Guardar', { email: 'later@example.org', password });
    await sendDue();
    const [late = ''] = smtp.mails.findLast(({ to }) => to === 'later@example.org')?.links ?? [];
    setSystemTime(Date.now() + 24 * 3600_000 + 1000);
    expect((await friend.browser.get(late)).status).toBe(404);
    setSystemTime(Date.now() + 7 * 24 * 3600_000);
    await sweep(site.database, site.files);
    expect(await exportAll(site)).not.toContain('later@example.org');
    expect(await exportAll(site)).toContain('ana@example.org');
  });

  test('another address needs the password, and the earlier one hears of it and stays until the new one is confirmed', async () => {
    const mails = await mailSite(kind);
    const { smtp, sendDue } = mails;
    const ana = await signUp(mails, 'ana', { email: 'ana@example.org' });
    await sendDue();
    const [first = ''] = smtp.mails[0]?.links ?? [];
    await ana.submit(first, 'Confirm');

    await ana.key();
    await sendDue();
    expect(smtp.mails[1]?.text).toStartWith('A new API key was created.');
    const change = (body: object) => ana.patch('/api/v1/me/', body);
    expect(await (await change({ email: 'new@example.org' })).json()).toEqual({
      password: ['This field is required.'],
    });
    expect(await (await change({ email: 'new@example.org', password: 'guessed by a thief' })).json()).toEqual(
      {
        password: ['This is not your password.'],
      },
    );
    const record = await ana.json<object>('/api/v1/me/');
    expect((await ana.put('/api/v1/me/', record)).status).toBe(200);
    expect(await (await change({ email: 'new@example.org', password })).json()).toMatchObject({
      email: 'ana@example.org',
      pending_email: 'new@example.org',
    });
    await sendDue();
    expect(smtp.mails.slice(2).map(({ to, text }) => [to, text.split(' ').slice(0, 5).join(' ')])).toEqual([
      ['ana@example.org', 'Somebody, probably you, changes the'],
      ['new@example.org', 'Somebody, probably you, gave this'],
    ]);
    expect((await change({ email: null, password })).status).toBe(200);
    expect(await ana.json('/api/v1/me/')).toMatchObject({ email: null, pending_email: null });
    const [overtaken = ''] = smtp.mails[3]?.links ?? [];
    expect((await visitor(mails.site).browser.get(overtaken)).status).toBe(404);
  });

  test('an address is in the dump and in its owner’s data, in no public dump, and goes with the account', async () => {
    const mails = await mailSite(kind, { environment: { VITRINE_PUBLIC_DUMP: '1d' } });
    const { site, smtp, sendDue } = mails;
    const ana = await signUp(mails, 'ana', { email: 'ana@example.org' });
    await sendDue();
    await ana.submit(smtp.mails[0]?.links[0] ?? '', 'Confirm');
    const line = '{"type":"email","contributor":1,"address":"ana@example.org","pending":null,"language":""}';
    const whole = await exportAll(site);
    expect(whole).toContain(line);
    expect(await (await ana.get('/api/v1/me/dump/?format=ndjson')).text()).toContain(line);
    const taken = whole.replace('ana@example.org', 'thief@example.org');
    expect(await refusalOf(importInto(site, taken))).toContain('1 has another email address, or none.');
    await importInto(site, whole);
    await ana.post('/api/v1/projects/', { title: 'A kite', visibility: 'public', status: 1 });
    await vitrine('public-dump', '--database', site.address, '--files', site.folder);
    const publicDump = await (await site.get('/public-dump.ndjson.gz')).bytes();
    const records = new TextDecoder().decode(Bun.gunzipSync(publicDump));
    expect([records.includes('A kite'), records.includes('example.org')]).toEqual([true, false]);

    await ana.patch('/api/v1/me/', { email: 'new@example.org', password });
    expect((await ana.delete('/api/v1/me/', { items: 'keep', password })).status).toBe(204);
    await sendDue();
    expect(smtp.mails.slice(1)).toEqual([]);
    expect(await exportAll(site)).not.toContain('example.org');
  });

  test('nobody floods a stranger with mails', async () => {
    const mails = await mailSite(kind);
    const { smtp, sendDue } = mails;
    const statuses: number[] = [];
    for (const username of ['ana', 'bob', 'cleo']) {
      const sender = await signUp(mails, username);
      for (let number = 0; number < 5; number++) {
        const body = new URLSearchParams({ email: 'Stranger@example.org', password });
        statuses.push((await sender.send('/account/email/', Object.fromEntries(body))).status);
      }
    }
    expect(statuses).toEqual([...Array(10).fill(303), ...Array(5).fill(429)]);
    await sendDue();
    expect(smtp.mails.length).toBeLessThanOrEqual(10);
  });
});

test('without mail, no address can be given', async () => {
  const mails = await mailSite('SQLite', { environment: { VITRINE_SMTP: '' } });
  const ana = await signUp(mails, 'ana');
  expect((await ana.browser.get('/account/email/')).status).toBe(404);
  expect((await ana.open('/account/')).html).not.toContain('/account/email/');
  expect((await visitor(mails.site).open('/sign-up/')).html).not.toContain('name="email"');
  const response = await ana.patch('/api/v1/me/', { email: 'ana@example.org', password });
  expect(await response.json()).toEqual({ email: ['This site sends no mail.'] });
});

test('a mail in Arabic is written from right to left, and the name of the site keeps its order', async () => {
  const mails = await mailSite('SQLite');
  const ana = await signUp(mails, 'ana');
  await ana.send('/language/', { language: 'ar' });
  await ana.submit('/account/email/', 'حفظ', { email: 'ana@example.org', password });
  await mails.sendDue();
  const { headers, html } = mails.smtp.mails[0] ?? expect.unreachable();
  expect(headers.get('subject')).toBe('\u2068Vitrine\u2069: تأكيد بريدك الإلكتروني');
  expect(html).toContain('<html lang="ar" dir="rtl">');
});

test('a mail is in the first language of the browser, or in that of the site for everybody', async () => {
  const mails = await mailSite('SQLite');
  const ana = await signUp(mails, 'ana');
  const subjectFor = async (email: string) => {
    await mails.sendDue();
    return mails.smtp.mails.findLast(({ to }) => to === email)?.headers.get('subject');
  };
  const german = { 'Accept-Language': 'de-AT, de;q=0.9, en;q=0.8' };
  await ana.patch('/api/v1/me/', { email: 'ana@example.org', password }, german);
  expect(await subjectFor('ana@example.org')).toBe('Vitrine: Bestätige deine E-Mail-Adresse');

  const admin = await person(mails.site, 'ana', { role: 'admin' });
  await admin.send('/admin/site/', { language: 'es' });
  await signUp(mails, 'eva', { email: 'eva@example.org' });
  expect(await subjectFor('eva@example.org')).toBe('Vitrine: confirma tu dirección de correo');
});
