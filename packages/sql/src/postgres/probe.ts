// Asks a server about its state over a connection of its own, in a limited time: Bun's client waits for ever for a
// server that is frozen.

import type { SQL } from 'bun';
import { withTimeout } from '../../../common/src/timeout.ts';
import { connect } from './server.ts';

type Row = Record<string, unknown>;

export class PostgresProbe {
  #connection: SQL | undefined;

  constructor(
    readonly url: URL,
    private readonly onClose?: () => void,
  ) {}

  /** Returns the first row. After a failure, the next question opens a new connection. */
  async ask(query: string, timeoutMs: number): Promise<Row> {
    this.#connection ??= connect(this.url, {}, this.onClose);
    const connection = this.#connection;
    try {
      // The client prepares only statements with parameters.
      const rows: Promise<Row[]> = connection.unsafe(`${query} where $1 = 1`, [1]);
      const [row] = await withTimeout(timeoutMs, rows, new Error('it does not respond'));
      return row ?? {};
    } catch (error) {
      if (this.#connection === connection) this.close();
      throw error;
    }
  }

  close(): void {
    this.#connection?.close({ timeout: 0 });
    this.#connection = undefined;
  }
}
