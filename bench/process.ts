// The server processes that are measured. Each writes the port that it listens on to its standard output.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'bun';

const root = join(import.meta.dir, '..');
const serverProcesses: ServerProcess[] = [];

export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Resolves as soon as the process listens. Its log goes to a file: reading it here would take time from the others. */
export async function startProcess(
  command: string[],
  environment: Record<string, string> = {},
  cwd = root,
): Promise<ServerProcess> {
  const log = join(tmpdir(), `vitrine-bench-${crypto.randomUUID()}.log`);
  const env = { ...process.env, ...environment };
  const child = spawn(command, { cwd, stdout: Bun.file(log), stderr: 'inherit', env });
  let port = 0;
  while (port === 0) {
    await Bun.sleep(1);
    if (child.exitCode !== null) throw new Error(`${command.join(' ')}: exit code ${child.exitCode}`);
    const output = await Bun.file(log).text();
    // Not the port of a database, whose address the server names before its own.
    port = Number(/(?:listening on |http:\/\/(?:localhost|127\.0\.0\.1):)(\d+)/.exec(output)?.[1] ?? 0);
  }
  // The disk space is free as soon as the process has ended.
  rmSync(log);
  const server = {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
  serverProcesses.push(server);
  return server;
}

export function buildVitrineCommand(...args: string[]): string[] {
  return ['scripts/vitrine', ...args];
}

/** `checkout` is the folder of another version. */
export function startServer(database: string, checkout?: string): Promise<ServerProcess> {
  const limits = [
    '--read-limit',
    'off',
    '--write-limit',
    'off',
    '--stream-limit',
    'off',
    '--project-quota',
    'off',
  ];
  const command = buildVitrineCommand('serve', '--port', '0', ...limits, '--database', database);
  return startProcess(command, {}, checkout);
}

/** Runs a command to its end and returns its standard output. */
export async function runCommand(
  command: string[],
  input = '',
  environment: Record<string, string> = {},
): Promise<string> {
  const stdin = new Blob([input]);
  const env = { ...process.env, ...environment };
  const child = spawn(command, { cwd: root, stdin, stdout: 'pipe', stderr: 'pipe', env });
  const output = new Response(child.stdout).text();
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(' ')}: ${await new Response(child.stderr).text()}`);
  return output;
}

export async function stopAll(): Promise<void> {
  await Promise.all(serverProcesses.splice(0).map((server) => server.stop()));
}

/** With those of its child processes, which gunicorn has. */
export function readProcessorSeconds({ pid }: Pick<ServerProcess, 'pid'>): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  // In user mode and in the system, in hundredths of a second.
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const ofChildren = children.map((child) => readProcessorSeconds({ pid: Number(child) }));
  return ((user ?? 0) + (system ?? 0)) / 100 + ofChildren.reduce((sum, seconds) => sum + seconds, 0);
}

/** The memory of the process itself, and the parts of files that are mapped into it. */
export function readResidentMegabytes({ pid }: ServerProcess): { own: number; mapped: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { own: read('RssAnon'), mapped: read('RssFile') };
}
