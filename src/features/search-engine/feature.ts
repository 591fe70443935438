import { OperatorError } from '#common/errors.ts';
import { repeatOnChanges } from '../../core/changes/repeat-on-changes.ts';
import { plural, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import type { Feature } from '../../core/feature.ts';
import { runJob } from '../../core/jobs/jobs.ts';
import { readIdentity } from '../../core/server-secrets.ts';
import { defineOperation } from '../change-feed/command.ts';
import { changeFeed } from '../change-feed/feature.ts';

const index = defineOperation({
  name: 'index',
  does: 'fills the index of a search engine',
  example: 'vitrine changes index --search-engine http://localhost:9200/vitrine',
  settings: ['database', 'files', 'searchEngine', 'once'],
  async run({ searchEngine, once: isOnce, ...settings }, whenStopped) {
    if (!searchEngine)
      throw new OperatorError('It is: vitrine changes index --search-engine http://localhost:9200/vitrine');
    const stopped = whenStopped();
    const { EngineFiller } = await import('./fill-index.ts');
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    const fillIndex = () =>
      runJob(database, 'search index', 0, async (confirm) => {
        const filler = new EngineFiller(
          database,
          searchEngine,
          await readIdentity(database),
          stopped,
          confirm,
        );
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
  },
});

export const searchEngine: Feature = {
  name: 'search-engine',
  does: 'OpenSearch or Elasticsearch searches instead of the database, which goes on when the engine fails.',
  uses: [changeFeed],
  changesOperations: [index],
  searchEngine: async () => (await import('./engine.ts')).createEngine,
};
