// A proxy in front of PostgreSQL that delays what it passes on, as a network does.

import { connect, createServer, type Socket } from 'node:net';

/** Returns the port. Each direction takes half of the time of a round trip. */
export async function startSlowNetwork(port: number, roundTripMs: number): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    passOn(client, upstream, roundTripMs / 2);
    passOn(upstream, client, roundTripMs / 2);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Timers are late by up to a millisecond, so the end of the time is waited for. */
function passOn(from: Socket, to: Socket, delayMs: number): void {
  const waiting: { readonly bytes: Buffer; readonly due: number }[] = [];
  const send = () => {
    for (let [next] = waiting; next; [next] = waiting) {
      const left = next.due - performance.now();
      if (left > 0) return void (left > 1.2 ? setTimeout(send, left - 1.1) : setImmediate(send));
      waiting.shift();
      to.write(next.bytes);
    }
  };
  from.setNoDelay(true);
  from.on('data', (bytes: Buffer) => {
    if (waiting.push({ bytes, due: performance.now() + delayMs }) === 1) send();
  });
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
