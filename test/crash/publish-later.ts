// Drafts that are published at their time, by servers that are killed at that time.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { openGallery } from '../../src/core/open-gallery.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { waitFor } from '../support/waiting.ts';

const drafts = 30;

onBothDatabases((kind) => {
  test('two servers that are killed around the minute publish each draft once', async () => {
    const address = await emptyDatabase(kind);
    const options = ['--database', address];
    const first = await serve(...options);
    const second = await serve(...options);
    await vitrineWithInput('correct horse battery\n', 'user', 'add', 'ada', ...options);
    const { out } = await vitrine('key', 'add', 'ada', 'test', 'write', ...options);
    const headers = { Authorization: `Token ${out.trim()}`, 'Content-Type': 'application/json' };
    const publish_at = new Date(Date.now() + 3_600_000).toISOString();
    for (let number = 1; number <= drafts; number++) {
      const body = JSON.stringify({ title: `Draft ${number}`, publish_at });
      const made = await fetch(`${first.address}/api/v1/projects/`, { method: 'POST', headers, body });
      expect(made.status).toBe(201);
    }
    const countAt = async (address: string) => {
      const response = await fetch(`${address}/api/v1/projects/?page_size=1`);
      return ((await response.json()) as { count: number }).count;
    };
    expect(await countAt(second.address)).toBe(0);

    // As if that hour had passed.
    const gallery = await openGallery(address);
    await gallery.transaction((transaction) => transaction.run(sql`update project set publish_at = 1`));
    await makeJobsDue({ database: gallery });

    await waitFor(async () => (await countAt(second.address)) > 0);
    await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')]);
    await makeJobsDue({ database: gallery });
    await gallery.close();
    const third = await serve(...options);
    const fourth = await serve(...options);
    await waitFor(async () => (await countAt(third.address)) === drafts);
    for (let id = 1; id <= drafts; id++) {
      const response = await fetch(`${fourth.address}/api/v1/projects/${id}/history/`, { headers });
      const { results } = (await response.json()) as { results: { status: number }[] };
      expect(results.map(({ status }) => status)).toEqual([1, 0]);
    }
    await Promise.all([third.stop(), fourth.stop()]);
  });
});
