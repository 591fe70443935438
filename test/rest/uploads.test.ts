// Large request bodies: who may send them, how many at a time, and how the others are refused.

import { expect, test } from 'bun:test';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { parseBody } from '#rest/parsers.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, siteOn } from '../support/site.ts';
import { stopClock } from '../support/waiting.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'mo'),
  project(1),
  project(2, { visibility: 'private' }),
);
const megabyte = 1024 * 1024;
const media = '/api/v1/projects/1/media/';

const form = (megabytes: number) => {
  const body = new FormData();
  body.append('file', new Blob(['x'.repeat(megabytes * megabyte)]), 'long.txt');
  return body;
};

test('only a person who may add files sends more than two megabytes', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const session = await site.signIn('ada');
  const cases: [sender: string, headers: Record<string, string>, status: number][] = [
    ['the owner', await site.key('ada'), 201],
    ['the owner in her browser', session, 201],
    ['a moderator', await site.key('bob', { role: 'moderator' }), 201],
    ['a visitor', {}, 413],
    ['a key that may only read', await site.key('ada', { writes: false }), 413],
    ['a browser that comes from another site', { ...session, Origin: 'https://evil.example' }, 413],
    ['an unknown key', { Authorization: 'Token nothing' }, 401],
  ];
  for (const [sender, headers, status] of cases) {
    const response = await site.request(media, { method: 'POST', headers, body: form(3) });
    expect([sender, response.status]).toEqual([sender, status]);
  }

  const ada = await person(site, 'ada');
  expect((await ada.post('/api/v1/projects/9/media/', form(3))).status).toBe(413);
  expect((await ada.post('/api/v1/projects/1/comments/', form(3))).status).toBe(413);
});

test('a hidden project and a missing one are refused in the same words', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const bob = await person(site, 'bob');

  const hidden = await bob.post('/api/v1/projects/2/media/', form(3));
  const missing = await bob.post('/api/v1/projects/99/media/', form(3));
  expect([hidden.status, await hidden.text()]).toEqual([missing.status, await missing.text()]);
});

test('the operator sets the size limit of a request', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_UPLOAD_LIMIT: '4' } });
  const ada = await person(site, 'ada');

  expect((await ada.post(media, form(3))).status).toBe(201);

  const larger = await ada.post(media, form(4));
  expect([larger.status, await larger.json()]).toEqual([
    413,
    { detail: `The request is larger than ${4 * megabyte} bytes.` },
  ]);

  const headers = { ...(await ada.key()), 'Content-Type': 'application/json' };
  const json = await site.request(media, { method: 'POST', headers, body: ' '.repeat(3 * megabyte) });
  expect(json.status).toBe(413);

  let megabytes = 0;
  const endless = new ReadableStream({
    pull(controller) {
      megabytes++;
      controller.enqueue(new Uint8Array(megabyte));
    },
  });
  const formHeaders = { ...headers, 'Content-Type': 'multipart/form-data; boundary=edge' };
  const unending = await site.request(media, { method: 'POST', headers: formHeaders, body: endless });
  expect(unending.status).toBe(413);
  expect(megabytes).toBeLessThan(9);
});

test('a size limit below that of other bodies holds too', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_UPLOAD_LIMIT: '1' } });
  const ada = await person(site, 'ada');
  const { headers, body } = new Response(form(1.5));
  const bytes = await new Response(body).bytes();

  const response = await site.request(media, {
    method: 'POST',
    headers: {
      ...(await ada.key()),
      'Content-Type': headers.get('Content-Type') ?? '',
      'Content-Length': String(bytes.length),
    },
    body: bytes,
  });
  expect(response.status).toBe(413);
});

/** An upload that goes on until it is ended. */
async function beginUpload(someone: Person, megabytes: number) {
  const { readable, writable } = new TransformStream();
  const headers = { ...(await someone.key()), 'Content-Type': 'multipart/form-data; boundary=edge' };
  const response = someone.site.request(media, { method: 'POST', headers, body: readable });
  const writer = writable.getWriter();
  for (let sent = 0; sent < megabytes; sent++) await writer.write(new Uint8Array(megabyte));
  return { response, end: () => writer.close() };
}

test('of one person, four large bodies are received at a time, and another one gets 503 with Retry-After', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const first = await Promise.all([1, 1, 1, 1].map((megabytes) => beginUpload(ada, megabytes)));

  const refused = await ada.post(media, form(3));
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);

  for (const { response, end } of first) {
    await end();
    expect((await response).status).toBe(400);
  }
  expect((await ada.post(media, form(3))).status).toBe(201);
});

