// Vitrine as an operator starts it: a process that listens on a port.

import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import { closeLater } from './closing.ts';
import { program } from './program.ts';

const project = join(import.meta.dir, '../..');

export interface Server {
  readonly process: Child<'ignore'>;
  readonly port: number;
  readonly address: string;
  /** Lines of the log so far. */
  readonly lines: string[];
  stop(signal?: NodeJS.Signals): Promise<number>;
}

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

type Child<Input extends 'ignore' | 'pipe'> = Subprocess<Input, 'pipe', 'pipe'>;

function start<Input extends 'ignore' | 'pipe'>(command: string[], stdin: Input): Child<Input> {
  return spawn(command, {
    cwd: project,
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Runs a command to its end. */
export async function vitrine(...args: string[]): Promise<Finished> {
  return finished(start([await program(), ...args], 'ignore'));
}

async function finished(child: Child<'ignore' | 'pipe'>): Promise<Finished> {
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, error };
}

/** Runs a command to its end with this text on its standard input. */
export async function vitrineReading(input: string, ...args: string[]): Promise<Finished> {
  const child = await begin(...args);
  child.stdin.write(input);
  child.stdin.end();
  return finished(child);
}

/** Starts a command that reads the input that the test writes. */
export async function begin(...args: string[]): Promise<Child<'pipe'>> {
  return start([await program(), ...args], 'pipe');
}

/** Starts a server, and waits until it listens. It is stopped at the end of the test, if not before. */
export async function serve(...args: string[]): Promise<Server> {
  return serveBy([await program()], ...args);
}

/** Starts a server with another program, such as the sources. */
export async function serveBy(command: string[], ...args: string[]): Promise<Server> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const child = start([...command, 'serve', ...port, ...args], 'ignore');
  const lines: string[] = [];
  const said = readLines(child, lines);
  const served = await Promise.race([said, child.exited.then(() => undefined)]);
  if (served === undefined)
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return child.exited;
  };
  closeLater(() => stop('SIGKILL'));
  return { process: child, port: served, address: `http://localhost:${served}`, lines, stop };
}

function readLines(child: Child<'ignore'>, lines: string[]): Promise<number> {
  return new Promise((resolve) => {
    (async () => {
      let rest = '';
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          lines.push(line);
          const port = /serves .* at http:\/\/[^:/]+:(\d+)\//.exec(line)?.[1];
          if (port) resolve(Number(port));
        }
      }
    })();
  });
}
