// The server of `vitrine serve`.

import { createLog, type Log } from '#common/log.ts';
import { SharedCall } from '#common/shared-call.ts';
import { SharedLimits } from '#common/shared-limits.ts';
import { ownMemory, type SharedMemory } from '#common/shared-memory.ts';
import type { Secret } from '#common/signature.ts';
import { timeLimits } from '#common/time-limits.ts';
import { idleTimeout } from '#rest/hosts.ts';
import type { RequestContext } from '#rest/request-context.ts';
import type { ForwardWrite } from '#rest/serve.ts';
import type { Database } from '#sql';
import { traceDatabase } from '#sql/open';
import { beginGallery } from '../../core/accounts/sign-up-rules.ts';
import { type OpenGallery, openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { doDueJobs, doTasks } from '../../core/jobs/sweep.ts';
import { ServerSecrets } from '../../core/server-secrets.ts';
import type { Work } from '../../projects/background-work.ts';
import { stopLog } from '../../projects/database-copy/copy-rows.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { createApp } from '../app.ts';
import { chooseFeatures } from '../choose-features.ts';
import { createLeftOutRecord } from '../compare-servers.ts';
import { createVersionRecord } from '../earlier-versions.ts';
import { loadFeatures, type ServedFeatures } from '../load-features.ts';
import { startMetrics } from '../metrics/serve-metrics.ts';
import { startTracing } from '../tracing/tracing.ts';
import { forwardWrite } from '../workers/forward-writes.ts';
import type { Worker } from '../workers/worker.ts';
import { describeServer, exitWith, findAddress, listen, waitForStop } from './listen.ts';
import type { Schedule } from './scheduled-commands.ts';
import type { ServerSettings } from './serve.ts';

const minuteMs = 60_000;
/** How often jobs are looked for that are due. */
const jobsMs = 5000;

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
  readonly worker?: Worker;
  readonly exportsTraces?: boolean;
}

/** The server leaves them for `vitrine doctor`. */
const ownRecords = [createLeftOutRecord, createVersionRecord];

export async function serveUntilStopped(
  settings: ServerSettings,
  { startObserver, schedules = [], worker, exportsTraces = false }: ServeOptions,
): Promise<never> {
  const log = startLog(worker);
  const isFirst = worker?.isFirst ?? true;
  const logError = (error: unknown) => log.error('-', error);
  const features = await loadFeatures(settings);
  const tracing = await startTracing({ ...settings, exportsTraces }, log);
  const opened = await openDatabaseAndFiles(settings, logError, {
    mustExist: false,
    earlierSchema: { keepsCopy: !settings.noCopy },
    memory: worker?.memory,
    notify: log.info,
    replicas: settings.replicas,
  });
  const gallery = tracing ? { ...opened, database: traceDatabase(opened.database) } : opened;
  const { database } = gallery;
  const observer = startObserver?.(log);
  let code: number;
  try {
    const secrets = await prepareGallery(gallery, settings);
    const memory = openMemory(settings, secrets.sessions, log, worker);
    const app = createApp({
      features,
      ...gallery,
      secrets,
      settings,
      log,
      observe(context, response) {
        observer?.observe(context);
        metrics?.countRequest(context, response);
      },
      startTrace: tracing?.startTrace,
      memory,
      forwardWrite: worker && findForwarder(database, worker),
      searchEngine: await openSearchEngine(features, database, settings, isFirst ? log : undefined),
    });
    const metrics = startMetrics(app, database, settings, worker);
    const writesFolder = worker?.isFirst && database.hasOneWriter ? worker.folder : undefined;
    const shared = worker && { port: worker.port, reusePort: true };
    const servers = listen(app, { ...settings, ...shared }, writesFolder);
    // Before anybody reads that it serves.
    const stopped = waitForStop(log, { worker });
    const notices = isFirst ? await findNotices(database, settings, servers[0].port) : [];
    if (worker) worker.reportReady(notices);
    else for (const line of [describeServer(settings, servers[0].port), ...notices]) log.info(line);
    log.flush();
    const stopInEachProcess = [secrets, ...app.work].flatMap((one) => one.startInEachProcess?.() ?? []);
    const records = ownRecords.map((create) => create(database, settings, logError));
    const stopWork = isFirst && startRegularWork(gallery, [...app.work, ...records], schedules, log);
    code = await stopped;
    const stopServers = () => Promise.all(servers.map((server) => server.stop()));
    // The next supervisor needs the port at once.
    const stopping = worker?.isOrphaned ? stopServers() : undefined;
    if (stopWork) await stopWork();
    if (app.drain() < (idleTimeout + 2) * 1000) await Bun.sleep(timeLimits.drain);
    await (stopping ?? stopServers());
    await metrics?.stop();
    await tracing?.stop();
    memory.sharedLimits?.close();
    await Promise.all(stopInEachProcess.map((stop) => stop()));
  } finally {
    observer?.close();
    log.flush();
    await database.close();
  }
  return exitWith(code);
}

