// The example of the README serves an API, with the package as it is published: on Node and on Bun.

import { afterAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import root from '../../../package.json';
import manifest from '../package.json';

const source = join(import.meta.dir, '..');
const modules = join(source, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-rest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (command: string) => {
  const { exitCode, stdout, stderr } = await Bun.$`sh -c ${command}`.cwd(folder).nothrow().quiet();
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
};

/** A project that has installed the package, and has the example as JavaScript. */
async function install(): Promise<void> {
  const copy = join(folder, 'packages/rest');
  for (const path of ['rest/src', 'rest/package.json', 'rest/tsconfig.json', 'common/src'])
    cpSync(join(source, '..', path), join(folder, 'packages', path), { recursive: true });
  symlinkSync(modules, join(folder, 'packages/node_modules'));
  const built = await run(`cd ${copy} && PATH=${modules}/.bin:$PATH && ${manifest.scripts.build}`);
  expect(built).toEqual({ code: 0, out: '', error: '' });

  const installed = join(folder, 'node_modules/vitrine-rest');
  mkdirSync(installed, { recursive: true });
  cpSync(join(copy, 'package.json'), join(installed, 'package.json'));
  cpSync(join(copy, 'dist'), join(installed, 'dist'), { recursive: true });
  rmSync(join(folder, 'packages'), { recursive: true });
  for (const name of [...Object.keys(manifest.dependencies), '@hono/node-server', '@types', 'bun-types']) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example = '']) => example);
  for (const [index, name] of ['api', 'bun', 'node'].entries())
    writeFileSync(join(folder, `${name}.ts`), examples[index] ?? '');
  // Fails if its types are wrong.
  const compiled = await run(
    `${modules}/.bin/tsc --strict --skipLibCheck --module nodenext --target es2023 --types bun --pretty false *.ts`,
  );
  expect(compiled).toEqual({ code: 0, out: '', error: '' });
}
const installing = install();

/** The address, without the path. */
async function start(runtime: string, file: string) {
  const process = Bun.spawn([runtime, file], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const { value } = await process.stdout.getReader().read();
  const address =
    value &&
    new TextDecoder()
      .decode(value)
      .trim()
      .replace(/\/api\/$/, '');
  if (!address) throw new Error(await new Response(process.stderr).text());
  const stop = async () => {
    process.kill();
    await process.exited;
  };
  return { address, [Symbol.asyncDispose]: stop };
}

test.each([
  ['node', 'node.js'],
  [process.execPath, 'bun.js'],
])('the example serves an API with %s', async (runtime, file) => {
  await installing;
  await using server = await start(runtime, file);
  const { address } = server;
  const send = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const json = async (path: string, options?: RequestInit) => JSON.parse((await send(path, options)).text);
  const write = (method: string, body: unknown, key = 'key-of-ada') => ({
    method,
    headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  expect(await json('/api/')).toEqual({ books: `${address}/api/books/` });
  expect(await json('/api/books/?page_size=2&page=2')).toEqual({
    count: 3,
    next: null,
    previous: `${address}/api/books/?page_size=2`,
    results: [{ id: 3, title: 'Pippi', pages: 160 }],
  });
  const { next } = await json('/api/books/?cursor=&page_size=2');
  expect((await json(next.slice(address.length))).results).toEqual([{ id: 3, title: 'Pippi', pages: 160 }]);

  expect(await json('/api/books/', { method: 'POST' })).toEqual({
    detail: 'Authentication credentials were not provided.',
  });
  expect((await send('/api/books/', write('POST', {}, 'wrong'))).status).toBe(401);
  expect(await json('/api/books/', write('POST', { pages: 'many' }))).toEqual({
    title: ['This field is required.'],
    pages: ['A valid integer is required.'],
  });
  const added = await send('/api/books/', write('POST', { title: 'Ronja', pages: 240 }));
  expect([added.status, JSON.parse(added.text)]).toEqual([201, { id: 4, title: 'Ronja', pages: 240 }]);
  expect(await json('/api/books/4/', write('PATCH', { pages: 250 }))).toMatchObject({ pages: 250 });
  const form = { ...write('PATCH', {}), body: new URLSearchParams({ title: 'Ronia' }) };
  const formHeaders = { Authorization: 'Bearer key-of-ada' };
  expect(await json('/api/books/4/', { ...form, headers: formHeaders })).toMatchObject({ title: 'Ronia' });
  expect(await json('/api/books/9/')).toEqual({ detail: 'Not found.' });
  expect((await send('/elsewhere')).status).toBe(404);
  expect((await send('/api/', { headers: { Host: 'example.com' } })).status).toBe(400);
  expect((await send('/api/books.csv')).text).toBe(
    'id,title,pages\r\n1,Emil,160\r\n2,Momo,160\r\n3,Pippi,160\r\n4,Ronia,250\r\n',
  );

  const one = await send('/api/books/1/');
  const etag = one.headers.get('ETag') ?? '';
  expect((await send('/api/books/1/', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  expect((await send('/api/books/1/', { method: 'HEAD' })).headers.get('Content-Length')).toBe(
    String(one.text.length),
  );
  // Responses that are sent at once have headers of their own.
  const ids = await Promise.all([1, 2, 3, 4].map((id) => send(`/api/books/${id}/`)));
  expect(new Set(ids.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(4);

  const document = await json('/api/schema/');
  expect(Object.keys(document.components.schemas)).toContain('BookPage');
  expect(Object.keys(document.paths)).toContain('/api/books/{id}/');
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'token']);
  for (const path of ['/api/', '/api/books/', '/api/books/1/', '/api/docs/', '/api/docs/books/']) {
    const page = await send(path, { headers: { Accept: 'text/html' } });
    expect([path, page.status, page.headers.get('Content-Type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    for (const [, file = ''] of page.text.matchAll(/(?:href|src)="(\/api\/assets\/[^"]*)"/g))
      expect((await send(file)).status).toBe(200);
  }
});

test('the package has the version of the program, and its dependencies in the versions of the program', () => {
  expect(manifest.version).toBe(root.version);
  expect(root.dependencies).toMatchObject(manifest.dependencies);
});
