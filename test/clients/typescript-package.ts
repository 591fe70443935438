// npm run test:clients: the package of clients/typescript can be published.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { version } from '../../package.json';
import { buildClient } from '../support/client-package.ts';
import { clientTypesPath, generateClientTypes } from '../support/client-types.ts';

const program = (name: string) => join(import.meta.dir, 'node_modules/.bin', name);

test('its types are those of the API: if not, run `npm run update:client`', async () => {
  expect(await Bun.file(clientTypesPath).text()).toBe(await generateClientTypes());
});

test('publint and "Are the types wrong?" find nothing, and it contains only what is needed', async () => {
  const folder = await buildClient();
  const manifest = await Bun.file(join(folder, 'package.json')).json();
  expect([manifest.version, manifest.dependencies]).toEqual([version, undefined]);

  const packed = JSON.parse(
    await Bun.$`npm pack --json --ignore-scripts --loglevel=error`.cwd(folder).text(),
  );
  const paths: string[] = packed[0].files.map(({ path }: { path: string }) => path);
  expect(paths.filter((path) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  const archive = packed[0].filename;
  const checks = await Promise.all([
    Bun.$`${process.execPath} ${program('publint')} --strict`.cwd(folder).nothrow().quiet(),
    Bun.$`${process.execPath} ${program('attw')} ${archive} --profile esm-only --format ascii`
      .cwd(folder)
      .nothrow()
      .quiet(),
  ]);
  expect(checks.map(({ exitCode, stdout }) => [exitCode, exitCode && `${stdout}`])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
