// The package of clients/typescript, built into a folder of its own, and projects that have installed it.

import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from './databases.ts';

const root = join(import.meta.dir, '../..');
const source = join(root, 'clients/typescript');
const compiler = join(root, 'node_modules/.bin/tsc');

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

export type Runtime = 'Bun' | 'Node' | 'Deno';

const deno = join(root, 'test/clients/node_modules/deno/bin.cjs');
const commands: Record<Runtime, readonly string[]> = {
  Bun: [process.execPath],
  Node: ['node'],
  Deno: ['node', deno, 'run', '--allow-net=localhost'],
};

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in JavaScript that imports the package. */
export async function runWithClient(runtime: Runtime, program: string, ...args: string[]): Promise<Output> {
  const folder = await createProjectWithClient();
  await Bun.write(join(folder, 'program.js'), program);
  const { stdout, stderr } = await Bun.$`${commands[runtime]} program.js ${args}`
    .cwd(folder)
    .env({ ...process.env, DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' })
    .nothrow()
    .quiet();
  return { stdout: stdout.toString(), stderr: stderr.toString() };
}

/** A folder of a project that has installed the package, and these of test/clients. */
export async function createProjectWithClient(...packages: string[]): Promise<string> {
  const folder = temporaryPath('client-project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  await Bun.write(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(await buildClient(), join(folder, 'node_modules/vitrine-client'));
  for (const name of packages)
    symlinkSync(join(root, 'test/clients/node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

const strictOptions = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
};

/** The errors, each as its file and its number. */
export async function compile(folder: string, files: readonly string[], options = {}): Promise<string[]> {
  const compilerOptions = { ...strictOptions, ...options };
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiled = await Bun.$`${compiler} --pretty false`.cwd(folder).nothrow().quiet().text();
  const errors = compiled.match(/^\w.*error TS\d+/gm) ?? [];
  return errors.map((line) => line.replace(/\(.*\): /, ' '));
}
