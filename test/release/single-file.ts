// The executable file of `npm run build`.

import { expect, test } from 'bun:test';
import { Authenticator } from '../support/authenticator.ts';
import { temporaryPath } from '../support/databases.ts';
import { pdf } from '../support/documents.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { visitor } from '../support/person.ts';
import { jpeg, photographer, withMetadata } from '../support/pictures.ts';
import { sources } from '../support/program.ts';
import { type Server, serveWith } from '../support/server.ts';
import type { Site } from '../support/site.ts';
import { singleFile } from './built.ts';

const serve = async (...args: string[]): Promise<Server> => serveWith([await singleFile()], ...args);

const paths = [
  '/api/v1/projects/3/',
  '/api/v1/projects/?search=robot&ordering=karma,title',
  '/',
  // Long enough to be rendered in the other thread.
  '/feed.atom',
  '/api/v1/?format=api',
  '/api/v1/docs/?format=api',
];

/** The body without the address of the server, and without the ETag, which depends on the address. */
async function getBody(address: string, path: string): Promise<string> {
  const body = await (await fetch(address + path)).text();
  return body.replaceAll(address, '').replace(/<b>ETag:.*/, '');
}

test('the single file serves the same responses as the sources', async () => {
  const version = await Bun.$`${sources} --version`.text();
  expect(await Bun.$`${await singleFile()} --version`.text()).toBe(version);

  const fromFile = await serve('--demo', '--database', temporaryPath('single.sqlite'));
  const fromSources = await serveWith(sources, '--demo', '--database', temporaryPath('sources.sqlite'));
  for (const path of paths)
    expect(await getBody(fromFile.address, path)).toBe(await getBody(fromSources.address, path));
});

test('the single file checks passkeys', async () => {
  const { address } = await serve('--sign-up', 'open', '--database', temporaryPath('passkeys.sqlite'));
  const request: Site['request'] = (path, init) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), origin: address };
    return fetch(address + path, { ...init, headers, redirect: 'manual' });
  };
  const site = { request } as Site;
  const ada = visitor(site);
  await ada.send('/sign-up/', { username: 'ada', password: 'long and unusual' });

  const device = await makePasskey(ada, 'my phone', new Authenticator(address));
  expect((await usePasskey(visitor(site), device, { isForged: true })).status).toBe(400);
  expect((await usePasskey(visitor(site), device)).status).toBe(303);
});

test('the single file cleans uploads, in its other thread and with the library that it loads for the first PDF', async () => {
  const { address } = await serve('--sign-up', 'open', '--database', temporaryPath('uploads.sqlite'));
  const account = { username: 'ada', password: 'long and unusual' };
  const send = (path: string, body: BodyInit, headers = {}) =>
    fetch(address + path, { method: 'POST', body, headers });
  await send('/api/v1/auth/sign-up/', new URLSearchParams(account));
  const signedIn = await send('/api/v1/auth/token/', new URLSearchParams(account));
  const headers = { Authorization: `Token ${((await signedIn.json()) as { token: string }).token}` };
  const secret = 'Ada Lovelace, 12 St James Square';
  const plan = pdf(
    ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', `<</Author(${secret})>>`],
    '/Info 3 0 R',
  );
  const photo = new Uint8Array(withMetadata(await jpeg(60, 40), 6));
  const form = new FormData();
  form.append('title', 'A kite');
  form.append('file', new Blob([plan]), 'plan.pdf');
  form.append('file', new Blob([photo]), 'photo.jpg');
  const created = await send('/api/v1/projects/?include=media', form, headers);
  const { media } = (await created.json()) as { media: { type: string; url: string }[] };
  expect(media.map(({ type }) => type)).toEqual(['application/pdf', 'image/webp']);
  for (const { url } of media) {
    const file = await fetch(url, { headers });
    const bytes = Buffer.from(await file.bytes());
    expect([file.status, bytes.includes(secret), bytes.includes(photographer)]).toEqual([200, false, false]);
  }
});
