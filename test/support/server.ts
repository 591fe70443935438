// Vitrine as an operator starts it: a process that listens on a port.

import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import { timeLimits } from '#common/time-limits.ts';
import { closeLater } from './closing.ts';
import { type CommandResult, runInProcess } from './in-process.ts';
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

type Child<Input extends 'ignore' | 'pipe'> = Subprocess<Input, 'pipe', 'pipe'>;

/** In `npm test`, programs have the time limits of the process that tests; others start them as operators do. */
const givenLimits = () => (isOfNpmTest() ? { TEST_TIME_LIMITS: JSON.stringify(timeLimits) } : {});
const isOfNpmTest = () => Bun.main.endsWith('.test.ts');

export function start<Input extends 'ignore' | 'pipe'>(
  command: string[],
  stdin: Input,
  environment: Record<string, string> = {},
): Child<Input> {
  return spawn(command, {
    cwd: project,
    env: { ...process.env, ...givenLimits(), ...environment },
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** The last line of a command that has written to a gallery. */
export const writtenTo = (address: string): string =>
  `Gallery: ${address.replace(/^postgres:\/\/(?:[^@]*@)?([^/:]+)(:\d+)?\//, '$1/')}\n`;

/** Runs a command to its end, in this process. A supervisor of workers starts its own program again. */
export const vitrine = (...args: string[]): Promise<CommandResult> =>
  args.includes('--workers') ? vitrineProcess(...args) : runInProcess(args);

/** Runs a command to its end, in a process of its own. */
export async function vitrineProcess(...args: string[]): Promise<CommandResult> {
  return resultOf(start([await program(), ...args], 'ignore'));
}

/** Runs a command to its end with more environment variables. Bun reads those of S3 itself, when its process starts. */
export async function vitrineIn(
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const isForBun = Object.keys(environment).some((name) => name.startsWith('S3_'));
  return isForBun
    ? resultOf(start([await program(), ...args], 'ignore', environment))
    : runInProcess(args, environment);
}

/** Runs a command to its end with this text on its standard input, in `npm test` in this process. */
export const vitrineWithInput = (input: string, ...args: string[]): Promise<CommandResult> =>
  isOfNpmTest() ? runInProcess(args, {}, undefined, input) : vitrineProcessWithInput(input, ...args);

export async function vitrineProcessWithInput(input: string, ...args: string[]): Promise<CommandResult> {
  const child = await startWithInput(...args);
  child.stdin.write(input);
  child.stdin.end();
  return resultOf(child);
}

/** Starts a command. The test writes to its standard input. */
export async function startWithInput(...args: string[]): Promise<Child<'pipe'>> {
  return start([await program(), ...args], 'pipe');
}

export async function resultOf(child: Child<'ignore' | 'pipe'>): Promise<CommandResult> {
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, error };
}

/** Starts a server, and waits until it listens. It is stopped at the end of the test, if not before. */
export async function serve(...args: string[]): Promise<Server> {
  return serveWith([await program()], ...args);
}

/** Starts a server with another program, such as the sources. */
export const serveWith = (command: string[], ...args: string[]): Promise<Server> =>
  startServer([...command, 'serve'], args);

/** Starts a server with more environment variables. */
export const serveIn = async (environment: Record<string, string>, ...args: string[]): Promise<Server> =>
  startServer([await program(), 'serve'], args, environment);

/** Starts a command that serves. */
export async function startServer(
  command: string[],
  args: string[],
  environment: Record<string, string> = {},
): Promise<Server> {
  const portOption = args.includes('--port') ? [] : ['--port', '0'];
  const child = start([...command, ...portOption, ...args], 'ignore', environment);
  const lines: string[] = [];
  const exited = child.exited.then(() => undefined);
  const port = await Promise.race([readLines(child, lines), exited]);
  if (port === undefined)
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return child.exited;
  };
  closeLater(() => stop('SIGKILL'));
  return { process: child, port, address: `http://localhost:${port}`, lines, stop };
}

/** Adds the lines of its standard output, and returns the port when it listens. */
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
