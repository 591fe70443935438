// The package of clients/typescript, built into a folder of its own, and projects that have installed it.

import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from './databases.ts';

const root = join(import.meta.dir, '../..');
const source = join(root, 'clients/typescript');
export const compiler = join(root, 'node_modules/.bin/tsc');

let built: Promise<string> | undefined;

/** The folder of the package, as npm would install it. */
export function buildClient(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = temporaryPath('client-package');
  mkdirSync(folder);
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(source, name), join(folder, name));
  const { exitCode, stdout } = await Bun.$`${compiler} -p ${source} --outDir ${join(folder, 'dist')}`
    .nothrow()
    .quiet();
  if (exitCode !== 0) throw new Error(stdout.toString());
  return folder;
}

/** A folder of a project that has installed the package. */
export async function createProjectWithClient(): Promise<string> {
  const folder = temporaryPath('client-project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  await Bun.write(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(await buildClient(), join(folder, 'node_modules/vitrine-client'));
  return folder;
}
