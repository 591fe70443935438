// Opens the port of the server, and says in one sentence why it cannot be opened.

import type { Log } from '#common/log.ts';
import { isServed } from '#common/networks.ts';
import { timeLimits } from '#common/time-limits.ts';
import { idleTimeout } from '#rest/hosts.ts';
import { maxBodyBytes } from '#rest/parsers.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { App } from '../app.ts';
import { toListenError } from '../listen-error.ts';
import { findArchiveLimit, megabyte } from '../transfers.ts';
import { receiveWrites } from '../workers/forward-writes.ts';
import type { Worker } from '../workers/worker.ts';

type Address = Settings<'port' | 'host' | 'reusePort'>;
type Server = Bun.Server<undefined>;

/** `writesFolder`: where the writer of several workers receives what the others forward. */
export function listen(
  app: App,
  settings: Address & Settings<'uploadLimit' | 'fileQuota'>,
  writesFolder: string | undefined,
): [Server, ...Server[]] {
  const options = {
    idleTimeout,
    // Larger than our own limits, as Bun's error response has no body.
    maxRequestBodySize: Math.max(
      8 * maxBodyBytes,
      2 * settings.uploadLimit * megabyte,
      2 * findArchiveLimit(settings),
    ),
  };
  const server = openPort(settings, {
    ...options,
    fetch: (request) =>
      app.fetch(request, {
        peerAddress: () => server.requestIP(request)?.address,
        extendIdleTimeout: (_, seconds) => server.timeout(request, seconds),
      }),
  });
  // Not if the port is taken: this process has to end then.
  const writes =
    writesFolder === undefined ? [] : [receiveWrites(writesFolder, options.maxRequestBodySize, app.fetch)];
  return [server, ...writes];
}

interface SharedPort {
  readonly port: number;
  /** Leaves it to the processes that listen on it. */
  release(): Promise<void>;
}

/**
 * The port that several processes will share: nobody else has it, or the settings say so. One that the system has chosen is held until
 * they listen, as another program may get it; until then, nobody knows it.
 */
export async function choosePort(settings: Address): Promise<SharedPort> {
  const isHeld = settings.port === 0;
  const open = () =>
    openPort({ ...settings, reusePort: settings.reusePort || isHeld }, { fetch: () => new Response() });
  const server = await retry(open, timeLimits.port);
  // A stopped server has none.
  const port = server.port ?? settings.port;
  const release = () => server.stop(true);
  if (!isHeld) await release();
  return { port, release };
}

async function retry<Result>(work: () => Result, timeoutMs: number): Promise<Result> {
  for (const end = performance.now() + timeoutMs; ; await Bun.sleep(50)) {
    try {
      return work();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

interface PortOptions {
  readonly idleTimeout?: number;
  readonly maxRequestBodySize?: number;
  fetch(request: Request): Response | Promise<Response>;
}

function openPort({ port, host, reusePort }: Address, options: PortOptions): Server {
  try {
    return Bun.serve({ port, hostname: host, reusePort, development: false, ...options });
  } catch (error) {
    throw toListenError(error, host, port);
  }
}

/** An address that the server serves. */
export function findAddress(
  { host, allowedHosts }: Settings<'host' | 'allowedHosts'>,
  port: number | undefined,
): string {
  const ownName = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  const named = allowedHosts.find((allowed) => /^\w/.test(allowed)) ?? ownName;
  const name = isServed(ownName, allowedHosts) ? ownName : named;
  return `http://${name}:${port}/`;
}

/** The first line of the log. */
export function describeServer(
  settings: Settings<'database' | 'host' | 'allowedHosts'>,
  port: number | undefined,
): string {
  const { database } = settings;
  const address = findAddress(settings, port);
  return `Vitrine serves ${database.replace(/\/\/[^@/]*@/, '//')} at ${address} (API: ${address}api/v1/)`;
}

// The end of a server process.

const hangUpMessage =
  'SIGHUP replaces workers, and this server has none: it goes on. To start it again, stop it with SIGTERM.';

interface Stoppable {
  /** This process, if it is a worker. */
  readonly worker?: Pick<Worker, 'waitForOrphaned'> | undefined;
  readonly hasWorkers?: boolean;
}

/**
 * Resolves with the exit code on Ctrl-C, on SIGTERM, or after an unhandled rejection, which is logged; without workers also when
 * the terminal is closed, and in a worker when its supervisor has died.
 */
export const waitForStop = (
  log: Log,
  { worker, hasWorkers = worker !== undefined }: Stoppable,
): Promise<number> =>
  new Promise((resolve) => {
    worker?.waitForOrphaned().then(resolve);
    if (!hasWorkers)
      process.on('SIGHUP', () => {
        if (process.stdout.isTTY) resolve(0);
        else log.info(hangUpMessage);
      });
    process.once('SIGTERM', () => resolve(0));
    process.once('SIGINT', () => resolve(0));
    process.on('unhandledRejection', (error) => {
      log.error('-', error);
      resolve(1);
    });
  });

/** Ends the process when its log is written. */
export async function exitWith(code: number): Promise<never> {
  // A picture of an abandoned request that is being decoded would keep the process alive.
  const logged = new Promise<void>((resolve) => process.stdout.end(resolve));
  await Promise.race([logged, Bun.sleep(timeLimits.log)]);
  process.exit(code);
}
