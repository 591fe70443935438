import { OperatorError } from '../common/errors.ts';
import { archiveChanges, changesPerFile } from '../gallery/change-archive/archive.ts';
import { repeatOnChanges } from '../gallery/change-stream/repeat-on-changes.ts';
import { runJob } from '../gallery/jobs.ts';
import { readIdentity } from '../gallery/server-secrets.ts';
import type { Settings } from '../settings/settings.ts';
import { defineCommand, isDone, plural, printMessage, runStoppableJob } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';

export const changeArchiveJob = 'archive of changes';

const archiveSettings = ['database', 'files', 'keepChanges', 'unlessNewer'] as const;
const publishSettings = ['database', 'files', 'nats', 'natsPrefix', 'once', 'publicUrl', 'timeZone'] as const;
const indexSettings = ['database', 'files', 'searchEngine', 'once'] as const;

export const changesCommand = defineCommand({
  usage: 'changes archive|publish|index',
  help: 'Moves changes that are older than `--keep-changes` into compressed files, at most ten million at once; publishes all changes to NATS; or fills the index of a search engine.',
  examples: [
    'vitrine changes archive --keep-changes 400d',
    'vitrine changes publish --nats nats://localhost --public-url https://a.example',
    'vitrine changes index --search-engine http://localhost:9200/vitrine',
  ],
  settings: [...archiveSettings, ...publishSettings, ...indexSettings],
  operand: 'the word archive, publish or index',
  async run(settings, operand) {
    if (operand === 'archive') return archive(settings);
    if (operand === 'publish') return publish(settings);
    if (operand === 'index') return index(settings);
    throw new OperatorError(
      'It is: vitrine changes archive, vitrine changes publish, or vitrine changes index',
    );
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
  const stopped = abortWhenStopped();
  const { publishChanges } = await import('../nats/publish.ts');
  const { serializeChange } = await import('../api/changes.ts');
  await using gallery = await openDatabaseAndFiles(settings);
  const count = await publishChanges(gallery, {
    address: nats,
    prefix,
    isOnce,
    serialize: (entry) => serializeChange(entry, publicUrl, timeZone),
    report: printMessage,
    stopped,
  });
  if (isOnce) console.log(`${plural(count, 'change')} published.`);
  return 0;
}

async function index(settings: Settings<(typeof indexSettings)[number]>): Promise<number> {
  const { searchEngine, once: isOnce } = settings;
  if (!searchEngine)
    throw new OperatorError('It is: vitrine changes index --search-engine http://localhost:9200/vitrine');
  const stopped = abortWhenStopped();
  const { EngineFiller } = await import('../search-engine/fill.ts');
  await using gallery = await openDatabaseAndFiles(settings);
  const { database } = gallery;
  const fillIndex = () =>
    runJob(database, 'search index', 0, async (confirm) => {
      const filler = new EngineFiller(database, searchEngine, await readIdentity(database), stopped, confirm);
      const url = await filler.begin();
      if (!isOnce) printMessage(`Projects are written into the index ${url}.`);
      await repeatOnChanges(database, () => filler.fill(), { isOnce, stopped, report: printMessage });
      return filler.count;
    });
  let outcome = await fillIndex();
  if (outcome === 'running') {
    const sentence = 'Another process fills the index, or was killed some seconds ago';
    if (isOnce) throw new OperatorError(`${sentence}. Try again in half a minute.`);
    printMessage(`${sentence}: this one waits.`);
  }
  for (; outcome === 'running' && !stopped.aborted; outcome = await fillIndex()) await Bun.sleep(1000);
  if (isOnce) console.log(`${plural(Number(outcome), 'project')} written.`);
  return 0;
}

function abortWhenStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  return stop.signal;
}
