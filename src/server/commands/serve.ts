import { OperatorError } from '#common/errors.ts';
import { isServed } from '#common/networks.ts';
import { defineCommand } from '../../core/commands/command.ts';
import { listFeatures } from '../../core/feature.ts';
import { requireNoLostGallery } from '../../core/open-gallery.ts';
import { appSettings, type SettingName, type Settings } from '../../core/settings/settings.ts';
import { chooseFeatures } from '../choose-features.ts';
import { readTracingVariables } from '../tracing/tracing.ts';
import { joinWorkers, workerVariable } from '../workers/worker.ts';
import { createSchedules, scheduleSettings } from './scheduled-commands.ts';

export const serverSettings = [
  'port',
  'host',
  'database',
  'noCopy',
  'replicas',
  'files',
  ...appSettings,
  'redis',
  'searchEngine',
  'reusePort',
  'metricsPort',
  'metricsHost',
  'serverTiming',
] as const satisfies readonly SettingName[];

export type ServerSettings = Settings<(typeof serverSettings)[number]>;

declare module '../../core/feature.ts' {
  interface Feature {
    /** Throws an OperatorError if settings do not fit together. */
    checkSettings?(settings: ServerSettings): void;
  }
}

export const serveCommand = defineCommand({
  usage: 'serve',
  help: 'Serves the gallery until Ctrl-C or SIGTERM.',
  examples: [
    'vitrine serve --demo --sign-up open',
    'vitrine serve --database gallery.sqlite --allowed-host gallery.example.org',
    'vitrine serve --backup-every 1h --backup-to /mnt/backups --keep 24h,7d,4w',
    'vitrine serve --workers auto',
  ],
  settings: [...serverSettings, 'workers', ...scheduleSettings],
  async run(settings, _, { [workerVariable]: workerOptions, ...environment }) {
    if (settings.mediaUrl === 'signed' && !settings.files.startsWith('s3://'))
      throw new OperatorError('--media-url signed needs --files s3://…: a folder has no signed addresses.');
    requireOtherHosts(settings);
    chooseFeatures(settings.without);
    for (const { checkSettings } of listFeatures()) checkSettings?.(settings);
    const worker = workerOptions === undefined ? undefined : joinWorkers(workerOptions);
    const schedules = await createSchedules(settings, environment);
    await requireNoLostGallery(settings.database);
    const exportsTraces = readTracingVariables(environment);
    if (!worker && settings.workers > 1)
      return (await import('./supervise.ts')).superviseWorkers(settings, environment);
    // With the API and the pages, which no other command needs.
    const { serveUntilStopped } = await import('./server.ts');
    return serveUntilStopped(settings, { schedules, exportsTraces, worker });
  },
});

/** Uploaded files never run at a host of the gallery, where they could act for people who are signed in. */
function requireOtherHosts({ filePlayers, allowedHosts, publicUrl }: ServerSettings): void {
  const own = [...allowedHosts.filter((host) => host !== '*'), URL.parse(publicUrl)?.hostname ?? ''];
  for (const { address } of filePlayers) {
    const { hostname } = new URL(address.replaceAll('{url}', ''));
    if (isServed(hostname.replace(/\.$/, ''), own))
      throw new OperatorError(
        `--file-player ${address} is at ${hostname}, a host of the gallery: files that people upload must run at another one.`,
      );
  }
}
