// Servers of several workers, as an operator starts them.

import { emptyDatabase, type Kind, temporaryPath } from './databases.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { type Server, serveIn, vitrine, vitrineWithInput } from './server.ts';

export interface Workers {
  readonly server: Server;
  readonly database: string;
  /** The Authorization header of somebody who may write. */
  readonly authorization: string;
}

/** Starts a server, and makes an account. */
export const startWorkers = (kind: Kind, count: number, ...args: string[]): Promise<Workers> =>
  startWorkersIn({}, kind, count, ...args);

/** The same with more environment variables. */
export async function startWorkersIn(
  environment: Record<string, string>,
  kind: Kind,
  count: number,
  ...args: string[]
): Promise<Workers> {
  const database = await emptyDatabase(kind);
  const files = temporaryPath('files');
  const options = ['--database', database, '--files', files, '--workers', String(count), ...args];
  const server = await serveIn(environment, ...options);
  await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
  const key = await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database);
  return { server, database, authorization: `Authorization: Token ${key.out.trim()}` };
}

export const noLimits = ['--read-limit', 'off', '--write-limit', 'off', '--project-quota', 'off'];

/** A request as text; `head` is further lines. */
export function request(method: string, path: string, head: string[] = [], body = ''): string {
  const length = body ? [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json'] : [];
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...head, ...length, '', body].join('\r\n');
}

export const bodyOf = (response = '') => JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
export const statusOf = (response = '') => Number(response.split(' ')[1]);

/** The beginning of the ids that the process gives which made the response. */
export const processOf = (response = '') => /^x-request-id: (\w+)-/im.exec(response)?.[1] ?? '';

/** A connection to each worker, and the beginning of the ids that it gives to requests. */
export async function connectToEach(port: number, count: number): Promise<Map<string, KeepAliveClient>> {
  const clients = new Map<string, KeepAliveClient>();
  for (let tries = 0; clients.size < count; tries++) {
    if (tries === 200) throw new Error(`only ${clients.size} workers answer`);
    const client = new KeepAliveClient(port);
    const name = processOf(await client.send(request('GET', '/livez')));
    // Without a name, the worker has just died.
    if (name === '' || clients.has(name)) client.close();
    else clients.set(name, client);
  }
  return clients;
}

/** The errors in the log of a server. */
export const errorsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => JSON.parse(line).error).filter((error) => error !== undefined);

export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
