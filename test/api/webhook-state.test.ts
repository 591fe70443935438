// Webhooks over time: imports, deleted accounts, new secrets, restored logs, redeliveries that are interrupted, and
// names that lead elsewhere.

import { expect, spyOn, test } from 'bun:test';
import { getServers, setServers } from 'node:dns';
import { writeFileSync } from 'node:fs';
import { dns } from 'bun';
import { authority } from '../support/certificates.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { serveIn } from '../support/server.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  importInto,
  project,
  type Site,
  siteAt,
  siteOn,
} from '../support/site.ts';
import { mailSite } from '../support/smtp.ts';
import { waitFor } from '../support/waiting.ts';
import {
  createWebhook,
  allowReceivers as environment,
  postSignedIn,
  readWebhook,
  runSql,
  startReceiver,
  webhooksPath,
} from '../support/webhook-receiver.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), project(1), project(2, { contributor: 2 }));

/** Lets the name lead to these addresses, one after another; all others lead where they lead. */
function resolve(name: string, ...addresses: string[]): Disposable {
  const { lookup } = dns;
  return spyOn(dns, 'lookup').mockImplementation(async (asked, options) =>
    asked === name ? [{ address: addresses.shift() ?? '', family: 4, ttl: 0 }] : lookup(asked, options),
  );
}

const errorsOf = async (owner: Awaited<ReturnType<typeof person>>, id: number) => {
  const { results } = await owner.json<{ results: { error: string }[] }>(`${webhooksPath}${id}/attempts/`);
  return results.map(({ error }) => error);
};

const changeTitle = async (site: Site, title: string) =>
  (await person(site, 'ada')).patch('/api/v1/projects/1/', { title });

/** As if the database had been copied before the changes after this number. */
const replaceLog = (last: number) => [
  `delete from change where sequence > ${last}`,
  `update change_head set last = ${last}`,
];

onBothDatabases((kind) => {
  test('an imported webhook is off with a new secret; switched on, it gets what happens from then on', async () => {
    const old = await siteOn(kind, { dump: gallery, environment });
    const receiver = startReceiver();
    const { secret } = await createWebhook(await person(old, 'ada'), { url: receiver.url });
    const exported = await exportAll(old);
    expect(exported).not.toContain(secret);
    // As a gallery with other filters would write it.
    const line = exported.split('\n').find((line) => line.startsWith('{"type":"webhook"')) ?? '';
    const foreign = line.replace('"id":1', '"id":2').replace('"filter":""', '"filter":"colour=red"');

    // Without the first and the last line, it may be changed.
    const lines = exported.replace(line, `${line}\n${foreign}`).split('\n').slice(1, -2);
    const site = await siteOn(kind, { dump: dump(...lines), environment });
    const ada = await person(site, 'ada');
    site.deliverWebhooks();
    expect((await readWebhook(ada, { id: 1 })).disabled_reason).toBe('imported');
    for (const id of [2, 1])
      expect((await ada.patch(`${webhooksPath}${id}/`, { active: true })).status).toBe(200);
    await changeTitle(site, 'Kite');
    await waitFor(() => receiver.received.length === 1);
    expect(receiver.types).toEqual(['project.changed']);
    // One that is not possible here stops only itself.
    await waitFor(async () => (await readWebhook(ada, { id: 2 })).disabled_reason === 'filter');
    expect(await (await ada.browser.get('/account/')).text()).toContain('was switched off.');

    // The gallery has it already: it goes on, with its secret.
    await importInto(site, await exportAll(site));
    await changeTitle(site, 'Dragon');
    await waitFor(() => receiver.received.length >= 2);
    expect((await readWebhook(ada, { id: 1 })).active).toBe(true);
  });

  test('a deleted account has no webhooks, and nothing is sent to them', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob', { role: 'moderator' })];
    const [toAda, toBob] = [startReceiver(), startReceiver()];
    await createWebhook(ada, { url: toAda.url });
    await createWebhook(bob, { url: toBob.url, events: 'gallery' });
    site.deliverWebhooks();
    await changeTitle(site, 'Kite');
    await waitFor(() => toAda.received.length === 1 && toBob.received.length > 0);
    expect((await ada.delete('/api/v1/me/', { items: 'delete' })).status).toBe(204);
    await waitFor(() => toBob.types.includes('project.gone') || toBob.types.includes('project.removed'));
    expect(toAda.received.length).toBe(1);
    expect(await exportAll(site)).not.toContain(toAda.url);
  });

  test('after an older log has taken the place of the log, what is new is sent, once', async () => {
    const before = await siteOn(kind, { dump: gallery, environment });
    const receiver = startReceiver();
    const ada = await person(before, 'ada');
    const { id } = await createWebhook(ada, { url: receiver.url });
    const stop = before.deliverWebhooks();
    for (const title of ['One', 'Two', 'Three']) await changeTitle(before, title);
    await waitFor(() => receiver.received.length === 3);
    await stop();
    const [one = 0] = receiver.numbers;
    // When this arrives, the end of the older log has been read: what is in it by then counts as sent.
    await ada.post(`${webhooksPath}${id}/redeliver/`);
    await runSql(before, ...replaceLog(one));
    await before.close();

    const site = await siteAt(before.address, { environment });
    site.deliverWebhooks();
    await waitFor(() => receiver.types.includes('test'));
    for (const title of ['Four', 'Five']) await changeTitle(site, title);
    await waitFor(() => receiver.received.length === 6);
    const [next = 0, last = 0] = receiver.numbers.slice(4);
    expect([one < next, next < last, last < one + 5]).toEqual([true, true, true]);
  });

  test('a request that was under way when an older log took its place says nothing of that one', async () => {
    const before = await siteOn(kind, { dump: gallery, environment });
    const receiver = startReceiver();
    const ada = await person(before, 'ada');
    const { id } = await createWebhook(ada, { url: receiver.url });
    const stop = before.deliverWebhooks();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    receiver.answer = async () => {
      if (receiver.received.length === 3) await isReleased;
      return new Response();
    };
    for (const title of ['One', 'Two', 'Three']) await changeTitle(before, title);
    await waitFor(() => receiver.received.length === 3);
    const [one = 0] = receiver.numbers;
    await runSql(before, ...replaceLog(one), `update webhook set position = ${one}`);
    await ada.post(`${webhooksPath}${id}/redeliver/`);
    await waitFor(() => receiver.types.includes('test'));
    release();
    await stop();
    await before.close();

    const site = await siteAt(before.address, { environment });
    for (const title of ['Four', 'Five']) await changeTitle(site, title);
    site.deliverWebhooks();
    await waitFor(() => receiver.received.length === 6);
    const [next = 0, last = 0] = receiver.numbers.slice(-2);
    expect([one < next, next < last]).toEqual([true, true]);
  });
});

