// `npm run package`: makes the npm package in dist/, and the release makes it too. The program in it is one of JavaScript, with all
// packages inside in the versions of package-lock.json: it is installed with Bun and Pagefind, whose programs are for one system.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import movingManifest from '../moving/package.json';
import ownManifest from '../package.json';

/** The documentation, with all that it links to. */
export const documentation = [
  ...[
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'README.md',
    'SECURITY.md',
    'bench/RESULTS.md',
    'deploy',
    'docs',
    'moving/README.md',
  ],
  ...['clean-files', 'rest', 'sql'].map((name) => `packages/${name}/README.md`),
];

const licences = ['LICENSE', 'THIRD-PARTY-NOTICES.txt'];
const threads = ['src/**/*-thread.ts', 'packages/*/src/**/*-thread.ts'];

/** With source maps, so that errors in a log name lines of the sources. */
async function bundle(entrypoints: string[], outdir: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints,
    target: 'bun',
    splitting: true,
    minify: true,
    sourcemap: 'linked',
    naming: { entry: '[name].[ext]', chunk: 'chunk-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    external: ['pagefind'],
    outdir,
  });
  // The sources name a thread by its file of TypeScript.
  for (const { path } of outputs.filter(({ path }) => path.endsWith('.js')))
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/(["'`]\.\/[\w-]+-thread)\.ts(["'`])/g, '$1.js$2'),
    );
}

interface Content {
  readonly manifest: object;
  /** Of files of this repository, with their paths there and in the package. */
  readonly files: readonly (readonly [from: string, to: string])[];
  readonly entrypoints: readonly string[];
}

async function pack(root: string, dist: string, folder: string, { manifest, files, entrypoints }: Content) {
  for (const [from, to] of files) {
    mkdirSync(join(folder, dirname(to)), { recursive: true });
    cpSync(join(root, from), join(folder, to), { recursive: true });
  }
  await bundle(
    entrypoints.map((path) => join(root, path)),
    join(folder, 'program'),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...place() }, null, 2));
  mkdirSync(dist, { recursive: true });
  await Bun.$`npm pack --loglevel=error --pack-destination ${dist}`.cwd(folder).quiet();
}

/** Where the project is, from the one line in package.json; empty as long as it is nowhere. */
function place() {
  const { homepage } = ownManifest;
  if (homepage === '') return {};
  return { homepage, bugs: `${homepage}/issues`, repository: { type: 'git', url: `git+${homepage}.git` } };
}

export function makeNpmPackage(root: string, dist: string, folder: string): Promise<void> {
  const { homepage, imports, workspaces, scripts, dependencies, devDependencies, ...manifest } = ownManifest;
  const { bun, pagefind } = dependencies;
  return pack(root, dist, folder, {
    manifest: { ...manifest, dependencies: { bun, pagefind } },
    files: [...documentation, ...licences, 'scripts/bun', 'scripts/vitrine'].map((file) => [file, file]),
    entrypoints: [
      'src/main.ts',
      ...threads.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)]),
    ].filter((path) => !path.endsWith('/worker-thread.ts')),
  });
}

export function makeMovingPackage(root: string, dist: string, folder: string): Promise<void> {
  const { scripts, devDependencies, ...manifest } = movingManifest;
  const { bun } = ownManifest.dependencies;
  return pack(root, dist, folder, {
    manifest: { ...manifest, dependencies: { bun } },
    files: [
      ['moving/README.md', 'README.md'],
      ['moving/vitrine-moving', 'vitrine-moving'],
      ...[...licences, 'scripts/bun'].map((file) => [file, file] as const),
    ],
    entrypoints: ['moving/main.ts'],
  });
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..');
  const folder = join(root, 'node_modules/.npm-package');
  rmSync(folder, { recursive: true, force: true });
  await makeNpmPackage(root, join(root, 'dist'), folder);
  rmSync(folder, { recursive: true });
  console.log(`dist/${ownManifest.name}-${ownManifest.version}.tgz`);
}