/** The server continues if the log cannot be written (a full disk, a closed pipe). */
function startLog(worker: Worker | undefined): Log {
  process.stdout.on('error', () => {});
  return createLog(process.stdout, worker?.logsToTerminal);
}

declare module '../../core/feature.ts' {
  interface Feature {
    /** Before a server serves. */
    prepare?(gallery: OpenGallery, settings: ServerSettings): Promise<void>;
    /** A line at the beginning of the log, which people read who run the gallery. The address has no slash at its end. */
    notice?(database: Database, settings: ServerSettings, address: string): Promise<string | undefined>;
  }
}

async function findNotices(database: Database, settings: ServerSettings, port: number | undefined) {
  const address = settings.publicUrl || findAddress(settings, port).replace(/\/$/, '');
  const features = chooseFeatures(settings.without);
  const notices = await Promise.all(features.map(({ notice }) => notice?.(database, settings, address)));
  return notices.filter((notice) => notice !== undefined);
}

/** Returns the secrets of the gallery. */
async function prepareGallery(gallery: OpenGallery, settings: ServerSettings) {
  const { database } = gallery;
  await beginGallery(database);
  for (const { prepare } of chooseFeatures(settings.without)) await prepare?.(gallery, settings);
  return ServerSecrets.open(database);
}

function openMemory({ redis }: ServerSettings, secret: Secret, log: Log, worker?: Worker): SharedMemory {
  const memory = worker?.memory ?? ownMemory();
  if (!redis) return memory;
  const ownLog = (worker?.isFirst ?? true) ? log : undefined;
  return { ...memory, sharedLimits: new SharedLimits(redis, secret, ownLog) };
}

const openSearchEngine = async (
  { createSearchEngine }: ServedFeatures,
  database: Database,
  { searchEngine: address }: ServerSettings,
  log: Log | undefined,
) => (address ? createSearchEngine?.(address, database, log) : undefined);

/** The regular work of the server, which one process does. Returns a function that stops it. */
function startRegularWork(
  { database, files }: OpenGallery,
  work: readonly Work[],
  schedules: readonly Schedule[],
  log: Log,
): () => Promise<void> {
  const logError = (error: unknown) => log.error('-', error);
  finishUpdates(database)
    .then(() => stopLog(database))
    .catch(logError);
  const dueJobs = new SharedCall(() => doDueJobs({ database, files }).catch(logError));
  const jobsTimer = setInterval(() => void dueJobs.run(), jobsMs);
  const tasks = new SharedCall(() => doTasks(database, logError));
  const tasksTimer = setInterval(() => void tasks.run(), minuteMs);
  for (const schedule of schedules) schedule.start(database, log);
  const stopWork = work.flatMap((one) => one.start?.() ?? []);
  return async () => {
    clearInterval(jobsTimer);
    clearInterval(tasksTimer);
    await Promise.all([...stopWork.map((stop) => stop()), ...schedules.map((schedule) => schedule.stop())]);
  };
}

const findForwarder = ({ hasOneWriter }: Database, { isFirst, folder }: Worker): ForwardWrite | undefined =>
  hasOneWriter && !isFirst ? (...request) => forwardWrite(folder, ...request) : undefined;
