// Receives webhooks in a process of its own, which tests kill: webhook-receiver-program.ts FILE PORT. Each event is a line of
// the file before it is acknowledged.

import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

const [file = '', port = '0'] = process.argv.slice(2);
const descriptor = openSync(file, 'a');
process.on('exit', () => closeSync(descriptor));

const server = Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  async fetch(request) {
    writeSync(descriptor, `${await request.text()}\n`);
    fsyncSync(descriptor);
    return new Response(null, { status: 204 });
  },
});
process.stdout.write(`${server.port}\n`);
