// npm run test:clients: the program of docs/api/client.md, as the page has it, is compiled, and run in Bun, Node and Deno, and in
// a page of another origin in Chromium.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.ts';
import { buildClient, compile, createProjectWithClient, runWithClient } from '../support/client-package.ts';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Site, siteOn } from '../support/site.ts';

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8');
const blocks = read('docs/api/client.md').matchAll(/^```ts\n(.*?)^```$/gms);
const program = Array.from(blocks, ([, block = '']) => block).join('\n');
const gallery = ['gallery', 'people'].map((name) => read(`test/exchanges/${name}.ndjson`)).join('');

const transpile = (code: string) => new Bun.Transpiler({ loader: 'ts' }).transformSync(code);

async function prepare(site: Site): Promise<string> {
  const { Authorization = '' } = await site.key('ada');
  return program
    .replaceAll('https://gallery.example.org', site.serve())
    .replaceAll('YOUR_KEY', Authorization.replace('Token ', ''));
}

const printedLines = [
  'ada true',
  '<b>Bold</b> & "loud"',
  'Évening light',
  '12 projects',
  '1 of 2',
  'maker 0',
  'Ada Lovelace',
  'Robots: true',
  'Red kite It flies.',
  'changed meanwhile',
  'Which paper?',
  'Any.',
  '5',
  'true private',
  'all sent',
  'plan.txt: A plan',
  'paper, wind folds.txt',
  '400 This field may not be blank.',
  'project true is gone',
  '0',
];

test('the program compiles, and what is not as the API has it does not', async () => {
  const folder = await createProjectWithClient();
  expect(program).not.toMatch(/\b(as|any)\b|@ts-/);
  const wrong = "\nvoid gallery.projects.create({ titel: 'Kite' });\nkite.karma.trim();\n";
  await Bun.write(join(folder, 'program.ts'), program);
  await Bun.write(join(folder, 'wrong.ts'), program + wrong);
  expect(await compile(folder, ['program.ts', 'wrong.ts'])).toEqual([
    'wrong.ts error TS2561',
    'wrong.ts error TS2339',
  ]);
});

onBothDatabases((kind) => {
  test.each(['Bun', 'Node', 'Deno'] as const)('the program works in %s', async (runtime) => {
    const site = await siteOn(kind, { dump: gallery });
    const { stdout, stderr } = await runWithClient(runtime, transpile(await prepare(site)));
    expect([stdout.trim().split('\n'), stderr]).toEqual([printedLines, '']);
  });
});

test('the program works in Chromium, in a page of another origin', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_CORS_ORIGINS: '*' } });
  const [folder, code] = [await buildClient(), transpile(await prepare(site))];
  const page = `<!doctype html><script type="importmap">{"imports":{"vitrine-client":"/dist/index.js"}}</script>
    <script type="module">${code}\nconsole.log('end');</script>`;
  const other = Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname.startsWith('/dist/')) return new Response(Bun.file(join(folder, pathname)));
      return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    },
  });
  closeLater(() => other.stop(true));

  const browser = await openBrowser();
  const tab = await browser.newPage();
  const lines: string[] = [];
  const faults: string[] = [];
  const ended = Promise.withResolvers<void>();
  tab.on('console', (message) => {
    if (message.text() === 'end') ended.resolve();
    // Chromium itself reports each response of 4xx as an error.
    else if (message.type() === 'log') lines.push(message.text());
  });
  tab.on('pageerror', (error) => {
    faults.push(error.message);
    ended.resolve();
  });
  await tab.goto(other.url.href);
  await ended.promise;
  expect([lines, faults]).toEqual([printedLines, []]);
});
