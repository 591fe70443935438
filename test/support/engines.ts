// Programs of others that large sites run beside Vitrine, if they are installed here.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { type Subprocess, spawn } from 'bun';
import { closeLater } from './closing.ts';
import { temporaryPath } from './databases.ts';
import type { PostgresServer } from './postgres-server.ts';
import { freePort } from './processes.ts';
import { waitFor } from './waiting.ts';

const find = (...names: readonly string[]) =>
  names
    .map((name) => Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` }))
    .find((path) => path !== null);

const programs = {
  PgBouncer: find('pgbouncer'),
  Redis: find('redis-server', 'valkey-server'),
  NATS: find('nats-server'),
};

/** Says which of these are not installed, and that their tests are skipped. */
export function areMissing(...names: readonly (keyof typeof programs)[]): boolean {
  const missing = names.filter((name) => !programs[name]);
  if (missing.length > 0)
    console.log(`Not installed: ${missing.join(', ')}. The tests with ${names.join(', ')} are skipped.`);
  return missing.length > 0;
}

/** At a port of its own. */
export class Engine {
  #process: Subprocess;

  private constructor(
    readonly port: number,
    private readonly command: readonly string[],
  ) {
    this.#process = this.#start();
    closeLater(() => this.stop());
  }

  static async start(command: (port: number) => readonly string[]): Promise<Engine> {
    const port = freePort();
    const started = new Engine(port, command(port));
    await started.#isReady();
    return started;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.exited;
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#process = this.#start();
    await this.#isReady();
  }

  #start(): Subprocess {
    return spawn([...this.command], { stdio: ['ignore', 'ignore', 'ignore'] });
  }

  async #isReady(): Promise<void> {
    const connects = () =>
      Bun.connect({ hostname: '127.0.0.1', port: this.port, socket: { data() {} } }).then(
        (socket) => socket.end() >= 0 || true,
        () => false,
      );
    await waitFor(connects);
  }
}

const knowsPrepared = () => /max_prepared_statements/.test(readFileSync(programs.PgBouncer ?? '', 'latin1'));

/** In transaction mode, without prepared statements, which later versions know by default. */
export function startPgBouncer(postgres: PostgresServer): Promise<Engine> {
  return Engine.start((port) => {
    const file = temporaryPath('pgbouncer.ini');
    const lines = [
      '[databases]',
      `postgres = host=127.0.0.1 port=${postgres.port} user=vitrine`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 40',
      ...(knowsPrepared() ? ['max_prepared_statements = 0'] : []),
      'max_client_conn = 500',
      'ignore_startup_parameters = extra_float_digits',
      // It tries a server again that could not be reached, after so many seconds; by default 15.
      'server_login_retry = 1',
    ];
    writeFileSync(file, lines.join('\n'));
    chmodSync(file, 0o644);
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    return [programs.PgBouncer ?? '', ...user, file];
  });
}

export const pooledAddress = (pooler: Engine) =>
  `postgres://vitrine@127.0.0.1:${pooler.port}/postgres?prepare=false`;

export const startRedis = (): Promise<Engine> =>
  Engine.start((port) => [
    programs.Redis ?? '',
    ...['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
  ]);

/** With JetStream. */
export function startNats(): Promise<Engine> {
  const folder = temporaryPath('nats');
  return Engine.start((port) => [
    programs.NATS ?? '',
    ...['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder],
  ]);
}
