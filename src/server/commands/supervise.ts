// `serve --workers`: several processes that share the port.

import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#common/log.ts';
import type { Environment } from '../../core/commands/command.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { startMetricsOfWorkers } from '../metrics/serve-metrics.ts';
import { Supervisor } from '../workers/supervisor.ts';
import { choosePort, describeServer, exitWith, waitForStop } from './listen.ts';

export async function superviseWorkers(
  settings: Settings<
    'port' | 'host' | 'allowedHosts' | 'reusePort' | 'database' | 'workers' | 'metricsPort' | 'metricsHost'
  >,
  environment: Environment,
): Promise<never> {
  process.stdout.on('error', () => {});
  const log = createLog(process.stdout);
  const { port, release } = await choosePort(settings);
  // Files in /dev/shm are in memory: nothing is written to a disk.
  const folder = mkdtempSync(join(isWritable('/dev/shm') ? '/dev/shm' : tmpdir(), 'vitrine-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  startMetricsOfWorkers(settings, folder);
  const { workers: count } = settings;
  const supervisor = new Supervisor({ count, port, folder, environment, log });
  const stopped = waitForStop(log, { hasWorkers: true });
  const failure = await Promise.race([supervisor.start(), stopped]);
  let code = failure;
  if (code === undefined) {
    await release();
    // Before anybody reads that it serves.
    process.on('SIGHUP', () => {
      // A terminal that is closed sends it.
      if (process.stdout.isTTY) process.emit('SIGTERM', 'SIGTERM');
      else supervisor.replaceAll();
    });
    log.info(`${describeServer(settings, port)}, with ${count} workers`);
    for (const notice of supervisor.notices) log.info(notice);
    log.flush();
    code = await stopped;
  }
  const workersCode = await supervisor.stop();
  log.flush();
  return exitWith(code || workersCode);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
