// The server processes that are measured. Each writes the port that it listens on to its standard output.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'bun';

const root = join(import.meta.dir, '..');
const serverProcesses: ServerProcess[] = [];

export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Resolves as soon as the process listens. */
export async function startProcess(command: string[]): Promise<ServerProcess> {
  const child = spawn(command, { cwd: root, stdout: 'pipe', stderr: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<number>();
  (async () => {
    let output = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (output.length < 10_000) output += chunk;
      const port = /(?:listening on |localhost:)(\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    }
  })();
  const port = await promise;
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
  return [process.execPath, 'src/main.ts', ...args];
}

export function startServer(database: string): Promise<ServerProcess> {
  const limits = ['--read-limit', 'off', '--write-limit', 'off'];
  return startProcess(buildVitrineCommand('serve', '--port', '0', ...limits, '--database', database));
}

/** Runs a command to its end and returns its standard output. */
export async function runCommand(command: string[], input = ''): Promise<string> {
  const stdin = new Blob([input]);
  const child = spawn(command, { cwd: root, stdin, stdout: 'pipe', stderr: 'pipe' });
  const output = new Response(child.stdout).text();
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(' ')}: ${await new Response(child.stderr).text()}`);
  return output;
}

export async function stopAll(): Promise<void> {
  await Promise.all(serverProcesses.splice(0).map((server) => server.stop()));
}

export function readResidentMegabytes({ pid }: ServerProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
