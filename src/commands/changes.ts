import { OperatorError } from '../common/errors.ts';
import { archiveChanges, changesPerFile } from '../gallery/change-archive/archive.ts';
import type { Settings } from '../settings/settings.ts';
import { defineCommand, isDone, plural, printMessage, runStoppableJob } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';

export const changeArchiveJob = 'archive of changes';

const archiveSettings = ['database', 'files', 'keepChanges', 'unlessNewer'] as const;
const publishSettings = ['database', 'files', 'nats', 'natsPrefix', 'once', 'publicUrl', 'timeZone'] as const;

export const changesCommand = defineCommand({
  usage: 'changes archive|publish',
  help: 'Moves changes that are older than `--keep-changes` into compressed files, at most ten million at once; or publishes all changes to NATS.',
  examples: [
    'vitrine changes archive --keep-changes 400d',
    'vitrine changes publish --nats nats://localhost --public-url https://a.example',
  ],
  settings: [...archiveSettings, ...publishSettings],
  operand: 'the word archive or publish',
  async run(settings, operand) {
    if (operand === 'archive') return archive(settings);
    if (operand === 'publish') return publish(settings);
    throw new OperatorError('It is: vitrine changes archive, or vitrine changes publish');
  },
});

async function archive(settings: Settings<(typeof archiveSettings)[number]>): Promise<number> {
  const { keepChanges } = settings;
  if (keepChanges === undefined)
    throw new OperatorError('It is: vitrine changes archive --keep-changes 400d');
  await using gallery = await openDatabaseAndFiles(settings);
  const outcome = await runStoppableJob(gallery.database, changeArchiveJob, settings, async (confirm) => ({
    files: await archiveChanges(gallery, keepChanges, confirm),
  }));
  if (!isDone(outcome, settings, 'the archive of changes', 'archive of changes')) return 0;
  const { files } = outcome;
  if (files > 0) console.log(`${files * changesPerFile} changes moved into ${plural(files, 'file')}.`);
  else printMessage(`There are fewer than ${changesPerFile} such changes, which a file has.`);
  return 0;
}

async function publish(settings: Settings<(typeof publishSettings)[number]>): Promise<number> {
  const { nats, natsPrefix: prefix, once: isOnce, publicUrl, timeZone } = settings;
  if (!nats || !publicUrl)
    throw new OperatorError(
      'It is: vitrine changes publish --nats nats://host:4222 --public-url https://gallery.example.org',
    );
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const { publishChanges } = await import('../nats/publish.ts');
  const { serializeChange } = await import('../api/changes.ts');
  await using gallery = await openDatabaseAndFiles(settings);
  const count = await publishChanges(gallery, {
    address: nats,
    prefix,
    isOnce,
    serialize: (entry) => serializeChange(entry, publicUrl, timeZone),
    report: printMessage,
    stopped: stop.signal,
  });
  if (isOnce) console.log(`${plural(count, 'change')} published.`);
  return 0;
}
