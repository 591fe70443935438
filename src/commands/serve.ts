import { type App, createApp, findArchiveLimit, megabyte } from '../app.ts';
import { stopLog } from '../copy/write-log.ts';
import { errorCode, errorMessage, OperatorError } from '../errors.ts';
import { finishUpdates } from '../gallery/contributors/updates.ts';
import demoFiles from '../gallery/demo/files.ndjson' with { type: 'text' };
import demo from '../gallery/demo/gallery.ndjson' with { type: 'text' };
import { importIntoEmptyGallery } from '../gallery/dump/import.ts';
import { loadLibrary as loadPasskeyLibrary } from '../gallery/passkeys/webauthn.ts';
import { getOrCreateSecret } from '../gallery/server-secrets.ts';
import { sweep } from '../gallery/sweep.ts';
import { createLog, type Log } from '../log.ts';
import type { Connections } from '../rest/hosts.ts';
import { maxBodyBytes } from '../rest/parsers.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { SettingName, Settings } from '../settings.ts';
import { defineCommand } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createSchedules, type Schedule, scheduleSettings } from './scheduled-commands.ts';

export const serverSettings = [
  'port',
  'host',
  'database',
  'files',
  'uploadLimit',
  'projectQuota',
  'fileQuota',
  'allowedHosts',
  'trustedProxies',
  'timeZone',
  'playerHosts',
  'readLimit',
  'writeLimit',
  'signInLimit',
  'signUp',
  'requiresSecondFactor',
  'hsts',
  'cacheSize',
  'names',
  'strict',
  'demo',
  'reusePort',
  'publicDump',
] as const satisfies readonly SettingName[];

/** Seconds without traffic after which a connection is closed; requests time out earlier. */
const idleTimeout = 10;
const hourMs = 3600_000;
const minuteMs = 60_000;
/** Responses close their connections for this long before the port closes: otherwise keep-alive clients lose requests. */
const drainMs = 1500;
/** The reader of the log may have stopped reading. */
const maxFlushMs = 5000;

type ServerSettings = Settings<(typeof serverSettings)[number]>;

/** Sees every request with its response. */
export interface Observer {
  observe(context: RequestContext): void;
  /** Called when the server has stopped. */
  close(): void;
}

/** Other work of the process beside the server. */
interface ServeOptions {
  readonly startObserver?: (log: Log) => Observer;
  readonly schedules?: readonly Schedule[];
}

export const serveCommand = defineCommand({
  usage: 'serve',
  help: 'Serves the gallery until Ctrl-C or SIGTERM.',
  examples: [
    'vitrine serve --demo --sign-up open',
    'vitrine serve --database gallery.sqlite --allowed-host gallery.example.org',
    'vitrine serve --backup-every 1h --backup-to /mnt/backups --keep 24h,7d,4w',
  ],
  settings: [...serverSettings, ...scheduleSettings],
  run: async (settings, _, environment) =>
    serveUntilStopped(settings, { schedules: await createSchedules(settings, environment) }),
});

export async function serveUntilStopped(
  settings: ServerSettings,
  { startObserver, schedules = [] }: ServeOptions,
): Promise<never> {
  // The server goes on if the log cannot be written (a full disk, a closed pipe).
  process.stdout.on('error', () => {});
  const log = createLog(process.stdout);
  const { database, files } = await openDatabaseAndFiles(settings, (error) => log.error('-', error));
  const observer = startObserver?.(log);
  let code: number;
  try {
    if (settings.demo) await importIntoEmptyGallery(database, files, 'the demo', demo + demoFiles);
    const secrets = {
      cursors: await getOrCreateSecret(database, 'cursors'),
      sessions: await getOrCreateSecret(database, 'sessions'),
    };
    await loadPasskeyLibrary();
    const app = createApp({
      database,
      files,
      secrets,
      settings,
      log,
      observe: (context) => observer?.observe(context),
    });
    const server = listen(app, settings);
    // Before anybody reads that it serves.
    const stopped = waitForStop(log);
    log.info(
      `Vitrine serves ${settings.database.replace(/\/\/[^@/]*@/, '//')} at ${formatUrls(server, settings)}`,
    );
    log.flush();
    const logError = (error: unknown) => log.error('-', error);
    finishUpdates(database)
      .then(() => stopLog(database))
      .catch(logError);
    const sweepTimer = setInterval(() => sweep(database, files).catch(logError), hourMs);
    const viewsTimer = setInterval(() => app.saveViews().catch(logError), minuteMs);
    for (const schedule of schedules) schedule.start(database, log);
    code = await stopped;
    for (const schedule of schedules) schedule.stop();
    clearInterval(sweepTimer);
    clearInterval(viewsTimer);
    const idleMs = app.drain();
    if (idleMs < (idleTimeout + 2) * 1000) await Bun.sleep(drainMs);
    await server.stop();
    await app.saveViews().catch(logError);
  } finally {
    observer?.close();
    log.flush();
    await database.close();
  }
  // A picture of an abandoned request that is being decoded would keep the process alive.
  await Promise.race([new Promise<void>((resolve) => process.stdout.end(resolve)), Bun.sleep(maxFlushMs)]);
  process.exit(code);
}

type Server = ReturnType<typeof listen>;

function listen(app: App, settings: Settings<'port' | 'host' | 'reusePort' | 'uploadLimit' | 'fileQuota'>) {
  const peers: Connections = {
    peerAddress: (request) => server.requestIP(request)?.address,
    extendIdleTimeout: (request, seconds) => server.timeout(request, seconds),
  };
  let server: ReturnType<typeof Bun.serve>;
  try {
    server = Bun.serve({
      port: settings.port,
      hostname: settings.host,
      reusePort: settings.reusePort,
      idleTimeout,
      // Larger than our own limits, as Bun's error response has no body.
      maxRequestBodySize: Math.max(
        8 * maxBodyBytes,
        2 * settings.uploadLimit * megabyte,
        2 * findArchiveLimit(settings),
      ),
      development: false,
      fetch: (request) => app.fetch(request, peers),
    });
    return server;
  } catch (error) {
    const code = errorCode(error);
    const address = `${settings.host}:${settings.port}`;
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `The port ${settings.port} is taken: stop the other program or choose one with --port.`,
      );
    if (code === 'EACCES')
      throw new OperatorError(`This user may not listen on ${address}: choose a port above 1023.`);
    throw new OperatorError(`Cannot listen on ${address}: ${code ?? errorMessage(error)}.`);
  }
}

function formatUrls(server: Server, { host }: Settings<'host'>): string {
  const name = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${name}:${server.port}/ (API: http://${name}:${server.port}/api/v1/)`;
}

/** Resolves with the exit code on Ctrl-C, on SIGTERM, or after an unhandled rejection, which is logged. */
function waitForStop(log: Log): Promise<number> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve(0));
    process.once('SIGINT', () => resolve(0));
    process.on('unhandledRejection', (error) => {
      log.error('-', error);
      resolve(1);
    });
  });
}
