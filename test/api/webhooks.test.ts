// Webhooks, with receivers that listen on real ports.

import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';
import {
  allowReceivers,
  createWebhook,
  webhooksPath as path,
  postSignedIn,
  readWebhook,
  runSql,
  startReceiver,
  type Webhook,
} from '../support/webhook-receiver.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'mo'),
  project(1),
  project(2, { contributor: 2 }),
);
const environment = allowReceivers;

/** The program of the documentation. */
async function importExample() {
  const page = readFileSync(join(import.meta.dir, '../../docs/api/webhooks.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const file = `${temporaryPath('example')}.js`;
  writeFileSync(file, code);
  return (await import(file)) as {
    isFromGallery(headers: Headers, body: string, secret: string): boolean;
  };
}

/** As if so much time had passed since the first failure. */
const makeDue = (site: Site, hours: number) =>
  runSql(
    site,
    `update webhook set next_attempt = 1, failing_since = failing_since - ${hours * 3_600_000_000}`,
  );

onBothDatabases((kind) => {
  test('events come signed, in order and under their numbers, to owners for their projects and to moderators for all', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const [ada, bob, mo] = [
      await person(site, 'ada'),
      await person(site, 'bob'),
      await person(site, 'mo', { role: 'moderator' }),
    ];
    const [toAda, toMo] = [startReceiver(), startReceiver()];
    const webhook = await createWebhook(ada, { url: toAda.url });
    const named = toMo.url.replace('127.0.0.1', 'localhost');
    await createWebhook(mo, { url: named, events: 'gallery', filter: 'contributor=bob' });
    site.deliverWebhooks();

    await ada.patch('/api/v1/projects/1/', { title: 'Kite' });
    expect((await bob.put('/api/v1/projects/1/rating/', { value: 4 })).status).toBe(200);
    await bob.patch('/api/v1/projects/2/', { visibility: 'private' });
    // Then the rating has been looked at for both: it would pass the filter when its project is gone.
    await waitFor(() => toAda.types.length === 2 && toMo.types.length === 1);
    expect((await ada.delete('/api/v1/projects/1/')).status).toBe(204);
    await waitFor(() => toAda.types.length === 3 && toMo.types.length === 2);

    expect(toAda.types).toEqual(['project.changed', 'rating.rated', 'project.gone']);
    // Filters let pass what is gone.
    expect(toMo.types).toEqual(['project.changed', 'project.gone']);
    const [{ headers, body }] = toAda.received as [{ headers: Headers; body: string }];
    expect(toMo.received[0]?.headers.get('Host')).toBe(
      new URL(toMo.url.replace('127.0.0.1', 'localhost')).host,
    );
    const id = headers.get('webhook-id');
    const { data } = JSON.parse(body);
    expect(id).toBe(`${webhook.id}-${data.sequence}`);
    expect(data).toEqual(
      expect.objectContaining({ kind: 'project', id: 1, url: 'http://gallery.example/api/v1/projects/1/' }),
    );
    const { isFromGallery } = await importExample();
    expect(isFromGallery(headers, body, webhook.secret)).toBe(true);
    expect(isFromGallery(headers, body.replace('changed', 'removed'), webhook.secret)).toBe(false);
    expect(isFromGallery(headers, body, 'whsec_c2VjcmV0')).toBe(false);
  });

  test('an event that fails is tried again before the next, and one that fails for three days is a dead letter', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const ada = await person(site, 'ada');
    const receiver = startReceiver();
    const webhook = await createWebhook(ada, { url: receiver.url });
    receiver.answer = () => new Response('no', { status: 500 });
    const stop = site.deliverWebhooks();
    await ada.patch('/api/v1/projects/1/', { title: 'One' });
    await ada.patch('/api/v1/projects/1/', { title: 'Two' });
    await waitFor(async () => (await readWebhook(ada, webhook)).failures === 1);
    expect(receiver.received.length).toBe(1);

    await stop();
    await makeDue(site, 1);
    const stopAgain = site.deliverWebhooks();
    await waitFor(async () => (await readWebhook(ada, webhook)).failures === 2);
    await stopAgain();
    await makeDue(site, 72);
    site.deliverWebhooks();
    await waitFor(async () => !(await readWebhook(ada, webhook)).active);
    const state = await readWebhook(ada, webhook);
    expect([state.disabled_reason, state.dead_letters]).toEqual(['failing', 1]);
    expect(new Set(receiver.numbers).size).toBe(1);

    receiver.answer = undefined;
    await ada.patch(`${path}${webhook.id}/`, { active: true });
    await waitFor(() => new Set(receiver.numbers).size === 2);
    const [first] = receiver.numbers as [number];
    await ada.post(`${path}${webhook.id}/redeliver/`, { first });
    await waitFor(async () => (await readWebhook(ada, webhook)).dead_letters === 0);
    expect(receiver.numbers.at(-1)).toBe(first);
  });

  test('410 and a lost role switch a webhook off; a test and a new secret work', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const [toAda, toMo] = [startReceiver(), startReceiver()];
    const [adas, mos] = [
      await createWebhook(ada, { url: toAda.url }),
      await createWebhook(mo, { url: toMo.url, events: 'gallery' }),
    ];
    site.deliverWebhooks();
    const rotated = (await (await postSignedIn(ada, `${path}${adas.id}/secret/`)).json()) as Webhook;
    expect(rotated.secret).not.toBe(adas.secret);
    expect((await ada.post(`${path}${adas.id}/redeliver/`)).status).toBe(204);
    await waitFor(() => toAda.types.length === 1);
    expect(toAda.types).toEqual(['test']);
    expect(toAda.received[0]?.headers.get('webhook-signature')?.split(' ').length).toBe(2);

    toAda.answer = () => new Response(null, { status: 410 });
    await site.key('mo', { role: 'contributor' });
    await ada.patch('/api/v1/projects/1/', { title: 'Kite' });
    await waitFor(async () => !(await readWebhook(ada, adas)).active && !(await readWebhook(mo, mos)).active);
    expect((await readWebhook(ada, adas)).disabled_reason).toBe('gone');
    expect((await readWebhook(mo, mos)).disabled_reason).toBe('role');
    expect(toMo.received).toEqual([]);
    const { results } = await ada.json<{ results: object[] }>(`${path}${adas.id}/attempts/`);
    expect(results.map((attempt) => ('status' in attempt ? attempt.status : undefined))).toEqual([410, 204]);
  });

  test('webhooks are their owner’s, and an account has at most ten', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const webhook = await createWebhook(ada, { url: 'http://127.0.0.1:9/' });
    for (const [method, name] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', 'secret/'],
      ['GET', 'attempts/'],
      ['POST', 'redeliver/'],
    ] as const)
      expect((await bob.request(method, `${path}${webhook.id}/${name}`)).status).toBe(404);
    expect((await postSignedIn(bob, path, { url: 'http://127.0.0.1:9/', events: 'gallery' })).status).toBe(
      403,
    );
    for (let count = 1; count < 10; count++) await createWebhook(ada, { url: 'http://127.0.0.1:9/' });
    expect((await postSignedIn(ada, path, { url: 'http://127.0.0.1:9/' })).status).toBe(400);
    expect((await ada.delete(`${path}${webhook.id}/`)).status).toBe(204);
    expect((await ada.json<Webhook[]>(path)).length).toBe(9);
    expect((await bob.json<Webhook[]>(path)).length).toBe(0);
  });
});

