// Clients of a server with workers, while these are killed and replaced.

import { KeepAliveClient } from '../support/keep-alive-client.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { bodyOf, connectToEach, request, statusOf, type Workers } from '../support/workers.ts';

export const projects = '/api/v1/projects/';

export const create = (authorization: string, title: string) =>
  request('POST', projects, [authorization], JSON.stringify({ title, content_type: 'text', text: 'x' }));

export async function countWorkers(port: number): Promise<number> {
  const clients = await connectToEach(port, 2).catch(() => new Map<string, KeepAliveClient>());
  for (const client of clients.values()) client.close();
  return clients.size;
}

export async function readTitles(port: number): Promise<string[]> {
  const titles: string[] = [];
  let path: string | undefined = `${projects}?page_size=100&fields=title`;
  const client = new KeepAliveClient(port);
  while (path) {
    const { next, results } = bodyOf(await client.send(request('GET', path)));
    titles.push(...results.map(({ title }: { title: string }) => title));
    path = next?.replace(/^http:..[^/]*/, '');
  }
  client.close();
  return titles;
}

const clientCount = 8;

/** Clients that create projects and read, each over a connection that it opens again after a loss. */
export function startLoad({ server, authorization }: Workers, pauseMs = 0) {
  const created: string[] = [];
  const statuses: Record<string, number> = {};
  let isOver = false;
  const run = async (name: number) => {
    const client = new KeepAliveClient(server.port);
    for (let round = 0; !isOver; round++) {
      const title = `Of ${name}, ${round}`;
      const text = round % 2 ? create(authorization, title) : request('GET', projects);
      const answer = await client.send(text).catch(() => undefined);
      const status = answer === undefined ? 'lost' : statusOf(answer);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 201) created.push(title);
      if (status === 'lost') client.close();
      await randomPause(status === 'lost' || status === 503 ? 40 : pauseMs);
    }
    client.close();
  };
  const clients = Promise.all(Array.from({ length: clientCount }, (_, name) => run(name)));
  return {
    waitForWrites(more: number) {
      const enough = created.length + more;
      return waitFor(() => created.length >= enough);
    },
    async stop() {
      isOver = true;
      await clients;
      return { created, statuses };
    },
  };
}