test('after a day, the old secret signs no more', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  const { id } = await createWebhook(ada, { url: receiver.url });
  await postSignedIn(ada, `${webhooksPath}${id}/secret/`);
  await runSql(site, 'update webhook set previous_secret_until = previous_secret_until - 86400000001');
  site.deliverWebhooks();
  await changeTitle(site, 'Kite');
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.headers.get('webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
});

test('a redelivery goes on where it was, and after Retry-After an event waits so long', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  const { id } = await createWebhook(ada, { url: receiver.url });
  const stop = site.deliverWebhooks();
  for (const title of ['One', 'Two', 'Three', 'Four']) await changeTitle(site, title);
  await waitFor(() => receiver.received.length === 4);
  const [first, , , last] = receiver.numbers as [number, number, number, number];
  const numbers = [...receiver.numbers];

  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = async () => {
    if (receiver.received.length === 6) await isReleased;
    return new Response();
  };
  const range = { first, last: last + 1000 };
  expect((await ada.post(`${webhooksPath}${id}/redeliver/`, range)).status).toBe(204);
  await waitFor(() => receiver.received.length === 6);
  // It is stopped while the receiver has the second, and has not answered: the second comes again, but not the first.
  await stop();
  release();
  site.deliverWebhooks();
  await waitFor(() => receiver.received.length === 9);
  expect(receiver.numbers.slice(4)).toEqual([...numbers.slice(0, 2), ...numbers.slice(1)]);

  receiver.answer = () => new Response(null, { status: 503, headers: { 'Retry-After': '7200' } });
  await changeTitle(site, 'Five');
  await waitFor(async () => (await readWebhook(ada, { id })).failures === 1);
  const { next_attempt } = await readWebhook(ada, { id });
  expect(Date.parse(next_attempt ?? '') - Date.now()).toBeGreaterThan(7000_000);
});

// Only SQLite has a file that can be exchanged under a server.
test('when the log is replaced while events are sent, they go on', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  const webhook = await createWebhook(ada, { url: receiver.url });
  site.deliverWebhooks();
  for (const title of ['One', 'Two', 'Three']) await changeTitle(site, title);
  await waitFor(() => receiver.received.length === 3);
  const [one = 0, , three = 0] = receiver.numbers;
  await waitFor(async () => (await readWebhook(ada, webhook)).position === three);
  await runSql(site, ...replaceLog(one), `update webhook set position = ${one}`);
  await changeTitle(site, 'Four');
  await waitFor(() => receiver.received.length === 4);
  await changeTitle(site, 'Five');
  await waitFor(() => receiver.received.length === 5);
  const [four = 0, five = 0] = receiver.numbers.slice(3);
  expect([one < four, four < five]).toEqual([true, true]);
});