test('pages create webhooks, show their secret once and what was sent, and switch, test and delete them', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const receiver = startReceiver();
  const [list, page] = ['/account/webhooks/', '/account/webhooks/1/'];
  const secret = /whsec_[A-Za-z0-9+/]{43}=/;
  const textOf = async (path: string) => (await ada.browser.get(path)).text();
  site.deliverWebhooks();
  const created = await (await ada.submit(list, 'Create webhook', { URL: receiver.url })).text();
  const rotated = await (await ada.submit(`${page}secret/`, 'New secret')).text();
  expect([created, rotated].map((text) => secret.test(text))).toEqual([true, true]);
  expect(secret.test((await textOf(list)) + (await textOf(page)))).toBe(false);

  expect((await ada.submit(page, 'Send a test')).status).toBe(303);
  await ada.patch('/api/v1/projects/1/', { title: 'Kite' });
  await waitFor(() => receiver.received.length === 2);
  const number = receiver.numbers.find((number) => number > 0);
  const attempts = `${page}attempts/`;
  await waitFor(async () => (await textOf(page)).includes(`Change ${number}`));
  const [, change = ''] = new RegExp(`${attempts}(\\d+)/"[^>]*>Change`).exec(await textOf(page)) ?? [];
  expect(await textOf(`${attempts}${change}/`)).toContain('webhook-signature');
  expect((await ada.submit(`${attempts}${change}/`, `Send again ${number}`)).status).toBe(303);
  await waitFor(() => receiver.received.length === 3);
  expect(receiver.numbers.filter((sent) => sent === number).length).toBe(2);

  for (const [button, text] of [
    ['Switch off', 'Switch on'],
    ['Switch on', 'Switch off'],
  ] as const) {
    expect((await ada.submit(page, button)).status).toBe(303);
    expect(await textOf(page)).toContain(text);
  }
  expect((await ada.submit(`${page}delete/`, 'Delete')).headers.get('Location')).toBe(list);
  expect(await textOf(list)).toContain('You have no webhooks.');
  const refused = await ada.send(list, { url: 'ftp://example.org/' });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('Enter a URL such as'),
  ]);
});

