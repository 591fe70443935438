// Review looks at the words that somebody is about to publish, and by whom, not at what is in a collection or where.

import { expect, test } from 'bun:test';
import { transact } from '../../src/core/changes/transact.ts';
import { changeSite } from '../../src/core/site/site-settings.ts';
import { onBothDatabases } from '../support/databases.ts';
import type { Person } from '../support/person.ts';
import { at, firstClass, idOf, lamp, type Made, make, openSchool, type School } from '../support/school.ts';
import { exportAll } from '../support/site.ts';

const exhibition = (maker: Person, members: object = {}) =>
  make(maker, { title: 'Exhibition', content_type: 'collection', ...members });

const put = async (person: Person, { id }: Made, project: number, note = '') =>
  (await person.post(`${at}${id}/items/`, { project, note })).status;

const notesFor = async (reader: Person, { id }: Made) =>
  (await reader.json<{ project: number; note: string }[]>(`${at}${id}/items/`)).map(({ note }) => note);

const status = async (reader: Person, { id }: Made) => (await reader.get(`${at}${id}/`)).status;

const review = async (reviewer: Person, { id }: Made, decision: 'approve' | 'return', reason?: string) =>
  (await reviewer.post(`${at}${id}/review/`, { decision, reason })).status;

const setReview = ({ site }: School, value: string) =>
  transact(site.database, null, (write) => changeSite(write, '', { review: value }));

const setEditor = (owner: Person, { id }: Made, editor: number) =>
  owner.put(`${at}${id}/people/${editor}/`, { role: 'editor' });

