// Makes Vitrine one executable file that needs neither Node nor npm: `npm run build` for this machine, `npm run build --
// --moving` for vitrine-moving, and `npm run build -- --all` for several systems, with SHA-256 sums, in dist/.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import lock from '../package-lock.json';

const root = join(import.meta.dir, '..');
const server = 'src/main.ts';
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
  throw new BuildError(lines.find((line) => /\b(E[A-Z]{3,}|[Ee]rror: )/.test(line)) ?? lines.at(-1));
}

async function build(entry: string, outfile: string, target?: Target): Promise<void> {
  const threads = [...new Bun.Glob('src/**/*-thread.ts').scanSync(root)].filter(
    (path) => path !== 'src/common/worker-thread.ts',
  );
  const args = [
    '--compile',
    '--minify',
    '--format=esm',
    '--entry-naming',
    '[name].[ext]',
    '--outfile',
    outfile,
  ];
  if (target)
    args.push(`--target=bun-${target}`, `--compile-executable-path=${await findRuntime(targets[target])}`);
  process.stdout.write(await run(root, process.execPath, 'build', entry, ...threads, '--bytecode', ...args));
}

/** The path of Bun for a system, from its npm package in the version and with the content that package-lock.json has. */
async function findRuntime(system: string): Promise<string> {
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
    await build(server, join(dist, file), target);
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(dist, file)).bytes());
    sums += `${hash.digest('hex')}  ${file}\n`;
  }
  writeFileSync(join(dist, 'SHA256SUMS'), sums);
}

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, moving: { type: 'boolean' }, outfile: { type: 'string' } },
});
try {
  if (values.all) await buildAll();
  else if (values.moving) await build('moving/main.ts', values.outfile ?? 'vitrine-moving');
  else await build(server, values.outfile ?? 'vitrine');
} catch (error) {
  const isExpected = error instanceof BuildError || (error instanceof Error && 'syscall' in error);
  if (!isExpected) throw error;
  process.stderr.write(`The program cannot be built: ${error.message}.\n`);
  process.exitCode = 2;
}
