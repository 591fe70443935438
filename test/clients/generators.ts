// npm run test:clients: the programs of docs/api/generators.md, as the page has them, are generated from the document of a
// server, compiled without any error, and run.

import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { siteOn } from '../support/site.ts';

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8');
const page = read('docs/api/generators.md');
const gallery = ['gallery', 'people'].map((name) => read(`test/exchanges/${name}.ndjson`)).join('');

/** The blocks of a section: the commands that generate, and the TypeScript. */
function readSection(heading: string): { readonly commands: string[]; readonly programs: string[] } {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocksOf = (language: string) =>
    [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
      ([, block = '']) => block,
    );
  const commands = blocksOf('bash').flatMap((block) => block.match(/^npx .*$/gm) ?? []);
  return { commands, programs: blocksOf('ts') };
}

const compilerOptions = {
  target: 'esnext',
  module: 'preserve',
  moduleResolution: 'bundler',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

/** It uses a member as what it is not. */
const wrongLine = '\ncreated.data.karma.trim();\n';

test.each([
  ['openapi-typescript and openapi-fetch', ''],
  ['Hey API', ''],
  ['Hey API', '?openapi=3.0'],
  ['Orval', ''],
])('the program of %s compiles and works %s', async (heading, query) => {
  const site = await siteOn('SQLite', { dump: gallery });
  const { Authorization = '' } = await site.key('ada');
  const localize = (text: string) =>
    text
      .replaceAll('/api/v1/schema/', `/api/v1/schema/${query}`)
      .replaceAll('https://gallery.example.org', site.serve())
      .replaceAll('YOUR_KEY', Authorization.replace('Token ', ''));
  const { commands, programs } = readSection(heading);
  const [program = '', settings] = programs.toReversed().map(localize);
  expect(program).not.toMatch(/\b(as|any)\b|@ts-/);

  const folder = temporaryPath('client');
  mkdirSync(folder);
  symlinkSync(join(import.meta.dir, 'node_modules'), join(folder, 'node_modules'));
  await Bun.write(join(folder, 'package.json'), '{"type":"module"}');
  if (settings) await Bun.write(join(folder, 'orval.config.ts'), settings);
  // Bun runs the generators: some want a newer Node than Vitrine does.
  for (const command of commands) {
    const { exitCode, stdout, stderr } =
      await Bun.$`sh -c ${localize(command).replace('npx ', `exec '${process.execPath}' node_modules/.bin/`)}`
        .cwd(folder)
        .nothrow()
        .quiet();
    expect([command, exitCode, exitCode && `${stdout}${stderr}`]).toEqual([command, 0, 0]);
  }

  await Bun.write(join(folder, 'program.ts'), program);
  await Bun.write(join(folder, 'wrong.ts'), program + wrongLine);
  const files = ['program.ts', 'wrong.ts'];
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(import.meta.dir, '../../node_modules/.bin/tsc');
  const compiled = await Bun.$`${compiler} --pretty false`.cwd(folder).nothrow().quiet().text();
  expect(compiled.trim()).toMatch(/^wrong\.ts\(\d+,\d+\): error TS2339: .*'trim'.*'number'\.$/);

  const printed = await Bun.$`${process.execPath} program.ts`.cwd(folder).text();
  const lines = printed.trimEnd().split('\n');
  const listed = (await site.json('/api/v1/projects/?page_size=1')) as { count: number };
  // The loop over all pages is shown once.
  const counted = program.includes('cursor') ? [`${listed.count - 1} projects`] : [];
  const written = [...counted, 'Red kite It flies.', 'plan.txt: 16 bytes'];
  expect(lines.slice(-written.length)).toEqual(written);
  expect(lines.length).toBeGreaterThan(written.length);

  // Node has a FormData of its own.
  await Bun.$`${process.execPath} build program.ts --target node --outfile program.mjs`.cwd(folder).quiet();
  const inNode = await Bun.$`node program.mjs`.cwd(folder).text();
  expect(inNode.trimEnd().split('\n').at(-1)).toBe('plan.txt: 16 bytes');

  await Bun.write(join(folder, 'late.ts'), program.replace("get('ETag')", "get('Content-Type')"));
  const late = await Bun.$`${process.execPath} late.ts`.cwd(folder).nothrow().quiet();
  expect([late.exitCode, `${late.stderr}`]).toEqual([
    1,
    expect.stringContaining('It has changed since you read it'),
  ]);
});