test('thirty people upload at once, and each large file arrives whole', async () => {
  const people = Array.from({ length: 30 }, (_, index) => ({ id: index + 10, name: `pupil${index}` }));
  const lines = people.flatMap(({ id, name }) => [
    contributor(id, name),
    project(id, { contributor: id, content_type: 'document' }),
  ]);
  const site = await siteOn('SQLite', { dump: dump(...lines) });

  const uploads = people.map(async ({ id, name }) => {
    const pupil = await person(site, name);
    const text = `${name} `.repeat((3 * megabyte) / name.length);
    const body = new FormData();
    body.append('file', new Blob([text]), 'long.txt');
    const response = await pupil.post(`/api/v1/projects/${id}/media/`, body);
    const [file] = (await response.json()) as { url: string }[];
    const stored = await pupil.get(new URL(file?.url ?? '').pathname);
    return [response.status, (await stored.text()) === text];
  });
  expect(await Promise.all(uploads)).toEqual(people.map(() => [201, true]));
});

test('large bodies of one person that wait for storage leave room in memory for others', async () => {
  const site = await siteOn('SQLite', { dump: `${gallery}${dump(project(3, { contributor: 2 }))}` });
  const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
  const { put } = site.files;
  const storing = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  site.files.put = async (name, content) => {
    storing.resolve();
    if (content instanceof Uint8Array && content.length === 3 * megabyte) await stored.promise;
    await put.call(site.files, name, content);
  };
  const waiting = Promise.all([1, 2, 3, 4].map(() => ada.post(media, form(3))));
  await storing.promise;

  expect((await bob.post('/api/v1/projects/3/media/', form(4))).status).toBe(201);

  stored.resolve();
  expect((await waiting).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
});

test('when all places are taken, those kept for people who have none remain', async () => {
  const people = Array.from({ length: 12 }, (_, index) => ({ id: index + 10, name: `pupil${index}` }));
  const site = await siteOn('SQLite', {
    dump: `${gallery}${dump(...people.map(({ id, name }) => contributor(id, name)))}`,
  });
  const moderators = await Promise.all(people.map(({ name }) => person(site, name, { role: 'moderator' })));
  const slow = await Promise.all(
    moderators.flatMap((moderator) => [1, 1, 1, 1].map((megabytes) => beginUpload(moderator, megabytes))),
  );

  const ada = await person(site, 'ada');
  expect((await ada.post(media, form(3))).status).toBe(201);
  const first = await beginUpload(ada, 1);
  expect((await ada.post(media, form(3))).status).toBe(503);

  for (const { response, end } of [...slow, first]) {
    await end();
    expect((await response).status).toBe(400);
  }
});

const reception = { maxBytesInMemory: megabyte, takePlace: async () => {} };

test('a body that arrives too slowly is abandoned, and the rest of it is not read', async () => {
  const clock = stopClock();
  let reads = 0;
  const slow = new ReadableStream({
    async pull(controller) {
      reads++;
      await nextEventLoopTurn();
      clock.advance(10);
      controller.enqueue(new Uint8Array(10));
    },
  });
  const request = new Request('http://gallery.example/', { method: 'POST', body: slow });

  const upload = { ...reception, timeoutMs: 100, graceMs: 1000, minBytesPerSecond: 1 };
  const failure = await parseBody(request, { maxBytes: megabyte, upload }).catch((error) => error);
  expect([failure.name, failure.message]).toEqual(['TooSlow', 'The body arrives too slowly.']);

  const readsBefore = reads;
  for (let turn = 0; turn < 10; turn++) await nextEventLoopTurn();
  expect(reads - readsBefore).toBeLessThan(3);
});

test('a body must arrive at a minimum rate, and one that stops arriving is abandoned', async () => {
  const clock = stopClock();
  const bodyOf = (chunks: number[]) =>
    new ReadableStream({
      async pull(controller) {
        const size = chunks.shift();
        if (size === 0) return controller.close();
        await nextEventLoopTurn();
        clock.advance(size === undefined ? 60_000 : 50);
        if (size === undefined) return new Promise(() => {});
        controller.enqueue(new Uint8Array(size));
      },
    });
  const upload = { ...reception, timeoutMs: 60_000, graceMs: 150, minBytesPerSecond: 100_000 };
  const parse = async (chunks: number[]) => {
    const request = new Request('http://gallery.example/', { method: 'POST', body: bodyOf(chunks) });
    const failure = await parseBody(request, { maxBytes: megabyte, upload }).catch((error) => error);
    return failure.name;
  };

  // Refused only because of its media type: all of it has come.
  expect(await parse([100_000, ...Array(8).fill(100), 0])).toBe('UnsupportedMediaType');
  expect(await parse([...Array(100).fill(100), 0])).toBe('TooSlow');
  expect(await parse([100])).toBe('TooSlow');
});

test('an upload that sends nothing is refused after five seconds, and the connection closed', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');

  const clock = stopClock();
  const isAwaited = Promise.withResolvers<void>();
  const pull = () => {
    isAwaited.resolve();
    return new Promise<void>(() => {});
  };
  const headers = { ...(await ada.key()), 'Content-Type': 'multipart/form-data; boundary=edge' };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const response = site.request(media, { method: 'POST', headers, body });
  await isAwaited.promise;
  await nextEventLoopTurn();
  clock.advance(4999);
  expect(Bun.peek.status(response)).toBe('pending');
  clock.advance(1);
  const { status, headers: responseHeaders } = await response;
  expect([status, responseHeaders.get('Connection')]).toEqual([408, 'close']);
});