test('the connection goes to the address that was checked, whatever the name leads to then', async () => {
  const site = await siteOn('SQLite', {
    dump: gallery,
    environment: { VITRINE_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1' },
  });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  const url = receiver.url.replace('127.0.0.1', 'receiver.test');
  const { id } = await createWebhook(ada, { url });
  using _ = resolve('receiver.test', '127.0.0.1', '10.1.2.3');
  site.deliverWebhooks();
  await changeTitle(site, 'Kite');
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.headers.get('Host')).toBe(new URL(url).host);

  await changeTitle(site, 'Dragon');
  await waitFor(async () => (await errorsOf(ada, id)).length === 2);
  expect(await errorsOf(ada, id)).toEqual(['address', '']);
  expect(receiver.received.length).toBe(1);
});

test('a receiver that closes a kept connection gets the next event at once, over a new one', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const answered = new Set<object>();
  const receiver = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        if (answered.has(socket)) socket.terminate();
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        answered.add(socket);
      },
    },
  });
  closeLater(async () => receiver.stop(true));
  const { id } = await createWebhook(ada, { url: `http://127.0.0.1:${receiver.port}/` });
  site.deliverWebhooks();
  for (const title of ['One', 'Two', 'Three']) await changeTitle(site, title);
  await waitFor(() => answered.size === 3);
  await waitFor(async () => (await errorsOf(ada, id)).length === 3);
  expect(await errorsOf(ada, id)).toEqual(['', '', '']);
});

test('names whose servers never answer hold up no other', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
  let questions = 0;
  const silent = await Bun.udpSocket({ hostname: '127.0.0.1', socket: { data: () => void questions++ } });
  const servers = getServers();
  setServers([`127.0.0.1:${silent.port}`]);
  try {
    for (let number = 0; number < 10; number++) {
      const { id } = await createWebhook(ada, { url: `http://silent${number}.test:8080/` });
      await ada.post(`${webhooksPath}${id}/redeliver/`);
    }
    site.deliverWebhooks();
    await waitFor(() => questions >= 4);
    const receiver = startReceiver();
    const { id } = await createWebhook(bob, { url: receiver.url.replace('127.0.0.1', 'localhost') });
    await bob.post(`${webhooksPath}${id}/redeliver/`);
    await waitFor(() => receiver.types.length === 1);
  } finally {
    setServers(servers);
    silent.close();
  }
});

test('a certificate must be valid for the name, and the address that the name leads to allowed', async () => {
  const database = await emptyDatabase('SQLite');
  const site = await siteAt(database, { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const [right, wrong, inside] = [startReceiver('localhost'), startReceiver('other.test'), startReceiver()];
  const urls = [
    right.url.replace('127.0.0.1', 'localhost'),
    wrong.url.replace('127.0.0.1', 'localhost'),
    inside.url.replace('127.0.0.1', '127.0.0.2'),
    right.url,
  ];
  const requestTest = async (id: number) =>
    expect((await ada.post(`${webhooksPath}${id}/redeliver/`)).status).toBe(204);
  for (const url of urls) await createWebhook(ada, { url });
  for (const id of [1, 2, 3]) await requestTest(id);
  const file = temporaryPath('authority');
  writeFileSync(file, authority);
  const options = ['--database', database, '--files', temporaryPath('files')];
  await serveIn({ NODE_EXTRA_CA_CERTS: file }, ...options, '--webhook-allow-network', '127.0.0.1');
  for (const [id, error] of [
    [1, ''],
    [2, 'certificate'],
    [3, 'address'],
  ] as const) {
    await waitFor(async () => (await errorsOf(ada, id)).length > 0);
    expect([id, await errorsOf(ada, id)]).toEqual([id, [error]]);
  }
  expect([right.types, wrong.received, inside.received]).toEqual([['test'], [], []]);
  // The connection that is kept belongs to the name, not to the address.
  await requestTest(4);
  await waitFor(async () => (await errorsOf(ada, 4)).length > 0);
  await requestTest(1);
  await waitFor(() => right.types.length === 2);
  expect(await errorsOf(ada, 4)).toEqual(['certificate']);
});

test('a mail says when a webhook was created, and when the gallery has switched it off', async () => {
  const email = { type: 'email', contributor: 1, address: 'ada@example.org', pending: null, language: '' };
  const account = { type: 'account', contributor: 1, role: 'contributor', password: null, disabled: null };
  const people = dump(adasLine, JSON.stringify(account), JSON.stringify(email), project(1));
  const { site, smtp, sendDue } = await mailSite('SQLite', { dump: people, environment });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  receiver.answer = () => new Response(null, { status: 410 });
  const webhook = await createWebhook(ada, { url: receiver.url });
  site.deliverWebhooks();
  await changeTitle(site, 'Kite');
  await waitFor(async () => !(await readWebhook(ada, webhook)).active);
  expect(await sendDue()).toBe(true);
  // Others are about keys of the test.
  const mails = smtp.mails.filter(({ text }) => text.includes('webhook'));
  expect(mails.map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
    ['ada@example.org', 'A new webhook sends your changes to an address.'],
    ['ada@example.org', expect.stringContaining('was switched off. Here you see why:')],
  ]);
  expect(mails[1]?.links).toEqual(['/account/webhooks/']);
});