test('receivers that hang, send without end or lead inside delay no others, and reach nothing', async () => {
  const moderators = Array.from({ length: 12 }, (_, index) => `mo${index}`);
  const people = moderators.map((name, index) => contributor(index + 2, name));
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1), ...people), environment });
  const ada = await person(site, 'ada');
  const [good, inside, redirecting, endless, hanging] = [
    startReceiver(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ];
  redirecting.answer = () => Response.redirect(inside.url, 307);
  hanging.answer = () => new Promise(() => {});
  const chunk = new Uint8Array(64 * 1024);
  endless.answer = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));
  await createWebhook(ada, { url: good.url });
  site.deliverWebhooks();
  await ada.patch('/api/v1/projects/1/', { title: 'First' });
  await waitFor(() => good.received.length === 1);

  const bad: [Person, Webhook][] = [];
  const { port } = new URL(inside.url);
  for (const name of moderators) {
    const moderator = await person(site, name, { role: 'moderator' });
    const urls = [
      hanging.url,
      redirecting.url,
      endless.url,
      startReceiver('localhost').url,
      `http://127.0.0.2:${port}/`,
    ];
    for (const url of urls) bad.push([moderator, await createWebhook(moderator, { url, events: 'gallery' })]);
    // As if the operator did not allow this network any more.
    await runSql(site, `update webhook set url = 'http://[::1]:${port}/' where url like '%127.0.0.2%'`);
  }
  for (let number = 1; number <= 5; number++)
    await ada.patch('/api/v1/projects/1/', { title: `Number ${number}` });
  await waitFor(() => good.received.length === 6);

  const errorsOf = async (index: number) => {
    const [owner, { id }] = bad[index] as [Person, Webhook];
    const { results } = await owner.json<{ results: { error: string }[] }>(`${path}${id}/attempts/`);
    return [...new Set(results.map(({ error }) => error))];
  };
  for (const [index, error] of [
    [1, 'status'],
    [2, ''],
    [3, 'certificate'],
    [4, 'address'],
  ] as const) {
    await waitFor(async () => (await errorsOf(index)).length > 0);
    expect([index, await errorsOf(index)]).toEqual([index, [error]]);
  }
  expect(inside.received).toEqual([]);
});

test('a key, or a session that was left open, changes no address and no secret', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const url = 'http://127.0.0.1:9/';
  const { id } = await createWebhook(ada, { url });
  const requests = [
    ['POST', path, { url }],
    ['PATCH', `${path}${id}/`, { url }],
    ['POST', `${path}${id}/secret/`, {}],
  ] as const;
  for (const [method, to, body] of requests) {
    const response = await ada.request(method, to, body);
    expect([response.status, await response.json()]).toEqual([
      403,
      { detail: 'A key cannot do this: sign in.' },
    ]);
  }
  expect((await ada.patch(`${path}${id}/`, { filter: 'tags=kite', active: false })).status).toBe(200);

  const isOld = 'update session set created = created - 601000000';
  await runSql(site, isOld, "update account set password = 'the hash of some password'");
  const left = await ada.submit('/account/webhooks/', 'Create webhook', { URL: url });
  expect(left.status).toBe(400);
  expect((await ada.submit(`/account/webhooks/${id}/secret/`, 'New secret')).status).toBe(400);
  expect((await ada.json<Webhook[]>(path)).length).toBe(1);
});

test('URLs that lead inside, and other bad ones, are refused with a reason', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const inside = 'This is not an address of the public internet.';
  const form = 'Enter a URL such as https://example.org/events.';
  const reasons: [url: string, reason: string][] = [
    ['https://127.0.0.1/', inside],
    ['https://0x7f.1/', inside],
    ['https://2130706433/', inside],
    ['https://localhost/', inside],
    ['https://a.localhost./', inside],
    ['https://printer/', inside],
    ['https://nas.local/', inside],
    ['https://10.1.2.3/', inside],
    ['https://169.254.169.254/latest/meta-data/', inside],
    ['https://100.64.0.1/', inside],
    ['https://[::1]/', inside],
    ['https://[::]/', inside],
    ['https://[::ffff:127.0.0.1]/', inside],
    ['https://[64:ff9b::7f00:1]/', inside],
    ['https://[2002:7f00:1::]/', inside],
    ['https://[fe80::1]/', inside],
    ['https://[fd00:ec2::254]/', inside],
    ['https://[ff02::1]/', inside],
    ['http://example.org/', 'A URL that begins with https:// is required.'],
    ['https://example.org:25/', 'The port must be 443, or at least 1024.'],
    ['https://ada:secret@example.org/', 'A URL with a password cannot be used.'],
    ['https://example.org/#top', 'A URL with # cannot be used.'],
    ['ftp://example.org/', form],
    ['file:///etc/passwd', form],
    ['example.org', form],
    ['https://', form],
  ];
  for (const [url, reason] of reasons) {
    const response = await postSignedIn(ada, path, { url });
    expect([url, response.status, await response.json()]).toEqual([url, 400, { url: [reason] }]);
  }
  expect((await postSignedIn(ada, path, { url: 'https://example.org:8443/events?a=b' })).status).toBe(201);
  expect((await postSignedIn(ada, path, { url: 'https://[2606:4700::1111]/' })).status).toBe(201);
  for (const filter of ['search=kite', 'status=1', 'content_type=none', 'tags=a&tags=b'])
    expect((await postSignedIn(ada, path, { url: 'https://example.org/', filter })).status).toBe(400);
});
