// Where classes, collections, licences, erasures and notices meet.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { execute, executeAlone } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import type { Person } from '../support/person.ts';
import {
  at,
  copy,
  firstClass,
  idOf,
  lamp,
  type Made,
  make,
  openSchool,
  review,
  type School,
} from '../support/school.ts';
import { exportAll } from '../support/site.ts';

const kinds = async (person: Person) => {
  const { results } = await person.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/');
  return results.map(({ kind }) => kind);
};

const itemsFor = async (reader: Person) =>
  (await reader.json<{ project: number }[]>(`${at}${firstClass}/items/`)).map(({ project }) => project);

afterEach(() => void setSystemTime());

const dayMs = 24 * 3600_000;

/** Lets time pass to the next sweep of classes. */
async function sweepAfter({ site }: School, days: number): Promise<void> {
  setSystemTime(Date.now() + days * dayMs);
  await sweep(site.database, site.files);
}

onBothDatabases((kind) => {
  test('notices belong to an end: after another end, nobody is erased without two notices of it', async () => {
    const school = await openSchool(kind);
    const { olga } = school;
    const setEnd = (ends: string | null) => olga.patch(`${at}${firstClass}/`, { ends });
    expect((await setEnd(new Date(Date.now() + dayMs).toISOString())).status).toBe(200);
    for (const days of [2, 31]) await sweepAfter(school, days);
    expect((await kinds(olga)).filter((kind) => kind === 'ended')).toHaveLength(2);

    const key = await school.site.key('olga');
    const patch = (ends: string | null) =>
      school.site.request(`${at}${firstClass}/`, {
        method: 'PATCH',
        headers: { ...key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ends }),
      });
    expect((await patch(null)).status).toBe(200);
    await sweepAfter(school, 31);
    expect((await patch(new Date(Date.now() - 70 * dayMs).toISOString())).status).toBe(200);
    for (const [days, left] of [
      [1, true],
      [31, true],
      [29, true],
      [2, false],
    ] as const) {
      await sweepAfter(school, days);
      expect((await exportAll(school.site)).includes('"username":"kim"')).toBe(left);
    }
  });

  test('when nobody looks after a class any more, its notices reach the admins', async () => {
    const school = await openSchool(kind);
    const { site, olga, mo } = school;
    await olga.patch(`${at}${firstClass}/`, { ends: new Date(Date.now() + dayMs).toISOString() });
    await site.database.transaction(async (transaction) => {
      await execute(transaction)`update account set role = 'admin' where contributor = ${idOf('mo')}`;
      await execute(transaction)`update account set disabled = 1
        where contributor in (${idOf('olga')}, ${idOf('tess')})`;
    });
    await sweepAfter(school, 2);
    setSystemTime();
    expect(await kinds(mo)).toEqual(['ended']);
  });

  test('a notice that nobody gets does not count, and nobody is erased without two', async () => {
    const school = await openSchool(kind);
    const { site, olga, tess } = school;
    await olga.patch(`${at}${firstClass}/`, { ends: new Date(Date.now() + dayMs).toISOString() });
    const disable = (disabled: number | null) =>
      executeAlone(site.database)`update account set disabled = ${disabled}
        where contributor in (${idOf('olga')}, ${idOf('tess')})`;
    const isThere = async () => (await exportAll(site)).includes('"username":"kim"');
    await disable(1);
    for (const days of [2, 31, 31, 31]) await sweepAfter(school, days);
    expect(await isThere()).toBe(true);
    await disable(null);
    for (const [days, left] of [
      [1, true],
      [31, true],
      [31, false],
    ] as const) {
      await sweepAfter(school, days);
      expect(await isThere()).toBe(left);
    }
    setSystemTime();
    expect((await kinds(tess)).filter((kind) => kind === 'ended')).toHaveLength(2);
  });

  test('who takes a work out of a class can put it back, and a child learns that its work was taken out', async () => {
    const school = await openSchool(kind);
    const { kim, lee, tess } = school;
    const { id, html_url } = await make(kim, { visibility: 'class' });
    const path = new URL(html_url).pathname;
    expect((await kim.delete(`${at}${firstClass}/items/${id}/`)).status).toBe(204);
    expect(await itemsFor(lee)).toEqual([]);
    expect((await kim.open(path)).text).toContain('It is in no class: only you and moderators can see it.');
    const { uuid } = await kim.json<{ uuid: string }>(`${at}${firstClass}/`);
    expect((await kim.submit(`${path}collect/`, 'Save', { into: uuid })).status).toBe(303);
    expect(await itemsFor(lee)).toEqual([id]);
    expect((await kim.open(path)).text).toContain('Only the class and moderators can see it.');
    await kim.delete(`${at}${firstClass}/items/${id}/`);
    expect((await kim.post(`${at}${firstClass}/items/`, { project: id })).status).toBe(201);
    expect(await itemsFor(lee)).toEqual([id]);
    expect((await tess.delete(`${at}${firstClass}/items/${id}/`)).status).toBe(204);
    expect(await kinds(kim)).toEqual(['taken_out']);
  });

  test('unlisted work in a class is handed in, and who leaves is seen there no longer', async () => {
    const school = await openSchool(kind);
    const { ann, tess, lee } = school;
    const { id } = await make(ann, { visibility: 'class' });
    const unlisted = await make(ann, { visibility: 'class' });
    await ann.patch(`${at}${unlisted.id}/`, { visibility: 'unlisted' });
    await tess.patch(`${at}${firstClass}/`, { due: '2026-06-01T08:00:00Z' });
    const handIns = await tess.json<{ results: { username: string; works: { project: number }[] }[] }>(
      `${at}${firstClass}/hand-ins/`,
    );
    expect(JSON.stringify(handIns)).toContain(String(unlisted.id));
    expect(await itemsFor(lee)).toContain(id);
    expect((await ann.delete(`${at}${firstClass}/people/${idOf('ann')}/`)).status).toBe(204);
    expect(await itemsFor(lee)).toEqual([]);
    expect((await lee.get(`${at}${id}/`)).status).toBe(404);
  });

  test('people with a part in a public collection have a page, also if they have nothing listed', async () => {
    const school = await openSchool(kind);
    const { tom, bob, visitor } = school;
    const { id } = await make(tom, { title: 'Best of', content_type: 'collection' });
    const work = await make(bob, {});
    expect((await tom.put(`${at}${id}/people/${idOf('bob')}/`, { role: 'editor' })).status).toBe(204);
    await bob.patch(`${at}${work.id}/`, { visibility: 'private' });
    for (const name of ['tom', 'bob'] as const)
      expect((await visitor.browser.get(`/contributors/${idOf(name)}-${name}/`)).status).toBe(200);
    await tom.patch(`${at}${id}/`, { visibility: 'private' });
    for (const name of ['tom', 'bob'] as const)
      expect((await visitor.get(`/api/v1/contributors/${idOf(name)}/`)).status).toBe(404);
    expect((await bob.get(`${at}${id}/`)).status).toBe(200);
  });

  test('what the nearest licensed ancestor asks for holds over copies that state nothing', async () => {
    const school = await openSchool(kind);
    const { ann, bob, tom } = school;
    for (const license of ['CC-BY-4.0', 'MIT']) {
      const source = await make(ann, { license });
      const first = await copy(bob, source);
      await bob.patch(`${at}${first.id}/`, { license: null, visibility: 'public' });
      const second = await copy(tom, first);
      expect((await tom.patch(`${at}${second.id}/`, { license: 'CC0-1.0' })).status).toBe(400);
      expect(await tom.json(`${at}${second.id}/?include=source_license`)).toMatchObject({
        source_license: license,
      });
    }
  });

  test('an erased project is in nobody’s bookmarks', async () => {
    const school = await openSchool(kind);
    const { site, ann, bob } = school;
    expect((await bob.put(`/api/v1/me/bookmarks/${lamp}/`, {})).status).toBeLessThan(300);
    await ann.delete(`${at}${lamp}/`);
    await executeAlone(site.database)`update project set trashed = 1 where trashed is not null`;
    expect(await exportAll(site)).toContain('"type":"bookmark"');
    await sweep(site.database, site.files);
    expect(await exportAll(site)).not.toContain('"type":"bookmark"');
  });

  test('the page of a class offers nothing that is for works only', async () => {
    const school = await openSchool(kind);
    const { html_url } = await school.tess.json<Made>(`${at}${firstClass}/`);
    const path = new URL(html_url).pathname;
    for (const person of [school.tess, school.kim, school.mo]) {
      const page = await person.open(path);
      expect(
        page
          .attributesOf('form', 'action')
          .filter((action) => /(rate|rating|bookmark|follow|pin)\//.test(action)),
      ).toEqual([]);
    }
    expect((await school.kim.open(path)).text).not.toContain('No ratings yet');
    const refused = { detail: 'A class is neither rated nor bookmarked.' };
    const rated = await school.tess.put(`${at}${firstClass}/rating/`, { value: 5 });
    expect([rated.status, await rated.json()]).toEqual([403, refused]);
    const bookmarked = await school.kim.put(`/api/v1/me/bookmarks/${firstClass}/`, {});
    expect([bookmarked.status, await bookmarked.json()]).toEqual([403, refused]);
  });

  test('a child is offered no pin, which its page does not show', async () => {
    const { kim, ann } = await openSchool(kind);
    const offersPin = async (person: Person) => {
      const { html_url } = await make(person, { visibility: 'class' });
      const page = await person.open(new URL(html_url).pathname);
      return page.attributesOf('form', 'action').some((action) => action.endsWith('/pin/'));
    };
    expect([await offersPin(kim), await offersPin(ann)]).toEqual([false, true]);
  });

  test('a child is asked for no note on what it offers', async () => {
    const { kim, ann, bob, tess } = await openSchool(kind);
    const best = await make(bob, { title: 'Best of', content_type: 'collection', offers: 'open' });
    expect(await review(tess, await make(kim, { visibility: 'public' }))).toBe(200);
    const offer = `${new URL(best.html_url).pathname}offer/`;
    const asksForNote = async (person: Person) => {
      const page = await person.open(offer);
      return [
        page.textsOf('.pick label').length,
        page.attributesOf('textarea, input', 'name').includes('note'),
      ];
    };
    expect(await asksForNote(kim)).toEqual([1, false]);
    expect(await asksForNote(ann)).toEqual([1, true]);
    expect((await kim.submit(offer, 'Offer it', {})).status).toBe(400);
  });

  test('a remix is offered to those who may make it', async () => {
    const { kim, lee, tess, mo } = await openSchool(kind);
    const work = await make(lee, { visibility: 'class' });
    const isOffered = async (person: Person) =>
      (await person.open(new URL(work.html_url).pathname)).text.includes('Remix');
    for (const person of [lee, kim, tess]) expect(await isOffered(person)).toBe(true);
    expect(await isOffered(mo)).toBe(false);
    // Also with a class of their own.
    await make(mo, { title: 'Class 8c', content_type: 'collection', kind: 'class', visibility: 'class' });
    expect(await isOffered(mo)).toBe(false);
    expect((await mo.post(`${at}${work.id}/copy/`)).status).toBe(403);
  });

  test('a collection that is no class is for no class, and says so', async () => {
    const { kim, ann, site } = await openSchool(kind);
    const refused = await kim.post(at, { title: 'Best of', content_type: 'collection', visibility: 'class' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { visibility: ['"class" is not a valid choice.'] },
    ]);
    const own = await make(ann, { title: 'Best of', content_type: 'collection', visibility: 'private' });
    expect((await ann.patch(`${at}${own.id}/`, { visibility: 'class' })).status).toBe(400);
    await executeAlone(site.database)`update project set visibility = 'class' where id = ${own.id}`;
    expect((await ann.open(new URL(own.html_url).pathname)).textsOf('.notice')).toContain(
      'It is in no class: only you and moderators can see it.',
    );
    expect((await ann.patch(`${at}${own.id}/`, { title: 'Our best', visibility: 'class' })).status).toBe(200);
  });

  test('what a moderator writes to a child is read by its teachers, while they are its teachers', async () => {
    const school = await openSchool(kind);
    const { kim, mo, tess, olga, tom } = school;
    const work = await make(kim, { title: 'A boat', visibility: 'public' });
    const returned = { decision: 'return', reason: 'Please paint over the address.' };
    expect((await mo.post(`${at}${work.id}/review/`, returned)).status).toBe(200);
    type Notifications = { results: { kind: string; reason: string; contributor: number; action: string }[] };
    const told = async (person: Person) =>
      (await person.json<Notifications>('/api/v1/me/notifications/')).results
        .filter((notification) => notification.kind === 'told')
        .map(({ reason, contributor, action }) => [reason, contributor, action]);
    const expected = [['Please paint over the address.', idOf('kim'), 'sent_back']];
    for (const teacher of [tess, olga]) expect(await told(teacher)).toEqual(expected);
    for (const person of [kim, tom, mo]) expect(await told(person)).toEqual([]);
    const page = await tess.open('/account/notifications/');
    expect(page.text).toContain('kim of your class was told: A moderator sent a project back');
    expect(page.text).toContain('Please paint over the address.');
    await olga.delete(`${at}${firstClass}/people/${idOf('tess')}/`);
    expect([await told(tess), await told(olga)]).toEqual([[], expected]);
  });
});
