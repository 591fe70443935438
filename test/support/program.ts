// Vitrine as the executable file of `npm run build`, which starts twice as fast as the sources. The first test that
// needs it builds it, if the sources have changed.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dir, '../..');
const folder = join(project, 'node_modules/.vitrine-programs');
const keepForMs = 3_600_000;
const entry = 'test/support/patient-program.ts';

export const sources = [process.execPath, 'src/main.ts'];

let programPath: Promise<string> | undefined;

/** The path of the program. */
export function program(): Promise<string> {
  programPath ??= findOrBuild();
  return programPath;
}

async function findOrBuild(): Promise<string> {
  const path = join(folder, hashOfSources());
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  removeOldPrograms();
  const unfinished = `${path}-${process.pid}`;
  await Bun.$`${process.execPath} run build --entry ${entry} --outfile ${unfinished}`.cwd(project).quiet();
  renameSync(unfinished, path);
  return path;
}

function hashOfSources(): string {
  const hash = new Bun.CryptoHasher('sha256');
  const files = ['src/**/*', 'packages/*/src/**/*'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: project, absolute: true }),
  ]);
  const others = [
    ...['package.json', 'package-lock.json', 'scripts/build.ts', entry, 'test/support/passwords.ts'],
  ].map((file) => join(project, file));
  for (const file of [...files.sort(), ...others]) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Keeps recent programs, because another test run may be using them. */
function removeOldPrograms(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - keepForMs) rmSync(path);
  }
}

/** A later release: see later-release.ts. */
export const laterRelease = [process.execPath, '--preload', './test/support/later-release.ts', 'src/main.ts'];
