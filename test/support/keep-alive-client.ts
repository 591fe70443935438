// An HTTP client that keeps its connection open and never retries: a request without a response counts as lost. (fetch
// retries without notice.) A connection that is closed between two requests is opened again.

import type { Socket } from 'bun';

export class KeepAliveClient {
  #socket: Promise<Socket<undefined>> | undefined;
  #received = '';
  #settle: ((response: string | undefined) => void) | undefined;

  constructor(private readonly port: number) {}

  /** The status, or undefined if the connection ended before the end of the response. */
  async get(path: string): Promise<number | undefined> {
    const response = await this.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return response === undefined ? undefined : Number(response.split(' ')[1]);
  }

  /** Sends a request as it is. The whole response, or undefined if the connection ended before its end. */
  async send(request: string): Promise<string | undefined> {
    this.#socket ??= this.#connect();
    const socket = await this.#socket;
    const answered = new Promise<string | undefined>((resolve) => {
      this.#settle = resolve;
    });
    socket.write(request);
    const response = await answered;
    if (response === undefined || /^connection: close$/im.test(response)) this.close();
    return response;
  }

  close(): void {
    this.#socket?.then(
      (socket) => socket.end(),
      () => {}, // never opened: send() has said so
    );
    this.#socket = undefined;
    this.#received = '';
  }

  #connect(): Promise<Socket<undefined>> {
    const mine = Bun.connect({
      hostname: '127.0.0.1',
      port: this.port,
      socket: {
        data: (_, chunk) => this.#receive(chunk.toString('latin1')),
        close: () => {
          if (this.#socket !== mine) return;
          this.close();
          this.#settle?.(undefined);
        },
      },
    });
    return mine;
  }

  #receive(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const response = this.#received;
    this.#received = '';
    this.#settle?.(response);
  }
}
