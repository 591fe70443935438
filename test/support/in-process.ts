// Runs commands in the process of the test, which takes a tenth of the time of a process of their own. Several can run at
// the same time: each has its own output.

import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { Program } from '../../src/server/commands/help.ts';
import { vitrine } from '../../src/server/commands/index.ts';
import { runProgram } from '../../src/server/commands/run-program.ts';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

type Output = 'out' | 'error';
const outputs = new AsyncLocalStorage<Record<Output | 'input', string>>();

/** What code writes outside of commands goes where it went before. */
function capture(stream: NodeJS.WriteStream, name: Output): void {
  const write = stream.write.bind(stream) as (...values: unknown[]) => boolean;
  stream.write = (...values: unknown[]) => {
    const output = outputs.getStore();
    if (!output) return write(...values);
    const [chunk] = values;
    output[name] += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk as Uint8Array);
    const callback = values.at(-1);
    if (typeof callback === 'function') queueMicrotask(() => callback());
    return true;
  };
  // Each log listens for errors of its stream.
  stream.setMaxListeners(0);
  // Progress bars and questions are for terminals.
  Object.defineProperty(stream, 'isTTY', { value: false });
}

let isCapturing = false;

function captureOutput(): void {
  if (isCapturing) return;
  isCapturing = true;
  const { stream } = Bun.stdin;
  Bun.stdin.stream = () => {
    const output = outputs.getStore();
    return output ? new Blob([output.input]).stream() : stream.call(Bun.stdin);
  };
  Object.defineProperty(process.stdin, 'isTTY', { value: false });
  capture(process.stdout, 'out');
  capture(process.stderr, 'error');
  for (const [method, name] of [
    ['log', 'out'],
    ['error', 'error'],
  ] as const) {
    const log = console[method].bind(console);
    console[method] = (...values: unknown[]) => {
      const output = outputs.getStore();
      if (output) output[name] += `${format(...values)}\n`;
      else log(...values);
    };
  }
}

export async function runInProcess(
  args: string[],
  environment: Record<string, string> = {},
  program: Program = vitrine,
  input = '',
): Promise<CommandResult> {
  captureOutput();
  const output = { input, out: '', error: '' };
  const code = await outputs.run(output, async () => {
    try {
      return await runProgram(program, args, { ...process.env, ...environment });
    } catch (error) {
      output.error += Bun.inspect(error);
      return 1;
    }
  });
  return { code, out: output.out, error: output.error };
}
