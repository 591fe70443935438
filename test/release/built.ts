// The programs and packages that the tests of this folder are about, built once for all of them.

import { join } from 'node:path';
import manifest from '../../package.json';
import { temporaryPath } from '../support/databases.ts';
import { resultOf, start } from '../support/server.ts';

const root = join(import.meta.dir, '../..');
export const dist = join(root, 'dist');
export const { version } = manifest;

/** Debian packages are made on Debian and Ubuntu only. */
export const canRelease = Bun.which('dpkg-deb') !== null;

async function run(...command: string[]): Promise<void> {
  const { code, error } = await resultOf(start(command, 'ignore'));
  if (code !== 0) throw new Error(`${command.join(' ')}: ${error}`);
}

const once = <Result>(build: () => Promise<Result>) => {
  let built: Promise<Result> | undefined;
  return () => {
    built ??= build();
    return built;
  };
};

/** All of `dist`. */
export const makeRelease = once(() => run('npm', 'run', '-s', 'release'));

/** The path of the npm package. */
export const packedFile = once(async () => {
  const file = `vitrine-${version}.tgz`;
  if (canRelease) {
    await makeRelease();
    return join(dist, file);
  }
  await run('npm', 'run', '-s', 'package');
  return join(dist, file);
});

/** The path of the program in one file. */
export const singleFile = once(async () => {
  const systems = ['linux-x64', 'linux-arm64', 'darwin-arm64'];
  const system = `${process.platform}-${process.arch}`;
  if (canRelease && systems.includes(system)) {
    await makeRelease();
    return join(dist, `vitrine-${system}`);
  }
  const path = temporaryPath('vitrine');
  await run('npm', 'run', '-s', 'build', '--', '--outfile', path);
  return path;
});
