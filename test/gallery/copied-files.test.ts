// Files that a copy got from its source: they go when they are deleted where they were uploaded.

import { expect, test } from 'bun:test';
import sql, { raw } from 'sql-template-tag';
import { pick, select } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { findOrigins } from '../../src/core/migrations/from-0.1.0.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { mediaTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const dialects = {
  SQLite: { integer: 'integer', text: 'text' },
  PostgreSQL: { integer: 'bigint', text: 'text collate "C"' },
};

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'cy'),
  contributor(4, 'mo'),
  project(1),
  project(2, { contributor: 2 }),
);

/** Adds a file to a project and returns its path. */
async function upload(owner: Person, id: number, content: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content]), 'a.txt');
  const media = (await (await owner.post(`/api/v1/projects/${id}/media/`, form)).json()) as { url: string }[];
  return media.at(-1)?.url.replace('http://gallery.example', '') ?? '';
}

/** Makes a public copy and returns its id and the path of its page. */
async function copy(copier: Person, id: number): Promise<{ id: number; path: string }> {
  const { id: copyId, html_url } = (await (await copier.post(`/api/v1/projects/${id}/copy/`)).json()) as {
    id: number;
    html_url: string;
  };
  await copier.patch(`/api/v1/projects/${copyId}/`, { visibility: 'public' });
  return { id: copyId, path: html_url.replace('http://gallery.example', '') };
}

const statusOf = async (viewer: Person, path: string) => (await viewer.get(path)).status;
const filesOf = async (viewer: Person, id: number) =>
  (await viewer.json<{ name: string; position: number }[]>(`/api/v1/projects/${id}/media/`)).map(
    ({ position }) => position,
  );
const rows = (site: Site) =>
  site.database.all(select(pick(mediaTable.columns, 'project'), sql`from media order by project`));
const notice = 'is no longer here';
const hasNotice = async (site: Site, path: string) =>
  (await (await visitor(site).get(path)).text()).includes(notice);

/** As if the days in the trash had passed. */
async function emptyTrash(site: Site): Promise<void> {
  await site.database.transaction((transaction) =>
    transaction.run(sql`update project set trashed = 1 where trashed is not null`),
  );
  await sweep(site.database, site.files);
}

async function readDump({ database, files }: Site): Promise<string> {
  let text = '';
  await exportDump(database, files, async (lines) => {
    text += lines;
  });
  return text;
}

