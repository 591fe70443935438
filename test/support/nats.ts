// A NATS server with JetStream, which tests kill, and what its streams have.

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { closeLater } from './closing.ts';
import { type Engine, startNats } from './engines.ts';

export class Nats {
  /** Until the server is killed. */
  #connection: NatsConnection | undefined;

  private constructor(private readonly engine: Engine) {}

  static async start(): Promise<Nats> {
    const nats = new Nats(await startNats());
    closeLater(() => nats.#disconnect());
    return nats;
  }

  get port(): number {
    return this.engine.port;
  }

  get address(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    await this.#disconnect();
    await this.engine.stop();
  }

  async #disconnect(): Promise<void> {
    await this.#connection?.close();
    this.#connection = undefined;
  }

  restart(): Promise<void> {
    return this.engine.restart();
  }

  async connect() {
    const connection = await connect({ servers: this.address, waitOnFirstConnect: true });
    return { connection, [Symbol.asyncDispose]: () => connection.close() };
  }

  /** The number of each message, and the last one whole. */
  async read(stream = 'vitrine') {
    await using open = await this.connect();
    const { state } = await (await jetstreamManager(open.connection)).streams.info(stream);
    const consumer = await jetstream(open.connection).consumers.get(stream);
    const numbers: number[] = [];
    let last: unknown;
    while (numbers.length < state.messages) {
      const max_messages = Math.min(5000, state.messages - numbers.length);
      for await (const message of await consumer.fetch({ max_messages })) {
        const body = message.json<{ sequence: number }>();
        numbers.push(body.sequence);
        last = { body, subject: message.subject, id: message.headers?.get('Nats-Msg-Id') };
      }
    }
    return { numbers, last };
  }

  async size(stream = 'vitrine'): Promise<number> {
    this.#connection ??= (await this.connect()).connection;
    const { streams } = await jetstreamManager(this.#connection);
    const { state } = await streams.info(stream).catch(() => ({ state: { messages: 0 } }));
    return state.messages;
  }
}
