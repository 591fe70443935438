// Reads a stream of server-sent events as a browser does: an event has data, and the last id counts even without.

export interface ReceivedEvent {
  readonly id: number;
  readonly data: Record<string, unknown>;
}

export class EventReader {
  /** The id with which a client resumes. */
  lastId: number | undefined;
  #text = '';
  readonly #decoder = new TextDecoder();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor({ body }: Response) {
    if (!body) throw new Error('there is no stream');
    this.#reader = body.getReader();
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const block = await this.#nextBlock();
      if (block === undefined) return undefined;
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      if (id !== undefined) this.lastId = Number(id);
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) return { id: this.lastId ?? 0, data: JSON.parse(data) };
    }
  }

  async take(count: number): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (!event) throw new Error(`the stream has ended after ${events.length} of ${count} events`);
      events.push(event);
    }
    return events;
  }

  /** Resolves when the server ends the stream; fails if an event comes before. */
  async waitForEnd(): Promise<void> {
    const event = await this.next();
    if (event) throw new Error(`an event has come: ${JSON.stringify(event)}`);
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }

  async #nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }
}