onBothDatabases((kind) => {
  test('adding, moving and taking out sends no collection back to review', async () => {
    const school = await openSchool(kind);
    const { mo, tess, kim, visitor } = school;
    const work = await make(kim, {});
    expect(await review(tess, work, 'approve')).toBe(200);
    const shown = await exhibition(mo);
    expect([await put(mo, shown, lamp), await put(mo, shown, work.id)]).toEqual([201, 201]);
    expect((await kim.delete(`${at}${shown.id}/items/${work.id}/`)).status).toBe(204);
    expect(await status(visitor, shown)).toBe(200);

    await setReview(school, 'all');
    const ofBob = await exhibition(school.bob);
    expect([ofBob.status, await review(mo, ofBob, 'approve')]).toEqual([5, 200]);
    await put(school.bob, ofBob, work.id);
    await put(school.bob, ofBob, lamp);
    await school.bob.patch(`${at}${ofBob.id}/items/${lamp}/`, { position: 1 });
    await school.bob.delete(`${at}${ofBob.id}/items/${work.id}/`);
    expect(await visitor.json(`${at}${ofBob.id}/items/`)).toMatchObject([{ project: lamp, position: 1 }]);
  });

  test('a note of somebody who is not trusted waits by itself, and is shown with its collection', async () => {
    const school = await openSchool(kind);
    const { mo, bob, ann, tess, visitor } = school;
    await setReview(school, 'all');
    const shown = await exhibition(mo, { offers: 'open' });
    await setEditor(mo, shown, idOf('bob'));
    const work = await make(ann, { text: `${'Long. '.repeat(400)}The end.` });
    await review(mo, work, 'approve');
    expect(await put(ann, shown, work.id, 'Please look')).toBe(201);
    expect((await mo.patch(`${at}${shown.id}/items/${work.id}/`, { state: 'included' })).status).toBe(200);
    expect(await put(bob, shown, lamp, 'Bright')).toBe(201);
    for (const reader of [visitor, tess]) expect(await notesFor(reader, shown)).toEqual(['', '']);
    for (const reader of [mo, bob]) expect(await notesFor(reader, shown)).toEqual(['Please look', 'Bright']);
    expect(await notesFor(ann, shown)).toEqual(['Please look', '']);
    expect(await status(visitor, shown)).toBe(200);

    expect(await review(bob, shown, 'approve')).toBe(403);
    const page = await mo.open('/moderation/waiting/');
    expect(page.textsOf('.waiting-parts li')).toEqual(['Please look by ann', 'Bright by bob']);
    expect((await mo.submit('/moderation/waiting/', 'Approve it Exhibition')).status).toBe(303);
    expect(await notesFor(visitor, shown)).toEqual(['Please look', 'Bright']);
    expect(await review(mo, shown, 'approve')).toBe(409);

    await bob.patch(`${at}${shown.id}/items/${lamp}/`, { note: 'Too bright' });
    expect(await notesFor(visitor, shown)).toEqual(['Please look', '']);
    expect(await review(mo, shown, 'return', 'Say it kindly.')).toBe(200);
    expect(await notesFor(bob, shown)).toEqual(['Please look', '']);
    expect(await (await mo.browser.get('/moderation/waiting/')).text()).not.toContain('Exhibition');
    expect((await ann.delete('/api/v1/me/', { items: 'delete' })).status).toBe(204);
    expect(await exportAll(school.site)).not.toContain('Please look');
  });

  test('the words of a section wait like a note, and end with it when they are returned', async () => {
    const school = await openSchool(kind);
    const { mo, bob, visitor, tess } = school;
    await setReview(school, 'all');
    const shown = await exhibition(mo);
    await setEditor(mo, shown, idOf('bob'));
    await put(mo, shown, lamp);
    const item = `${at}${shown.id}/items/${lamp}/`;
    const headingFor = async (reader: Person) =>
      (await reader.json<{ section_heading?: string }>(item)).section_heading;
    await bob.patch(item, { section_heading: 'Light', section_text: 'Of all kinds.' });
    for (const reader of [visitor, tess]) expect(await headingFor(reader)).toBeUndefined();
    for (const reader of [mo, bob]) expect(await headingFor(reader)).toBe('Light');
    const page = await mo.open('/moderation/waiting/');
    expect(page.textsOf('.waiting-parts li')).toEqual(['Light: Of all kinds. by bob']);
    expect(await review(mo, shown, 'approve')).toBe(200);
    expect(await headingFor(visitor)).toBe('Light');
    // The words of a moderator need no review, and what only moves keeps its author.
    await mo.patch(item, { section_heading: 'More light' });
    expect(await headingFor(visitor)).toBe('More light');
    await bob.patch(item, { section_text: 'Call me: 555.' });
    // One who changes the heading has not looked at the sentence.
    await mo.patch(item, { section_heading: 'Much light' });
    expect(await headingFor(visitor)).toBeUndefined();
    await bob.patch(item, { section_heading: 'Less light' });
    expect(await headingFor(visitor)).toBeUndefined();
    expect(await review(mo, shown, 'return', 'Say it kindly.')).toBe(200);
    expect(await headingFor(bob)).toBeUndefined();

    await mo.patch(`${at}${shown.id}/`, { visibility: 'private' });
    await bob.patch(item, { section_heading: 'Among us' });
    await mo.patch(`${at}${shown.id}/`, { visibility: 'public' });
    expect([await headingFor(visitor), await headingFor(bob)]).toEqual([undefined, 'Among us']);
  });

  test('an editor who is not trusted writes no words on an open collection of somebody else', async () => {
    const school = await openSchool(kind);
    const { mo, bob, visitor } = school;
    await setReview(school, 'first');
    const shown = await exhibition(mo);
    await setEditor(mo, shown, idOf('bob'));
    const refused = await bob.patch(`${at}${shown.id}/`, { title: 'Mine now', text: 'Read this.' });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        detail:
          'Everybody would see it at once, and what you publish is reviewed: ask the owner to write it.',
      },
    ]);
    expect(await visitor.json(`${at}${shown.id}/`)).toMatchObject({
      title: 'Exhibition',
      text: '',
      status: 1,
    });
    await mo.patch(`${at}${shown.id}/`, { visibility: 'private' });
    expect((await bob.patch(`${at}${shown.id}/`, { text: 'Not public.' })).status).toBe(200);
  });

  test('what waits shows all that will be public', async () => {
    const school = await openSchool(kind);
    const { tess, kim, olga } = school;
    const text = `${'A long story. '.repeat(200)}Her address is Mill Lane 4.`;
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'A story', text, alt: 'My house' }))
      form.set(name, value);
    form.set('file', new File(['Notes of kim'], 'kim-miller.txt', { type: 'text/plain' }));
    expect((await kim.request('POST', at, form)).status).toBe(201);
    const path = new URL((await tess.json<{ html_url: string }>(`${at}${firstClass}/`)).html_url).pathname;
    for (const reviewer of [tess, olga]) {
      const page = await reviewer.open(`${path}class/waiting/`);
      expect(page.text).toContain('Her address is Mill Lane 4.');
      expect(page.textsOf('.waiting-parts li').join()).toContain('kim-miller.txt');
    }
  });

  test('what is offered to a child, and written to it, is seen by its teachers', async () => {
    const school = await openSchool(kind);
    const { mo, tess, tom, kim, bob } = school;
    const mine = await exhibition(kim, { offers: 'open' });
    expect(await review(tess, mine, 'approve')).toBe(200);
    const work = await make(bob, {});
    expect(await put(bob, mine, work.id, 'Meet me at the lake')).toBe(201);
    for (const reader of [kim, tess]) expect(await notesFor(reader, mine)).toEqual(['Meet me at the lake']);
    expect(await notesFor(tom, mine)).toEqual([]);

    for (const members of [{ visibility: 'private' }, { status: 0 }]) {
      const hidden = await make(kim, members);
      const refused = await mo.post(`${at}${hidden.id}/comments/`, { text: 'Only for you' });
      expect([refused.status, await refused.json()]).toEqual([
        403,
        {
          detail:
            'A class looks after this person, and its teachers do not see this work: write where they see it.',
        },
      ]);
    }
  });

  test('a site that offers some types has collections and classes', async () => {
    const school = await openSchool(kind);
    await transact(school.site.database, null, (write) =>
      changeSite(write, '', { types: 'text,photo,question' }),
    );
    const { mo, kim } = school;
    expect((await exhibition(kim)).status).toBe(5);
    const made = await mo.post(at, {
      ...{ title: 'Class 8c', content_type: 'collection', kind: 'class', visibility: 'class' },
    });
    expect(made.status).toBe(201);
    expect((await mo.post(at, { title: 'A film', content_type: 'video' })).status).toBe(400);
  });
});
