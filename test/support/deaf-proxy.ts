// A proxy in front of PostgreSQL that loses what the server sends on connections for notifications, once it is told to.

import { createServer, connect as open } from 'node:net';
import { channel } from '#sql/postgres/change-notifications.ts';
import { closeLater } from './closing.ts';

export async function startDeafProxy(address: string) {
  const url = new URL(address);
  const port = Number(url.port);
  const state = { isDeaf: false, lost: 0, heard: 0 };
  const server = createServer((client) => {
    const upstream = open(port, url.hostname);
    let listens = false;
    client.on('data', (bytes) => {
      listens ||= bytes.toString('latin1').toUpperCase().includes('LISTEN');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (listens && state.isDeaf) {
        state.lost += bytes.length;
        return;
      }
      client.write(bytes);
      if (bytes.toString('latin1').includes(channel)) state.heard++;
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => server.close());
  const bound = server.address();
  url.port = String(typeof bound === 'object' ? bound?.port : '');
  return { state, address: url.href };
}
