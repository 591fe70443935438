// One line for each request: plain text on a terminal, JSON for a log collector. Lines are buffered for a moment: at
// full speed, a write for each would cost as much as the response. No network addresses: many visitors are children.

import { isIP } from 'node:net';
import { errorCode, errorMessage, Failure } from './errors.ts';

export interface Log {
  request(
    id: string,
    method: string,
    path: string,
    status: number,
    milliseconds: number,
    actor?: number,
    traceId?: string,
  ): void;
  /** Logs an event of an account. */
  event(fields: LogEvent): void;
  /** A bug with its stack trace, or why the database or the files cannot be used. */
  error(id: string, error: unknown): void;
  info(message: string): void;
  flush(): void;
}

interface LogEvent {
  readonly event: string;
  readonly actor: number | null;
  readonly contributor: number | null;
  readonly key?: number;
}

interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const flushDelayMs = 20;
const maxBufferLength = 64 * 1024;

export function createLog(sink: Sink, isTerminal = sink.isTTY === true): Log {
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

  const writeJson = (level: string, fields: object) =>
    write(`${JSON.stringify({ time: Date.now(), level, ...fields })}\n`);
  return {
    request(id, method, path, status, milliseconds, actor, traceId) {
      if (isTerminal) {
        const by = actor === undefined ? '' : ` by ${actor}`;
        const trace = traceId === undefined ? '' : ` trace ${traceId}`;
        write(`${status} ${method} ${toPrintable(path)} ${milliseconds.toFixed(1)} ms ${id}${by}${trace}\n`);
      } else
        write(
          `{"time":${Date.now()},"level":"info","id":"${id}","method":"${method}","path":${quoteJson(path)},"status":${status},"us":${(milliseconds * 1000) | 0}${actor === undefined ? '' : `,"actor":${actor}`}${traceId === undefined ? '' : `,"trace_id":"${traceId}"`}}
`,
        );
    },
    event(fields) {
      if (!isTerminal) return writeJson('info', fields);
      const { event, ...others } = fields;
      const values = Object.entries(others).map(([name, value]) => ` ${name}=${value}`);
      write(`${event}${values.join('')}\n`);
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

/** The parameters whose values say nothing private. */
const loggedParameters = new Set(
  [
    'page page_size ordering format content_type content_type__in fields include omit offset id__in since limit',
    'status visibility contributor copied_from state show created__gte created__gt created__lte created__lt',
  ].flatMap((names) => names.split(' ')),
);

/** Leaves out what people search for, invitations, and what a client put into the query by mistake, such as a key. */
export function toLoggedPath(target: string): string {
  const start = target.indexOf('?');
  if (start < 0) return target;
  const pairs = target.slice(start + 1).split('&', 100);
  return `${target.slice(0, start)}?${pairs.map(toLoggedPair).join('&')}`;
}

function toLoggedPair(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  if (loggedParameters.has(name)) return pair;
  return /^[a-z_]{1,30}$/.test(name) ? `${name}=...` : '...';
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

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Network addresses, and the user and password in a URL, stay out of the log. */
const removeAddresses = (text: string): string =>
  text
    .replace(/\/\/[^\s/@]*@/g, '//')
    .replace(/[0-9a-f]*[.:][0-9a-f.:]*[0-9a-f]/gi, (token) =>
      isIP(token) || isIP(token.replace(/:\d+$/, '')) ? '(address)' : token,
    );

/** Faster than JSON.stringify: a path has no control characters, and most have nothing to escape. */
const quoteJson = (path: string): string =>
  path.includes('"') || path.includes('\\') ? JSON.stringify(path) : `"${path}"`;

/** Control characters never reach a terminal. */
const toPrintable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
