// On SQLite one worker writes. The others send it the requests that may write, over a socket in a folder that no other
// user can open, and pass its responses on. Bodies are streamed. The writer sees what it would see from the client.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, Refused } from '#common/errors.ts';
import type { RequestTrace } from '#common/request-trace.ts';
import { type Connections, idleTimeout } from '#rest/hosts.ts';
import { pathAndQuery } from '#rest/request-url.ts';

/** Only read on the writer's socket: the client's network address, then the headers that the client did not send. */
const forwardedHeader = 'Vitrine-Forwarded';
/** Bun adds them to a request that lacks them. */
const addedHeaders = ['Accept', 'Accept-Encoding', 'Content-Length', 'Host', 'User-Agent'];
/** They are about one connection, and are not forwarded. */
const connectionHeaders = ['Connection', 'Keep-Alive', 'Upgrade'];
/** Responses that have no body. */
const emptyStatuses = [204, 205, 304];
const lostWriterCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'];

const socketPath = (folder: string) => join(folder, 'writer.sock');

/** Throws Refused while the writer is being replaced. */
export async function forwardWrite(
  folder: string,
  request: Request,
  connections: Connections,
  trace?: RequestTrace,
): Promise<Response> {
  const { method, url, body, signal } = request;
  const headers = new Headers(request.headers);
  const added = addedHeaders.filter((name) => !headers.has(name));
  headers.set(forwardedHeader, [connections.peerAddress(request) ?? '', ...added].join(' '));
  for (const name of connectionHeaders) headers.delete(name);
  trace?.writeHeaders(headers);
  // The writer watches how fast the body comes.
  connections.extendIdleTimeout?.(request, 0);
  try {
    // Without a valid Host header, the URL is only a path: the writer refuses it as it refuses that of a client.
    const response = await fetch(`http://localhost${pathAndQuery(url)}`, {
      method,
      headers,
      body,
      signal,
      unix: socketPath(folder),
      redirect: 'manual',
      decompress: false,
      // Bun sends a request again when a connection that was used before turns out to be closed.
      keepalive: false,
    });
    const { status } = response;
    const content = emptyStatuses.includes(status) ? null : await response.arrayBuffer();
    return new Response(content, { status, headers: response.headers });
  } catch (error) {
    if (signal.aborted || lostWriterCodes.includes(errorCode(error) ?? '')) throw new Refused(error);
    throw error;
  } finally {
    // It also holds for the next request on the connection.
    connections.extendIdleTimeout?.(request, idleTimeout);
  }
}

/** Receives what the other workers forward. While one writer replaces another, the new one gets further requests. */
export function receiveWrites(
  folder: string,
  maxRequestBodySize: number,
  respond: (request: Request, connections: Connections) => Response | Promise<Response>,
): Bun.Server<undefined> {
  const ownPath = join(folder, `${process.pid}.sock`);
  const server = Bun.serve({
    maxRequestBodySize,
    unix: ownPath,
    development: false,
    fetch(request) {
      const [address, ...added] = (request.headers.get(forwardedHeader) ?? '').split(' ');
      for (const name of [forwardedHeader, ...added]) request.headers.delete(name);
      return respond(request, {
        peerAddress: () => address,
        extendIdleTimeout: (extended, seconds) => server.timeout(extended, seconds),
      });
    },
  });
  renameSync(ownPath, socketPath(folder));
  return server;
}
