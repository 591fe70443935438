// The processes that are measured: each says on its first line where it listens.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'bun';

const project = join(import.meta.dir, '..');
const running: Running[] = [];

export interface Running {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function start(command: string[]): Promise<Running> {
  const child = spawn(command, { cwd: project, stdout: 'pipe', stderr: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<number>();
  (async () => {
    let text = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (text.length < 10_000) text += chunk;
      const port = /(?:listening on |localhost:)(\d+)/.exec(text)?.[1];
      if (port) resolve(Number(port));
    }
  })();
  const port = await promise;
  const started = {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
  running.push(started);
  return started;
}

export function vitrine(...args: string[]): string[] {
  return [process.execPath, 'src/main.ts', ...args];
}

export function serve(database: string): Promise<Running> {
  const limits = ['--read-limit', 'off', '--write-limit', 'off'];
  return start(vitrine('serve', '--port', '0', ...limits, '--database', database));
}

/** What a command writes to its standard output. */
export async function run(command: string[], input = ''): Promise<string> {
  const stdin = new Blob([input]);
  const child = spawn(command, { cwd: project, stdin, stdout: 'pipe', stderr: 'pipe' });
  const said = new Response(child.stdout).text();
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(' ')}: ${await new Response(child.stderr).text()}`);
  return said;
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((process) => process.stop()));
}

export function residentMegabytes({ pid }: Running): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
