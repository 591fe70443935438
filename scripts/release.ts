// `npm run release`: makes all that is published with a version, in dist/: see docs/releasing.md.

import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json';
import lock from '../package-lock.json';
import { makeDebianPackage } from './debian-package.ts';
import { insideOfBun } from './notices.ts';
import { makeMovingPackage, makeNpmPackage } from './npm-package.ts';

const root = join(import.meta.dir, '..');
const dist = join(root, 'dist');
const workFolder = join(root, 'node_modules/.release');
const { name, version } = manifest;
const release = `${name}-${version}`;

/** What deploy/container/Containerfile needs, and the files beside it. */
const containerContext = [
  '.containerignore',
  '.npmrc',
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
  'deploy',
  'moving',
  'package-lock.json',
  'package.json',
  'packages',
  'scripts',
  'src',
  'tsconfig.json',
];

/** The names of Debian for the systems that scripts/build.ts builds for. */
const debianArchitectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

async function writeManuals(): Promise<void> {
  const outputs = {
    'vitrine.1': ['man'],
    'vitrine.bash': ['completions', 'bash'],
    _vitrine: ['completions', 'zsh'],
    'vitrine.fish': ['completions', 'fish'],
  };
  for (const [file, command] of Object.entries(outputs))
    await Bun.$`${process.execPath} src/main.ts ${command} > ${join(dist, file)}`.cwd(root).quiet();
}

/**
 * The packages inside, for tools that know weak spots of packages. `npm sbom --omit=dev` would also leave out what
 * both the server and a tool for development need, so npm gets a lock file without what is only for development. It does not know
 * what is inside of Bun.
 */
async function writeSbom(): Promise<void> {
  // npm names the program after the folder.
  const folder = join(workFolder, 'sbom', name);
  mkdirSync(folder, { recursive: true });
  const { devDependencies, workspaces, scripts, ...published } = manifest;
  const systems = /-(?:linux-x64|linux-aarch64|darwin-aarch64)$/;
  const inside = Object.entries(lock.packages).filter(
    ([path, entry]) =>
      path.startsWith('node_modules/') &&
      !('dev' in entry || 'link' in entry) &&
      (!path.startsWith('node_modules/@oven/') || systems.test(path)),
  );
  const { '': top } = lock.packages;
  const packages = { '': { ...top, devDependencies: {}, workspaces: [] }, ...Object.fromEntries(inside) };
  await Bun.write(join(folder, 'package.json'), JSON.stringify(published));
  await Bun.write(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const sbom = await Bun.$`npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application`
    .cwd(folder)
    .json();
  const listed = new Set(sbom.components.map((component: { purl: string }) => component.purl));
  const missing = inside
    .map(
      ([path, entry]) =>
        `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${'version' in entry && entry.version}`,
    )
    .filter((purl) => !listed.has(purl.replace('npm/@', 'npm/%40')));
  if (missing.length > 0) throw new Error(`The list of packages lacks ${missing.join(', ')}.`);
  for (const [library, license] of Object.entries(insideOfBun))
    sbom.components.push({ type: 'library', name: library, licenses: [{ license: { name: license } }] });
  await Bun.write(join(dist, `${release}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
}

async function packContainerContext(): Promise<void> {
  const folder = join(workFolder, release);
  for (const path of containerContext)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist)$/.test(source),
    });
  await Bun.$`tar -czf ${join(dist, `${release}-container.tar.gz`)} ${release}`.cwd(workFolder);
}

async function writeSums(): Promise<void> {
  let sums = '';
  for (const file of readdirSync(dist)
    .filter((file) => file !== 'SHA256SUMS')
    .sort()) {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(dist, file)).bytes());
    sums += `${hash.digest('hex')}  ${file}\n`;
  }
  await Bun.write(join(dist, 'SHA256SUMS'), sums);
}

if (!Bun.which('dpkg-deb')) {
  process.stderr.write(
    'The release needs dpkg-deb, which makes the Debian packages: make it on Debian or Ubuntu.\n',
  );
  process.exit(2);
}
rmSync(workFolder, { recursive: true, force: true });
mkdirSync(workFolder);
try {
  await Bun.$`${process.execPath} scripts/build.ts --all`.cwd(root).quiet();
  await makeNpmPackage(root, dist, join(workFolder, 'vitrine'));
  await makeMovingPackage(root, dist, join(workFolder, 'vitrine-moving'));
  const folders = ['clients/typescript', 'packages/clean-files', 'packages/rest', 'packages/sql'];
  for (const folder of folders)
    await Bun.$`npm pack --loglevel=error --pack-destination ${dist}`.cwd(join(root, folder)).quiet();
  await writeManuals();
  await writeSbom();
  await packContainerContext();
  for (const [target, architecture] of Object.entries(debianArchitectures))
    await makeDebianPackage({ root, dist, workFolder, version, target, architecture });
  await writeSums();
  console.log(`dist/ has ${release}: ${readdirSync(dist).join(', ')}.`);
} catch (error) {
  if (!(error instanceof Bun.$.ShellError)) throw error;
  process.stderr.write(`The release cannot be made: ${error.stderr.toString().trim() || error.message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