onBothDatabases((kind) => {
  test('a project in the trash takes its files along from copies, and brings them back', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, cy] = [await person(site, 'ada'), await person(site, 'bob'), await person(site, 'cy')];
    const path = await upload(ada, 1, 'the photo');
    const copied = await copy(bob, 1);
    const copyOfCopy = await copy(cy, copied.id);
    expect(await statusOf(visitor(site), path)).toBe(200);
    expect(await hasNotice(site, copied.path)).toBe(false);

    await ada.delete('/api/v1/projects/1/');
    for (const viewer of [visitor(site), bob, cy]) expect(await statusOf(viewer, path)).toBe(404);
    expect(await filesOf(bob, copied.id)).toEqual([]);
    expect(await hasNotice(site, copied.path)).toBe(true);
    await sweep(site.database, site.files);

    await ada.post('/api/v1/projects/1/restore/');
    expect(await statusOf(visitor(site), path)).toBe(200);
    expect(await filesOf(cy, copyOfCopy.id)).toEqual([1]);

    await ada.delete('/api/v1/projects/1/');
    await emptyTrash(site);
    expect(await rows(site)).toEqual([]);
    expect(await statusOf(bob, path)).toBe(404);
    expect(await hasNotice(site, copied.path)).toBe(true);
    expect(await hasNotice(site, copyOfCopy.path)).toBe(true);
    expect(await checkGallery(site.database, false)).toEqual([]);

    const exported = await readDump(site);
    expect(exported).toContain('"removed_files":1');
    const again = await siteOn(kind, { dump: exported });
    expect(await readDump(again)).toBe(exported);
    expect(await hasNotice(again, copied.path)).toBe(true);
  });

  test('whoever leaves and deletes everything takes the files along from copies', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const path = await upload(ada, 1, 'the photo');
    const copied = await copy(bob, 1);
    const own = await upload(bob, copied.id, 'a drawing');

    await ada.delete('/api/v1/me/', { items: 'delete' });
    expect([await statusOf(bob, path), await statusOf(visitor(site), own)]).toEqual([404, 200]);
    expect(await filesOf(bob, copied.id)).toEqual([2]);
    await sweep(site.database, site.files);
    expect(await filesOf(bob, copied.id)).toEqual([1]);
    expect(await rows(site)).toEqual([{ project: copied.id }]);
    expect(await hasNotice(site, copied.path)).toBe(true);
  });

  test('whoever leaves and keeps the projects leaves the files in copies', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const path = await upload(ada, 1, 'the photo');
    const copied = await copy(bob, 1);

    await ada.delete('/api/v1/me/', { items: 'keep' });
    await sweep(site.database, site.files);
    expect([await statusOf(visitor(site), path), await filesOf(bob, copied.id)]).toEqual([200, [1]]);
  });

  test('a file that is removed from its project goes from copies', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const path = await upload(ada, 1, 'the photo');
    const other = await upload(ada, 1, 'a drawing');
    const copied = await copy(bob, 1);
    await visitor(site).get(`/api/v1/projects/${copied.id}/?include=media`);

    await ada.delete('/api/v1/projects/1/media/1/');
    expect([await statusOf(bob, path), await statusOf(visitor(site), other)]).toEqual([404, 200]);
    const record = await visitor(site).json(`/api/v1/projects/${copied.id}/?include=media`);
    expect(JSON.stringify(record)).not.toContain(path);
    expect(JSON.stringify(record)).toContain(other);
    await sweep(site.database, site.files);
    expect(await filesOf(bob, copied.id)).toEqual([1]);
  });

  test('what a moderator removed is not served through copies, until it is restored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const moderator = await person(site, 'mo', { role: 'moderator' });
    const path = await upload(ada, 1, 'the photo');
    const copied = await copy(bob, 1);
    const own = await copy(ada, 1);

    await moderator.patch('/api/v1/projects/1/', { status: 3 });
    expect([await statusOf(visitor(site), path), await statusOf(bob, path)]).toEqual([404, 404]);
    expect([await filesOf(bob, copied.id), await filesOf(ada, own.id)]).toEqual([[], []]);
    await sweep(site.database, site.files);

    await moderator.patch('/api/v1/projects/1/', { status: 1 });
    expect([await statusOf(visitor(site), path), await filesOf(ada, own.id)]).toEqual([200, [1]]);
  });

  test('the same bytes that somebody else uploaded stay, and so do copies of one’s own', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, cy] = [await person(site, 'ada'), await person(site, 'bob'), await person(site, 'cy')];
    const path = await upload(ada, 1, 'the photo');
    await upload(bob, 2, 'the photo');
    const own = await copy(ada, 1);
    const copied = await copy(cy, 1);

    await ada.delete('/api/v1/projects/1/');
    await emptyTrash(site);
    expect(await rows(site)).toEqual([{ project: 2 }, { project: own.id }]);
    expect([await statusOf(visitor(site), path), await filesOf(cy, copied.id)]).toEqual([200, []]);
    expect(await filesOf(ada, own.id)).toEqual([1]);
  });

  test('an upgrade finds where the files of earlier copies were uploaded', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, cy] = [await person(site, 'ada'), await person(site, 'bob'), await person(site, 'cy')];
    await upload(ada, 1, 'the photo');
    const copied = await copy(bob, 1);
    await upload(bob, copied.id, 'a drawing');
    const copyOfCopy = await copy(cy, copied.id);
    const origins = () =>
      site.database.all(
        select(pick(mediaTable.columns, 'project', 'origin'), sql`from media order by project, number`),
      );
    const before = await origins();
    expect(before).toEqual([
      { project: 1, origin: null },
      { project: copied.id, origin: 1 },
      { project: copied.id, origin: null },
      { project: copyOfCopy.id, origin: 1 },
      { project: copyOfCopy.id, origin: copied.id },
    ]);

    // As in the version before.
    await site.database.transaction(async (transaction) => {
      for (const statement of ['update media set origin = null', ...findOrigins(dialects[kind])])
        await transaction.run(sql`${raw(statement)}`);
    });
    expect(await origins()).toEqual(before);
  });

  test('a dump knows where a copied file was uploaded', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const path = await upload(ada, 1, 'the photo');
    await copy(bob, 1);
    const exported = await readDump(site);
    expect(exported).toContain('"origin":1');

    const again = await siteOn(kind, { dump: exported });
    expect(await readDump(again)).toBe(exported);
    await (await person(again, 'ada')).delete('/api/v1/projects/1/');
    expect(await statusOf(await person(again, 'bob'), path)).toBe(404);
  });
});
