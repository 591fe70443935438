// Reads server-sent events (HTML, "Server-sent events") of a response.

export interface ServerEvent {
  /** The last id so far. */
  readonly id: string | undefined;
  /** Undefined for an event that has only an id, as heartbeats do. */
  readonly data: string | undefined;
  /** The number of milliseconds after which to connect again. */
  readonly retry: number | undefined;
}

/** The stream sends something every 15 seconds. */
const maxSilenceMs = 40_000;

/** Ends with the stream, also if the connection is lost or silent. An event that is cut off is dropped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const lines = new LineSplitter();
  const event = new EventBuilder();
  try {
    for (;;) {
      const chunk = await readWithin(reader, maxSilenceMs);
      if (!chunk) return;
      for (const line of lines.split(chunk)) {
        if (line !== '') event.addLine(line);
        else yield event.finish();
      }
    }
  } finally {
    // A connection that is lost already cannot be cancelled.
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined at the end of the stream, after an error, and after the time. */
function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number,
): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    const finish = (chunk?: Uint8Array) => {
      clearTimeout(timer);
      resolve(chunk);
    };
    reader.read().then(
      ({ value }) => finish(value),
      () => finish(),
    );
  });
}

/** Lines end with LF, CR or CR LF; any of it, and any character, may be cut between two chunks. */
class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  split(chunk: Uint8Array): string[] {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    // LF may follow.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\r|\n/);
    this.#rest = (lines.pop() ?? '') + text.slice(end);
    return lines;
  }
}

class EventBuilder {
  #id: string | undefined;
  #data: string[] = [];
  #retry: number | undefined;

  addLine(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value);
  }

  finish(): ServerEvent {
    const data = this.#data.length > 0 ? this.#data.join('\n') : undefined;
    this.#data = [];
    return { id: this.#id, data, retry: this.#retry };
  }
}
