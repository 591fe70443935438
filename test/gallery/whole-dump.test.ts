// A gallery that moves by a dump goes on where it was: its history, its change log, its trash and its ids.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  exportAll,
  importInto,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const people = dump(adasLine, contributor(2, 'bob'), contributor(3, 'mo'));

interface Changes {
  readonly last: number;
  readonly results: readonly { sequence: number; action: string; id: number }[];
}

const changesSince = (viewer: Person, since: number) =>
  viewer.json<Changes>(`/api/v1/changes/?since=${since}&limit=1000`);

/** Projects of Ada's: 1 has versions, one of them redacted; 2 and 3 are in the trash; 4, with comments, is erased. */
async function createGallery(kind: Kind): Promise<Site> {
  const site = await siteOn(kind, { dump: people + dump(...[1, 2, 3, 4].map((id) => project(id))) });
  const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
  const mo = await person(site, 'mo', { role: 'moderator' });
  for (const text of ['Call me: q8xk5550123.', 'First.', 'Second.'])
    await ada.patch('/api/v1/projects/1/', { text });
  const { results } = await ada.json<{ results: { number: number }[] }>('/api/v1/projects/1/history/');
  await ada.post(`/api/v1/projects/1/history/${results[2]?.number}/redact/`);
  await bob.put('/api/v1/projects/1/rating/', { value: 5 });
  await bob.put('/api/v1/me/following/contributors/1/', {});
  await bob.put('/api/v1/me/following/tags/kites/', {});
  await bob.put('/api/v1/me/bookmarks/1/', {});
  await bob.post('/api/v1/projects/4/copy/');
  await bob.post('/api/v1/projects/4/comments/', { text: 'Well done: w7zk.' });
  await site.get('/content/uuid000000000000000001/a-project/');
  await ada.delete('/api/v1/projects/4/');
  await site.database.transaction((transaction) =>
    transaction.run(sql`update project set trashed = 1 where id = 4`),
  );
  await sweep(site.database, site.files);
  await ada.delete('/api/v1/projects/2/');
  await mo.delete('/api/v1/projects/3/');
  return site;
}

onBothDatabases((kind) => {
  const otherKind = kind === 'SQLite' ? 'PostgreSQL' : 'SQLite';

  test('the export of an import is the same to the letter, and the same on the other database', async () => {
    const site = await createGallery(kind);
    const exported = await exportAll(site);

    for (const copyKind of [kind, otherKind] as const) {
      const copy = await siteOn(copyKind, { dump: exported });
      expect(await exportAll(copy)).toBe(exported);
      expect(await checkGallery(copy.database, false)).toEqual([]);
    }
  });

  test('the history and the numbers of changes go on after a move', async () => {
    const site = await createGallery(kind);
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo')];
    const history = await ada.json('/api/v1/projects/1/history/');
    const seen = await changesSince(visitor(site), 0);

    const copy = await siteOn(otherKind, { dump: await exportAll(site) });
    const adaThere = ada.at(copy);
    expect(await adaThere.json('/api/v1/projects/1/history/')).toEqual(
      JSON.parse(JSON.stringify(history).replaceAll(site.address, copy.address)),
    );
    expect(await changesSince(visitor(copy), 0)).toEqual(seen);
    expect((await changesSince(mo.at(copy), seen.last)).results.map(({ action }) => action)).toEqual(
      (await changesSince(mo, seen.last)).results.map(({ action }) => action),
    );

    await adaThere.patch('/api/v1/projects/1/', { text: 'Third.' });
    const { results } = await changesSince(visitor(copy), seen.last);
    expect(results.map(({ action, id }) => [action, id])).toEqual([['changed', 1]]);
    expect(results[0]?.sequence).toBeGreaterThan(seen.last);
  });

  test('people restore their own trash after a move, and not what a moderator put there', async () => {
    const site = await createGallery(kind);
    const ada = await person(site, 'ada');
    await ada.key();
    const ownData = await (await ada.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(ownData.match(/"trashed_by":\d+/g)).toEqual(['"trashed_by":1']);

    const copy = await siteOn(otherKind, { dump: await exportAll(site) });
    const adaThere = ada.at(copy);
    expect((await adaThere.post('/api/v1/projects/3/restore/')).status).toBe(403);
    const restored = await adaThere.post('/api/v1/projects/2/restore/');
    expect([restored.status, await restored.json()]).toEqual([200, expect.objectContaining({ status: 1 })]);
  });

  test('what was deleted for good or redacted is not in a dump, and ids are not given again', async () => {
    const site = await createGallery(kind);
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    await ada.key();
    await bob.key();
    const last = await bob.post('/api/v1/projects/', { title: 'x9vq', visibility: 'private' });
    const { id } = (await last.json()) as { id: number };
    await bob.request('DELETE', '/api/v1/me/', { items: 'delete' });
    await sweep(site.database, site.files);

    const exported = await exportAll(site);
    expect(exported.match(/q8xk|w7zk|x9vq|"bob"/g)).toBe(null);
    const copy = await siteOn(otherKind, { dump: exported });
    const created = await ada.at(copy).post('/api/v1/projects/', { title: 'New' });
    expect(((await created.json()) as { id: number }).id).toBe(id + 1);
    expect((await copy.get(`/api/v1/projects/${id}/`)).status).toBe(404);
    expect(await copy.json('/api/v1/projects/?content_type=comment')).toMatchObject({ count: 0 });
  });

  test('a gallery with a change log of its own keeps it, and enters each line as imported', async () => {
    const exported = await exportAll(await createGallery(kind));
    const site = await siteOn(kind, { dump: dump(contributor(9, 'zoe')) });

    const { leftOutChanges } = await importInto(site, exported);
    expect(leftOutChanges).toBe(exported.match(/^\{"type":"change"/gm)?.length ?? 0);
    const { results } = await changesSince(visitor(site), 0);
    expect(results.map(({ action, id }) => [action, id])).toEqual([
      ['imported', 1],
      ['imported', 1],
    ]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  const change = (number: number) =>
    `{"type":"change","number":${number},"at":"2024-01-01T00:00:00Z","action":"left","kind":"contributor","subject":1}`;
  const refusals: [lines: string[], reason: string][] = [
    [[change(2), change(2)], ':2: number: must be higher than 2.'],
    [[adasLine, change(1)], ':2: changes must come before all other lines.'],
    [[change(1).replace('left', 'Left')], ':1: action: must be lower-case letters.'],
    [[change(1).replace('}', ',"version":{"id":1}}')], ':1: version: uuid: is missing.'],
    [[change(1).replace('}', ',"listed":false}')], ':1: listed: must be true, or left out.'],
  ];
  test('a change log that cannot be is refused', async () => {
    const site = await siteOn(kind);
    for (const [lines, reason] of refusals)
      expect(await refusalOf(importInto(site, dump(...lines)))).toContain(reason);
    expect(contentOf(await exportAll(site))).toBe('');
  });
});
