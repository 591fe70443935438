// A server that receives webhooks.

import { closeLater } from './closing.ts';
import { selfSigned } from './self-signed.ts';

interface Received {
  readonly headers: Headers;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Of the events so far. */
  readonly types: string[];
  /** The numbers of the changes so far. */
  readonly numbers: number[];
  /** Instead of 204. */
  answer: (() => Response | Promise<Response>) | undefined;
}

/** An encrypted one has a certificate that nobody trusts. */
export function startReceiver({ isEncrypted = false } = {}): Receiver {
  const received: Received[] = [];
  const receiver: Receiver = {
    url: '',
    received,
    answer: undefined,
    get types() {
      return received.map(({ body }) => JSON.parse(body).type);
    },
    get numbers() {
      return received.map(({ body }) => JSON.parse(body).data.sequence);
    },
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(isEncrypted && { tls: selfSigned }),
    async fetch(request) {
      received.push({ headers: request.headers, body: await request.text() });
      return receiver.answer?.() ?? new Response(null, { status: 204 });
    },
  });
  closeLater(() => server.stop(true));
  return Object.assign(receiver, { url: `http${isEncrypted ? 's' : ''}://127.0.0.1:${server.port}/events` });
}
