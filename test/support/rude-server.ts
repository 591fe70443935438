// A server that sends exactly these bytes, one reply for each connection, and may cut the connection.

import { createServer, type Socket } from 'node:net';
import { closeLater } from './closing.ts';

/** Parts are sent one after another; the connection ends after the last one, unless the client has to end it. */
export interface Reply {
  readonly parts: readonly (string | Uint8Array)[];
  readonly staysOpen?: boolean;
}

export interface RudeServer {
  readonly address: string;
  /** The requests so far. */
  readonly requests: Request[];
}

type Answer = (request: Request) => Reply | Promise<Reply>;

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return {
    parts: [
      `HTTP/1.1 ${status} X\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    ],
  };
}

/** A stream of events, cut at these places. */
export const streamOf = (...parts: (string | Uint8Array)[]): Reply => ({
  parts: ['HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n', ...parts],
});

/** Ends the connection without a response, or in the middle of one. */
export const cut = (...parts: string[]): Reply => ({ parts });

/** The last answer is for all later requests, too. */
export async function startRudeServer(...answers: (Reply | Answer)[]): Promise<RudeServer> {
  const requests: Request[] = [];
  const server = createServer(async (socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    const request = await readRequest(socket, address);
    if (!request) return;
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    const { parts, staysOpen } = typeof answer === 'function' ? await answer(request) : (answer ?? cut());
    for (const part of parts) {
      socket.write(part);
      // So that the client reads it by itself.
      await Bun.sleep(20);
    }
    if (!staysOpen) socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const bound = server.address();
  const address = `http://localhost:${typeof bound === 'object' ? bound?.port : bound}`;
  closeLater(() => new Promise((resolve) => server.close(resolve)));
  return { address, requests };
}

/** Undefined if the connection ends before. */
async function readRequest(socket: Socket, address: string): Promise<Request | undefined> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on('close', () => resolve(undefined));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)]);
      const request = parseRequest(received, address);
      if (request) resolve(request);
    });
  });
}

/** Undefined as long as a part of it is missing. */
function parseRequest(received: Buffer, address: string): Request | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = received.subarray(0, end).toString().split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = new Uint8Array(received.subarray(end + 4));
  const isWhole = headers.has('Transfer-Encoding')
    ? received.subarray(-5).toString() === '0\r\n\r\n'
    : body.length >= Number(headers.get('Content-Length') ?? 0);
  if (!isWhole) return undefined;
  headers.delete('Transfer-Encoding');
  return new Request(address + path, { method, headers, ...(body.length > 0 && { body }) });
}
