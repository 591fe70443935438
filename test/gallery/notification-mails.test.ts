// Mails about notifications: at most as often as people want, each notification once, and nothing that they may not see.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { queueNotificationMails } from '../../src/features/notifications/mails.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project } from '../support/site.ts';
import { mailSite } from '../support/smtp.ts';

/** Ada reads Spanish. */
const account = [
  JSON.stringify({ type: 'account', contributor: 1, role: 'contributor', password: null, disabled: null }),
  JSON.stringify({ type: 'email', contributor: 1, address: 'ada@a.example', pending: null, language: 'es' }),
];
const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  ...account,
  project(1, { title: 'A lamp' }),
  project(2, {
    ...{ title: 'Kites', contributor: 2, content_type: 'collection', kind: 'class', offers: 'closed' },
    visibility: 'class',
  }),
  '{"type":"collection_person","collection":2,"contributor":1,"role":"member"}',
);

const hour = 60 * 60 * 1000;

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('a mail tells what is unread and visible when it is sent, once, and at most daily', async () => {
    const environment = { VITRINE_TIME_ZONE: 'Asia/Kolkata' };
    const { site, smtp, mailer, anotherMailer } = await mailSite(kind, { dump: gallery, environment });
    const [ada, bob, cleo] = [
      await person(site, 'ada'),
      await person(site, 'bob'),
      await person(site, 'cleo'),
    ];
    const comment = (text: string) => bob.post('/api/v1/projects/1/comments/', { text });
    const send = async (hours: number) => {
      setSystemTime(start + hours * hour);
      await Promise.all([site, site].map(({ database }) => queueNotificationMails(database)));
      await Promise.all([mailer, anotherMailer()].map((each) => each.sendDue()));
      return smtp.mails.splice(0).map(({ to, text }) => [to, text.split('\n')[0]]);
    };
    const start = Date.now();

    for (const rater of [bob, cleo]) await rater.put('/api/v1/projects/1/rating/', { value: 5 });
    const hidden = (await (await comment('Hm.')).json()) as { id: number };
    await bob.delete(`/api/v1/projects/${hidden.id}/`);
    expect(await send(0)).toEqual([['ada@a.example', '2 personas valoraron A lamp']]);
    await comment('Bright.');
    expect(await send(23)).toEqual([]);
    await comment('Very.');
    expect(await send(25)).toEqual([['ada@a.example', 'bob comentó en A lamp']]);
    expect(await send(50)).toEqual([]);
    const due = `${new Date(start + 90 * hour).toISOString().slice(0, 10)}T14:30:00Z`;
    expect((await bob.patch('/api/v1/projects/2/', { due })).status).toBe(200);
    const dueOn = expect.stringMatching(/^Kites: entrega el \d+ de [a-z]+ de \d{4}, 20:00$/);
    expect(await send(50.5)).toEqual([['ada@a.example', dueOn]]);

    await comment('Still.');
    await ada.submit('/account/notifications/', 'Mark all as read');
    expect(await send(75)).toEqual([]);
    await ada.send('/account/notifications/settings/', { commented: 'on', mail: 'at_once' });
    await comment('More.');
    expect(await send(76)).toEqual([['ada@a.example', 'bob comentó en A lamp']]);
    await comment('And more.');
    expect(await send(76.1)).toEqual([]);
    expect(await send(77)).toEqual([['ada@a.example', 'bob comentó en A lamp']]);
  });

  test('one click ends the mails, without signing in', async () => {
    const { site, smtp, sendDue } = await mailSite(kind, { dump: gallery });
    const bob = await person(site, 'bob');
    await bob.put('/api/v1/projects/1/rating/', { value: 5 });
    await queueNotificationMails(site.database);
    await sendDue();

    const [mail] = smtp.mails;
    const [, path = ''] =
      /^<https:\/\/gallery\.example(.*)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? [];
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail?.links).toContain(path);
    expect((await site.get(path)).status).toBe(200);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await site.request(`${path}x`, { method: 'POST', body })).status).toBe(404);
    expect((await site.request(path, { method: 'POST', body })).status).toBe(303);
    await bob.post('/api/v1/projects/1/comments/', { text: 'Bright.' });
    setSystemTime(Date.now() + 48 * hour);
    await queueNotificationMails(site.database);
    await sendDue();
    expect(smtp.mails).toHaveLength(1);
  });
});
