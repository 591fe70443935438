// Makes Vitrine one executable file that needs neither Node nor npm: `npm run build` for this machine, `npm run build --
// --moving` for vitrine-moving, and `npm run build -- --all` for several systems, with SHA-256 sums, in dist/. With
// `--inputs FILE`, for scripts/vitrine, it also writes the names of the files that the program was made of.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dir, '..');
const runtimesFolder = join(root, 'node_modules/.bun-runtimes');

/** By the names of the npm packages that have Bun for these systems. */
const targets = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-aarch64',
  'darwin-arm64': 'darwin-aarch64',
} as const;
type Target = keyof typeof targets;

/** What keeps the program from being built, such as a folder that cannot be written or no network. */
class BuildError extends Error {}

/** Returns what the command writes to its output. Of a command that fails, the line about the error is the reason. */
async function run(cwd: string, ...command: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await Bun.$`${command}`.cwd(cwd).nothrow().quiet();
  if (exitCode === 0) return stdout.toString();
  const lines = stderr.toString().trim().split('\n');
  throw new BuildError(lines.find((line) => /\b(E[A-Z]{3,}|\w*[Ee]rror: )/.test(line)) ?? lines.at(-1));
}

interface BuildOptions {
  readonly target?: Target;
  readonly inputs?: string;
}

async function build(entry: string, outfile: string, { target, inputs }: BuildOptions = {}): Promise<void> {
  const start = new Date();
  const threads = ['src/**/*-thread.ts', 'packages/*/src/**/*-thread.ts']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
    .filter((path) => path !== 'packages/common/src/worker-thread.ts');
  // Bun also writes the source maps, which the program has inside, as files.
  const folder = mkdtempSync(`${resolve(outfile)}-`);
  const [program, metafile] = [join(folder, 'vitrine'), join(folder, 'metafile.json')];
  const args = [
    '--compile',
    '--bytecode',
    '--minify',
    '--splitting',
    '--sourcemap',
    '--format=esm',
    '--entry-naming',
    '[name].[ext]',
    `--metafile=${metafile}`,
    '--outfile',
    program,
  ];
  if (target)
    args.push(`--target=bun-${target}`, `--compile-executable-path=${await findRuntime(targets[target])}`);
  try {
    process.stdout.write(await run(root, process.execPath, 'build', entry, ...threads, ...args));
    if (inputs) {
      // A program that does not run on this machine is not kept.
      await run(root, program, 'version');
      const files = [...Object.keys((await Bun.file(metafile).json()).inputs), 'tsconfig.json'];
      writeFileSync(metafile, [...files, relative(root, process.execPath)].join('\n'));
      // What changes while it is built is newer.
      for (const file of [metafile, program]) utimesSync(file, start, start);
      renameSync(metafile, inputs);
    }
    renameSync(program, outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The path of Bun for a system, from its npm package in the version and with the content that package-lock.json has. */
async function findRuntime(system: string): Promise<string> {
  const { default: lock } = await import('../package-lock.json');
  const name = `@oven/bun-${system}` as const;
  const key = `node_modules/${name}` as keyof typeof lock.packages;
  const { version, integrity } = lock.packages[key] as { version: string; integrity: string };
  const folder = join(runtimesFolder, `${system}-${version}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const archive = (await run(unfinished, 'npm', 'pack', '--loglevel=error', `${name}@${version}`)).trim();
    const hash = new Bun.CryptoHasher('sha512').update(await Bun.file(join(unfinished, archive)).bytes());
    if (`sha512-${hash.digest('base64')}` !== integrity)
      throw new BuildError(`${archive} is not the package that package-lock.json names`);
    await run(unfinished, 'tar', '-xzf', archive);
    rmSync(join(unfinished, archive));
    renameSync(unfinished, folder);
  }
  return join(folder, 'package/bin/bun');
}

async function buildAll(): Promise<void> {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  let sums = '';
  for (const target of Object.keys(targets) as Target[]) {
    const file = `vitrine-${target}`;
    await build(values.entry, join(dist, file), { target });
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(dist, file)).bytes());
    sums += `${hash.digest('hex')}  ${file}\n`;
  }
  writeFileSync(join(dist, 'SHA256SUMS'), sums);
}

const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    entry: { type: 'string', default: 'src/main.ts' },
    moving: { type: 'boolean' },
    outfile: { type: 'string' },
    inputs: { type: 'string' },
  },
});
try {
  if (values.all) await buildAll();
  else if (values.moving) await build('moving/main.ts', values.outfile ?? 'vitrine-moving');
  else await build(values.entry, values.outfile ?? 'vitrine', values);
} catch (error) {
  const isExpected = error instanceof BuildError || (error instanceof Error && 'syscall' in error);
  if (!isExpected) throw error;
  process.stderr.write(`The program cannot be built: ${error.message}.\n`);
  process.exitCode = 2;
}
