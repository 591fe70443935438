// Large bodies: who may bring them, how many at once, and what becomes of the others.

import { expect, test } from 'bun:test';
import { parseBody } from '../../src/rest/parsers.ts';
import { UploadLimiter } from '../../src/rest/upload-limiter.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(ada, contributor(2, 'bob'), project(1), project(2, { visibility: 'private' }));
const megabyte = 1024 * 1024;

const form = (megabytes: number) => {
  const body = new FormData();
  body.append('file', new Blob(['x'.repeat(megabytes * megabyte)]), 'long.txt');
  return body;
};

const post = (
  site: Site,
  headers: Record<string, string>,
  body: BodyInit,
  path = '/api/v1/projects/1/media/',
) => site.request(path, { method: 'POST', headers, body });

test('only a person who may add files sends more than two megabytes', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const { Cookie = '', ...token } = await site.signIn('ada');
  const senders: [string, Record<string, string>, number][] = [
    ['the owner', await site.key('ada'), 201],
    ['the owner in her browser', { Cookie, ...token }, 201],
    ['a moderator', await site.key('bob', { role: 'moderator' }), 201],
    ['a visitor', {}, 413],
    ['a key that may only read', await site.key('ada', { writes: false }), 413],
    ['a browser that comes from another site', { Cookie, ...token, Origin: 'https://evil.example' }, 413],
    ['a key that is none', { Authorization: 'Token nothing' }, 401],
  ];
  const heard = [];
  for (const [sender, headers] of senders) heard.push([sender, (await post(site, headers, form(3))).status]);
  const hidden = await post(site, await site.key('ada'), form(3), '/api/v1/projects/9/media/');
  const elsewhere = await post(site, await site.key('ada'), form(3), '/api/v1/projects/1/comments/');

  expect(heard).toEqual(senders.map(([sender, , status]) => [sender, status]));
  expect([hidden.status, elsewhere.status]).toEqual([413, 413]);
});

test('a hidden project and a missing one are refused in the same words', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const stranger = await site.key('bob');
  const answers = await Promise.all(
    [2, 99].map(async (id) => {
      const response = await post(site, stranger, form(3), `/api/v1/projects/${id}/media/`);
      return [response.status, await response.text()];
    }),
  );

  expect(answers[0]).toEqual(answers[1] as never);
});

test('the operator sets the size limit of a request', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_UPLOAD_LIMIT: '4' } });
  const key = await site.key('ada');
  const [less, more] = [await post(site, key, form(3)), await post(site, key, form(4))];
  const json = await post(site, { ...key, 'Content-Type': 'application/json' }, ' '.repeat(3 * megabyte));
  let given = 0;
  const endless = new ReadableStream({
    pull(controller) {
      given++;
      controller.enqueue(new Uint8Array(megabyte));
    },
  });
  const type = { 'Content-Type': 'multipart/form-data; boundary=edge' };
  const unending = await post(site, { ...key, ...type }, endless);

  expect([less.status, more.status, json.status, unending.status]).toEqual([201, 413, 413, 413]);
  expect(await more.json()).toEqual({ detail: `The request is larger than ${4 * megabyte} bytes.` });
  expect(given).toBeLessThan(9);
});

test('four uploads run at a time, two of one sender, and the others wait', async () => {
  const uploads = new UploadLimiter(1);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const bring = (sender: string) =>
    uploads.run(sender, () => {
      begun.push(sender);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['ada', 'ada', 'ada', 'bob', 'mo', 'zoe'].map(bring);
  await Bun.sleep(1);
  const first = [...begun];
  ends[2]?.();
  await Bun.sleep(1);
  const second = [...begun];
  ends[0]?.();
  await Bun.sleep(1);
  const third = [...begun];
  for (const end of ends) end();
  await Bun.sleep(1);
  for (const end of ends) end();
  await Promise.all(all);

  expect(first).toEqual(['ada', 'ada', 'bob', 'mo']);
  expect(second).toEqual([...first, 'zoe']);
  expect(third).toEqual([...second, 'ada']);
});

test('a request that waits too long gets 503 with Retry-After', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const key = await site.key('ada');
  const stuck = () => {
    let end = () => {};
    const body = new ReadableStream({
      start(controller) {
        end = () => controller.close();
      },
    });
    const headers = { ...key, 'Content-Type': 'multipart/form-data; boundary=edge' };
    return { end, answer: post(site, headers, body) };
  };
  const first = [stuck(), stuck()];
  const third = await post(site, key, form(3));
  const reading = await site.get('/api/v1/projects/1/');
  for (const { end } of first) end();
  const answers = await Promise.all(first.map(({ answer }) => answer));
  const later = await post(site, key, form(3));

  expect([third.status, third.headers.get('Retry-After')]).toEqual([503, '1']);
  expect([reading.status, later.status]).toEqual([200, 201]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
}, 20_000);

test('a body that arrives too slowly is abandoned, and the rest of it is not read', async () => {
  let given = 0;
  const dripping = new ReadableStream({
    async pull(controller) {
      given++;
      await Bun.sleep(10);
      controller.enqueue(new Uint8Array(10));
    },
  });
  const request = new Request('http://gallery.example/', { method: 'POST', body: dripping });
  const failure = await parseBody(request, { maxBytes: megabyte, timeoutMs: 100 }).catch((error) => error);
  const until = given;
  await Bun.sleep(100);

  expect([failure.name, failure.message]).toEqual(['BadRequest', 'The body came too slowly.']);
  expect(given - until).toBeLessThan(3);
});
