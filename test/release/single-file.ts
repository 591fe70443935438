// The executable file of `npm run build`.

import { expect, test } from 'bun:test';
import { Authenticator } from '../support/authenticator.ts';
import { temporaryPath } from '../support/databases.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { visitor } from '../support/person.ts';
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
