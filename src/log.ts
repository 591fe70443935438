// One line for each request: plain text on a terminal, JSON for a log collector. Lines are buffered for a moment: at
// full speed, a write for each would cost as much as the response. No network addresses: many visitors are children.

import { isIP } from 'node:net';
import { errorCode, errorMessage, Failure } from './errors.ts';

export interface Log {
  request(id: string, method: string, path: string, status: number, milliseconds: number): void;
  /** A bug with its stack trace, or why the database or the files cannot be used. */
  error(id: string, error: unknown): void;
  info(message: string): void;
  flush(): void;
}

interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const flushDelayMs = 20;
const maxBufferLength = 64 * 1024;

export function createLog(sink: Sink): Log {
  let buffer = '';
  let timer: Timer | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (buffer) sink.write(buffer);
    buffer = '';
  }

  function write(line: string): void {
    buffer += line;
    if (buffer.length > maxBufferLength) flush();
    else timer ??= setTimeout(flush, flushDelayMs);
  }

  const isTerminal = sink.isTTY === true;
  const writeJson = (level: string, fields: Record<string, unknown>) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
  return {
    request(id, method, path, status, milliseconds) {
      if (isTerminal) write(`${status} ${method} ${toPrintable(path)} ${milliseconds.toFixed(1)} ms ${id}\n`);
      else
        write(
          `{"time":${Date.now()},"id":"${id}","method":"${method}","path":${quoteJson(path)},"status":${status},"us":${(milliseconds * 1000) | 0}}
`,
        );
    },
    error(id, error) {
      const text = describeError(error);
      if (isTerminal) write(`fault in ${id}: ${text}\n`);
      else writeJson('error', { id, error: text });
    },
    info(message) {
      if (isTerminal) write(`${message}\n`);
      else writeJson('info', { message: message });
    },
    flush,
  };
}

/** For a failure of the database or of the disk, the cause says what to correct; the stack would only say who noticed. */
export function describeError(error: unknown): string {
  const hasCause = error instanceof Failure && error.cause !== undefined;
  const text = hasCause ? `${error.message} Cause: ${describeCause(error.cause)}` : stackOf(error);
  return removeAddresses(text);
}

function describeCause(cause: unknown): string {
  const codes = [errorCode(cause), sqlState(cause)].filter((code) => code !== undefined);
  return [...codes, errorMessage(cause)].join(' ');
}

/** Bun's PostgreSQL client has the server's error code in `errno`. */
function sqlState(cause: unknown): string | undefined {
  const state = typeof cause === 'object' && cause !== null && 'errno' in cause ? cause.errno : undefined;
  return typeof state === 'string' ? state : undefined;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Network addresses, and the user and password in a URL, stay out of the log. */
function removeAddresses(text: string): string {
  return text
    .replace(/\/\/[^\s/@]*@/g, '//')
    .replace(/[0-9a-f]*[.:][0-9a-f.:]*[0-9a-f]/gi, (token) =>
      isIP(token) || isIP(token.replace(/:\d+$/, '')) ? '(address)' : token,
    );
}

/** Faster than JSON.stringify: a path has no control characters, and most have nothing to escape. */
function quoteJson(path: string): string {
  return path.includes('"') || path.includes('\\') ? JSON.stringify(path) : `"${path}"`;
}

/** Control characters never reach a terminal. */
function toPrintable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
