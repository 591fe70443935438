// `changes publish`: the stream of NATS has every change once and in order, whatever is killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { all, integer } from '#sql';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, filesFolder, onBothDatabases } from '../support/databases.ts';
import { areMissing } from '../support/engines.ts';
import { Nats } from '../support/nats.ts';
import { galleryWithOldChanges } from '../support/old-changes.ts';
import { person } from '../support/person.ts';
import { program } from '../support/program.ts';
import { start, vitrine } from '../support/server.ts';
import { type Site, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { scaled } from './size.ts';

const isMissing = areMissing('NATS');

/** Two of three are in the feed, and 10,000 in the archive. */
const changes = 12_000;
const restarts = scaled(6);
const site = 'https://gallery.example.org';

const commandFor = ({ address, folder }: Pick<Site, 'address' | 'folder'>, nats: Nats) => [
  ...['changes', 'publish', '--nats', nats.address, '--public-url', site],
  ...['--database', address, '--files', folder],
];

/** Kills the publisher at any moment, after it has published at least so many. */
async function killWhilePublishing(command: string[], nats: Nats, count: number) {
  const before = await nats.size();
  const publisher = start(command, 'ignore');
  closeLater(async () => publisher.kill('SIGKILL'));
  await waitFor(async () => (await nats.size()) >= before + count);
  await randomPause(30);
  publisher.kill('SIGKILL');
  await publisher.exited;
}

const numbersOf = async ({ database }: Site): Promise<number[]> =>
  (
    await all(database, { sequence: integer() })`from change
      where kind in ('project', 'rating', 'contributor') order by sequence`
  ).map(({ sequence }) => sequence);

test.skipIf(isMissing)('mistakes of the operator get a sentence and exit code 2', async () => {
  const address = await emptyDatabase('SQLite');
  const gallery = await siteAt(address, { dump: galleryWithOldChanges(100) });
  const nats = await Nats.start();
  const run = (...more: string[]) => vitrine(...commandFor(gallery, nats), '--once', ...more);
  await using open = await nats.connect();
  expect(await run()).toMatchObject({ code: 0, error: '' });

  const older = await siteAt(await emptyDatabase('SQLite'), { dump: galleryWithOldChanges(50) });
  expect(await vitrine(...commandFor(older, nats))).toEqual({
    code: 2,
    out: '',
    error:
      'vitrine: The stream vitrine ends with a change 100 that this gallery does not have, perhaps because it was restored from a backup: delete the stream to publish all changes again, or choose another --nats-prefix.\n',
  });
  expect(await vitrine(...commandFor(older, nats), '--once', '--nats-prefix', 'sites.older')).toMatchObject({
    code: 0,
  });
  expect((await nats.read('sites-older')).numbers).toEqual(await numbersOf(older));

  const { streams } = await jetstreamManager(open.connection);
  await streams.purge('vitrine');
  expect((await run()).error).toContain('The messages of the stream vitrine were deleted');
  await streams.add({ name: 'other', subjects: ['other.>', 'more'] });
  expect(await run('--nats-prefix', 'other')).toMatchObject({
    code: 2,
    error:
      'vitrine: The stream other must have the subject other.> and no other: choose another --nats-prefix.\n',
  });
  await nats.kill();
  expect(await run()).toMatchObject({
    code: 2,
    error: `vitrine: The NATS server at 127.0.0.1:${nats.port} cannot be used: connection refused.\n`,
  });
});

onBothDatabases((kind) => {
  test.skipIf(isMissing)('kills of the publisher and of NATS lose no change, and double none', async () => {
    const address = await emptyDatabase(kind);
    const gallery = await siteAt(address, { dump: galleryWithOldChanges(changes) });
    const expected = await numbersOf(gallery);
    // The first are published from the archive.
    const options = ['--database', address, '--files', filesFolder(address)];
    const archived = await vitrine('changes', 'archive', '--keep-changes', '400d', ...options);
    expect(archived.out).toContain('changes moved into');
    const nats = await Nats.start();
    const command = [await program(), ...commandFor(gallery, nats)];

    // First without kills, into another stream.
    expect(await vitrine(...command.slice(1), '--once', '--nats-prefix', 'whole')).toMatchObject({
      code: 0,
      out: `${expected.length} changes published.\n`,
    });
    expect((await nats.read('whole')).numbers).toEqual(expected);

    let kills = 0;
    for (; (await nats.size()) < expected.length * 0.6; kills++)
      await killWhilePublishing(command, nats, Math.ceil((Math.random() * expected.length) / scaled(10)));
    const publisher = start(command, 'ignore');
    closeLater(async () => publisher.kill('SIGKILL'));
    let reports = '';
    const reading = (async () => {
      for await (const bytes of publisher.stderr) reports += new TextDecoder().decode(bytes);
    })();
    await waitFor(() => reports !== '');
    const hasPublished = (share: number) =>
      waitFor(async () => (await nats.size()) >= expected.length * share);
    for (let restart = 0; restart < restarts; restart++) {
      await hasPublished(0.65 + (0.25 * restart) / restarts);
      await nats.kill();
      await randomPause(500);
      await nats.restart();
    }
    await hasPublished(1);
    expect((await nats.read()).numbers).toEqual(expected);

    const ada = await person(gallery, 'ada');
    expect((await ada.patch('/api/v1/projects/2/', { title: 'Published' })).status).toBe(200);
    await waitFor(async () => (await nats.size()) === expected.length + 1);
    const { numbers, last } = await nats.read();
    const mo = await person(gallery, 'mo', { role: 'moderator' });
    const since = `/api/v1/changes/?since=${(numbers.at(-1) ?? 0) - 1}&limit=1`;
    const [body] = (await (await mo.get(since)).json()).results;
    const url = `${site}/api/v1/projects/2/`;
    expect(last).toEqual({
      body: { ...body, url },
      subject: 'vitrine.project.changed',
      id: expect.stringMatching(new RegExp(`^[0-9a-f]{16}-${body.sequence}$`)),
    });

    publisher.kill('SIGTERM');
    expect(await publisher.exited).toBe(0);
    await reading;
    const [begin, ...later] = reports.trimEnd().split('\n');
    expect(begin).toMatch(/^Changes after \d+ are published into the stream vitrine\.$/);
    console.log(
      `${kind}: ${expected.length} changes; ${kills} kills of the publisher, ${restarts} of NATS; ${later.length} reports.`,
    );
    const isExpected = (line: string) =>
      /^Changes (cannot be published, and wait: .*|are published again)\.$/.test(line);
    expect(later.filter((line) => !isExpected(line))).toEqual([]);
  });
});
