// `changes index`: whatever is killed, the index has every project as it is now: npm run test:scale.

import { expect, test } from 'bun:test';
import { executeAlone } from '#sql';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { OpenSearchServer } from '../support/opensearch.ts';
import { person } from '../support/person.ts';
import { program } from '../support/program.ts';
import { start, vitrineIn } from '../support/server.ts';
import { ada, dump, project, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { scaled } from './size.ts';

const projects = scaled(8000);
const kills = scaled(8);
/** While an index is filled, before it is killed. */
const writes = 30;

onBothDatabases((kind) => {
  test('kills while an index is filled and followed leave out no project and no change', async () => {
    const engine = new OpenSearchServer();
    const database = await emptyDatabase(kind);
    const lines = Array.from({ length: projects }, (_, index) =>
      project(index + 1, { title: `Kite ${index}`, text: 'paper '.repeat(200) }),
    );
    const site = await siteAt(database, { dump: dump(ada, ...lines) });
    const owner = await person(site, 'ada');
    // As 20 seconds later, when another process may begin.
    const endHold = () =>
      executeAlone(site.database)`update job set held_until = 0 where name = 'search index'`;
    let number = 0;
    const write = async () => {
      for (const end = number + writes; number < end; number++) {
        const path = `/api/v1/projects/${((number * 7919) % projects) + 1}/`;
        const response =
          number % 5 === 4
            ? await owner.delete(path)
            : await owner.patch(path, { title: `Written ${number}`, visibility: 'public' });
        expect([200, 204, 404]).toContain(response.status);
      }
    };
    const command = [await program(), 'changes', 'index', '--database', database];
    const environment = { VITRINE_SEARCH_ENGINE: engine.url };
    for (let kill = 0; kill < kills; kill++) {
      // Two at once every third time: the second one waits for the first.
      const fillers = [start(command, 'ignore', environment)];
      if (kill % 3 === 0) fillers.push(start(command, 'ignore', environment));
      for (const filler of fillers) {
        closeLater(async () => filler.kill('SIGKILL'));
        await filler.stderr.getReader().read();
      }
      const writing = write();
      await randomPause(700);
      for (const filler of fillers) filler.kill('SIGKILL');
      await Promise.all([writing, ...fillers.map(({ exited }) => exited)]);
      await endHold();
    }
    const index = (at: OpenSearchServer) =>
      vitrineIn({ VITRINE_SEARCH_ENGINE: at.url }, ...command.slice(1), '--once');
    expect(await index(engine)).toMatchObject({ code: 0, error: '' });
    const whole = new OpenSearchServer();
    expect(await index(whole)).toMatchObject({ code: 0, error: '' });
    expect(engine.documents.size).toBeGreaterThanOrEqual(projects - (kills * writes) / 5);
    expect(engine.documents).toEqual(whole.documents);

    const follower = start(command, 'ignore', environment);
    closeLater(async () => follower.kill('SIGKILL'));
    expect((await owner.patch('/api/v1/projects/1/', { title: 'Followed' })).status).toBe(200);
    await waitFor(() => JSON.stringify(engine.documents.get('1')).includes('followed'));
    follower.kill('SIGTERM');
    expect(await follower.exited).toBe(0);
  });
});
