// A client that follows the changes and can be killed at any time: it writes each event to a file, as one line, and begins
// after the last whole line. Arguments: the file, the Authorization header or "", the addresses of servers.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { EventReader } from './event-reader.ts';
import { randomPause } from './waiting.ts';

const [file = '', authorization = '', ...addresses] = process.argv.slice(2);

const readLines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);

/** Half a line may be left of a killed client. */
if (existsSync(file) && !readFileSync(file, 'utf8').endsWith('\n')) appendFileSync(file, ' killed\n');

for (let turn = process.pid; ; turn++) {
  const last = readLines().findLast((line) => !line.endsWith('killed'));
  try {
    const response = await fetch(`${addresses[turn % addresses.length]}/api/v1/changes/stream/?since=0`, {
      headers: {
        ...(authorization && { Authorization: authorization }),
        ...(last && { 'Last-Event-ID': last.split(' ')[0] ?? '' }),
      },
    });
    if (!response.ok) throw new Error(await response.text());
    const events = new EventReader(response);
    for (let event = await events.next(); event; event = await events.next())
      appendFileSync(file, `${event.id} ${JSON.stringify(event.data)}\n`);
  } catch {
    // The server was killed.
  }
  await randomPause(100);
}
