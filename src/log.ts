// One line for each request: words for a person at a terminal, JSON for a collector. Lines are written together,
// a moment later: at full speed a write for each would cost as much as the answer. No addresses of people: many of
// our readers are children.

export interface Log {
  request(id: string, method: string, path: string, status: number, milliseconds: number): void;
  /** A fault of ours, with all that is known of it. */
  fault(id: string, error: unknown): void;
  info(sentence: string): void;
  flush(): void;
}

interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const soon = 20;
const muchText = 64 * 1024;

export function createLog(sink: Sink): Log {
  let held = '';
  let timer: Timer | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (held) sink.write(held);
    held = '';
  }

  function write(line: string): void {
    held += line;
    if (held.length > muchText) flush();
    else timer ??= setTimeout(flush, soon);
  }

  const people = sink.isTTY === true;
  const entry = (level: string, fields: Record<string, unknown>) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
  return {
    request(id, method, path, status, milliseconds) {
      if (people) write(`${status} ${method} ${printable(path)} ${milliseconds.toFixed(1)} ms ${id}\n`);
      else
        write(
          `{"time":${Date.now()},"id":"${id}","method":"${method}","path":${quoted(path)},"status":${status},"us":${(milliseconds * 1000) | 0}}
`,
        );
    },
    fault(id, error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (people) write(`fault in ${id}: ${text}\n`);
      else entry('error', { id, error: text });
    },
    info(sentence) {
      if (people) write(`${sentence}\n`);
      else entry('info', { message: sentence });
    },
    flush,
  };
}

/** An address holds no control characters; most hold nothing to escape. */
function quoted(path: string): string {
  return path.includes('"') || path.includes('\\') ? JSON.stringify(path) : `"${path}"`;
}

/** No control character reaches a terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
