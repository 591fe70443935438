// Vitrine as an operator starts it: a process with a port.

import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';

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

const fromSource = [process.execPath, 'src/main.ts'];

function start<Input extends 'ignore' | 'pipe'>(
  args: string[],
  stdin: Input,
  program = fromSource,
): Child<Input> {
  return spawn([...program, ...args], {
    cwd: project,
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Runs a command to its end. */
export async function vitrine(...args: string[]): Promise<Finished> {
  return finished(start(args, 'ignore'));
}

async function finished(child: Child<'ignore' | 'pipe'>): Promise<Finished> {
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, error };
}

/** The same with something to read on its standard input. */
export async function vitrineReading(input: string, ...args: string[]): Promise<Finished> {
  const child = start(args, 'pipe');
  child.stdin.write(input);
  child.stdin.end();
  return finished(child);
}

/** Begins a command that reads what the test writes. */
export function begin(...args: string[]): Child<'pipe'> {
  return start(args, 'pipe');
}

/** Answers when the server says that it serves. */
export function serve(...args: string[]): Promise<Server> {
  return serveBy(fromSource, ...args);
}

/** The same by another program, such as the single file. */
export async function serveBy(program: string[], ...args: string[]): Promise<Server> {
  const child = start(
    ['serve', ...(args.includes('--port') ? [] : ['--port', '0']), ...args],
    'ignore',
    program,
  );
  const lines: string[] = [];
  const said = readLines(child, lines);
  const port = await Promise.race([said, child.exited.then(() => undefined)]);
  if (port === undefined)
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`);
  return {
    process: child,
    port,
    address: `http://localhost:${port}`,
    lines,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return child.exited;
    },
  };
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
