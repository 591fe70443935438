// Hidden work stays with those for whom it was written when something beside it is opened, moved, copied or brought back.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { all, executeAlone, text } from '#sql';
import { transact } from '../../src/core/changes/transact.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { changeSite } from '../../src/core/site/site-settings.ts';
import { onBothDatabases } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { Person } from '../support/person.ts';
import {
  answerOf,
  at,
  change,
  collect,
  comment,
  copy,
  firstClass,
  idOf,
  lamp,
  type Made,
  make,
  notesFor,
  openSchool,
  review,
  type School,
  say,
  secondClass,
  status,
  statuses,
  upload,
} from '../support/school.ts';
import { exportAll, importInto } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

afterEach(() => void setSystemTime());

const setReview = ({ site }: School, review: 'first' | 'all') =>
  transact(site.database, null, (write) => changeSite(write, '', { review, review_works: '1' }));

async function erase({ site }: School, maker: Person, { id }: Pick<Made, 'id'>): Promise<void> {
  await maker.delete(`${at}${id}/`);
  await executeAlone(site.database)`update project set trashed = 1 where trashed is not null`;
  for (let round = 0; round < 3; round++) await sweep(site.database, site.files);
}

interface Brought {
  readonly title: string;
  readonly outcome: string;
  readonly url: string | null;
}

const copyStatus = async (who: Person, { id }: Pick<Made, 'id'>) =>
  (await who.post(`${at}${id}/copy/`)).status;

const hiddenAnswer = [403, 'This comment is not public yet, or is hidden: it cannot be answered.'];
const copyOfClass = [403, 'This was made for a class: it cannot be remixed outside.'];
const unseen =
  'A class looks after this person, and its teachers do not see this work: write where they see it.';

onBothDatabases((kind) => {
  test('nobody answers a comment that waits or is hidden, and an answer in a class stays there', async () => {
    const school = await openSchool(kind);
    const { kim, ann, tess, mo, tom, visitor } = school;
    const waiting = await comment(kim, { id: lamp }, 'I live in Elm Street 5');
    expect(waiting.status).toBe(5);
    for (const who of [tess, mo])
      expect(await answerOf(await say(who, waiting, 'Do not'))).toEqual(hiddenAnswer);
    const page = await tess.open(new URL(waiting.html_url).pathname);
    expect(page.attributesOf('form', 'action').filter((action) => action.endsWith('/comment/'))).toEqual([]);

    const work = await make(ann, { visibility: 'class' });
    await change(ann, work, { visibility: 'public' });
    const forClass = await comment(ann, work, 'For the class', { visibility: 'class' });
    const answer = await comment(tess, forClass, 'Get well soon');
    for (const made of [forClass, answer])
      expect(await statuses([tess, kim, visitor, tom], made)).toEqual([200, 200, 404, 404]);
    expect(await answerOf(await say(school.bob, work, 'For whom?', { visibility: 'class' }))).toEqual([
      400,
      'It is in no class of yours.',
    ]);
  });

  test('what is written anew on hidden work does not open with it, whichever member it is', async () => {
    const school = await openSchool(kind);
    const { tess, ann, visitor, kim } = school;
    const said = await comment(tess, { id: lamp }, 'Nice');
    await change(ann, { id: lamp }, { visibility: 'class' });
    await change(tess, said, { title: 'Kim is ill this week' });
    await change(ann, { id: lamp }, { visibility: 'public' });
    expect(await statuses([visitor, kim], said)).toEqual([404, 200]);
  });

  test('nobody writes to a child where its teachers do not see it, on its work or below its words', async () => {
    const school = await openSchool(kind);
    const { kim, mo, tess } = school;
    const work = await make(kim, { visibility: 'public' });
    const seen = await comment(mo, work, 'A question');
    const answer = await comment(kim, seen, 'My answer');
    const findForms = async () =>
      (await mo.open(new URL(work.html_url).pathname))
        .attributesOf('form', 'action')
        .filter((action) => action.endsWith('/comment/'));
    expect(await findForms()).toHaveLength(2);
    await change(kim, work, { visibility: 'private' });
    expect(await findForms()).toEqual([]);
    expect(await answerOf(await say(mo, answer, 'Between us'))).toEqual([403, unseen]);
    expect(await change(mo, seen, { text: 'Between us' })).toEqual([403, unseen]);
    expect(await change(mo, work, { text: 'Between us' })).toEqual([403, unseen]);
    expect(await change(tess, work, { text: 'x' })).toEqual([404, 'Not found.']);

    const show = await make(kim, { content_type: 'collection', visibility: 'public' });
    expect([await review(tess, show), await collect(kim, show.id, work)]).toEqual([200, 201]);
    const note = { note: 'Between us' };
    const items = `${at}${show.id}/items/`;
    expect(await answerOf(await mo.patch(`${items}${work.id}/`, note))).toEqual([403, unseen]);
    expect(await notesFor(kim, show.id)).toEqual(['']);
  });

  test('nobody copies for a class what the class does not read', async () => {
    const school = await openSchool(kind);
    const { site, kim, ann, olga, tess, lee } = school;
    const hidden = [
      await make(kim, { visibility: 'private' }),
      await make(kim, { visibility: 'class', status: 0 }),
      await make(kim, { visibility: 'public', status: 0 }),
      await make(kim, { visibility: 'public' }),
      await make(ann, { visibility: 'class' }),
      await make(kim, { visibility: 'class' }),
    ] as const;
    const [, , , waiting, narrowed, takenOut] = hidden;
    await change(ann, narrowed, { visibility: 'private' });
    expect((await kim.delete(`${at}${firstClass}/items/${takenOut.id}/`)).status).toBe(204);
    expect(await answerOf(await tess.post(`${at}${waiting.id}/copy/`))).toEqual(copyOfClass);
    const { database } = site;
    await executeAlone(database)`update account set role = 'moderator' where contributor = ${idOf('olga')}`;
    for (const work of hidden) {
      expect(await statuses([olga, lee], work)).toEqual([200, 404]);
      expect(await answerOf(await olga.post(`${at}${work.id}/copy/`))).toEqual(copyOfClass);
    }
    expect(await copyStatus(olga, await make(kim, { visibility: 'class' }))).toBe(201);
  });

  test('of two classes, a comment goes to the one that looks after its author, or the child to whom it is written', async () => {
    const { site, mo, tess, tom, sam, lee } = await openSchool(kind);
    const { database } = site;
    await executeAlone(
      database,
    )`update account set looked_after_by = ${secondClass} where contributor = ${idOf('sam')}`;
    const work = await make(sam, { visibility: 'class' });
    expect(await collect(sam, firstClass, work)).toBe(201);
    const toSam = await comment(mo, work, 'Well done');
    expect(await statuses([mo, sam, tom, tess, lee], toSam)).toEqual([200, 200, 200, 404, 404]);
    const ofLee = await comment(lee, work, 'From your guest class');
    expect(await statuses([sam, lee, tess], ofLee)).toEqual([200, 200, 200]);

    for (const [teacher, id] of [
      [tess, firstClass],
      [tom, secondClass],
    ] as const)
      expect(await collect(teacher, id, { id: lamp })).toBe(201);
    const ofSam = await comment(sam, { id: lamp }, 'For my class', { visibility: 'class' });
    expect(await statuses([sam, tom, tess, lee], ofSam)).toEqual([200, 200, 404, 404]);
  });

  test('notes of a class and of editors stay with its people when it is opened', async () => {
    const school = await openSchool(kind);
    const { olga, tess, kim, ann, bob, visitor, mo } = school;
    const work = await make(ann, { visibility: 'class' });
    expect(await collect(tess, firstClass, { id: lamp }, 'Kim was ill')).toBe(201);
    await change(ann, work, { visibility: 'public' });
    expect(await change(olga, { id: firstClass }, { visibility: 'public' })).toEqual([200, 'public']);
    expect(await notesFor(visitor, firstClass)).toEqual(['', '']);
    expect(await notesFor(kim, firstClass)).toContain('Kim was ill');

    const show = await make(bob, { content_type: 'collection', visibility: 'private' });
    expect((await bob.put(`${at}${show.id}/people/${idOf('ann')}/`, { role: 'editor' })).status).toBe(204);
    expect(await collect(ann, show.id, { id: lamp }, 'Ann to Bob only')).toBe(201);
    expect(await collect(bob, show.id, work, 'By Bob')).toBe(201);
    await change(bob, show, { visibility: 'public' });
    expect(await notesFor(visitor, show.id)).toEqual(['', 'By Bob']);
    expect(await notesFor(bob, show.id)).toEqual(['Ann to Bob only', 'By Bob']);
    await ann.patch(`${at}${show.id}/items/${lamp}/`, { note: 'For all' });
    expect(await notesFor(visitor, show.id)).toEqual(['For all', 'By Bob']);
    expect(await exportAll(school.site)).toContain('"note":"Kim was ill","state":"included"');
    expect(await notesFor(mo, firstClass)).toContain('Kim was ill');
  });

  test('a note on hidden work stays with the people of the collection when the work is opened', async () => {
    const { olga, tess, kim, lee, visitor } = await openSchool(kind);
    await change(olga, { id: firstClass }, { visibility: 'public' });
    const show = await make(tess, { content_type: 'collection' });
    const work = await make(kim, { visibility: 'public' });
    expect(await review(olga, work)).toBe(200);
    expect(await collect(tess, show.id, work)).toBe(201);
    await change(kim, work, { visibility: 'class' });
    const write = async (collection: number, note: string) =>
      (await tess.patch(`${at}${collection}/items/${work.id}/`, { note })).status;
    for (const { id } of [{ id: firstClass }, show]) expect(await write(id, 'Kim was ill')).toBe(200);
    await change(kim, work, { visibility: 'public' });
    expect(await review(olga, work)).toBe(200);
    for (const { id } of [{ id: firstClass }, show]) {
      expect(await notesFor(tess, id)).toEqual(['Kim was ill']);
      expect(await notesFor(visitor, id)).toEqual(['']);
    }
    expect(await notesFor(lee, firstClass)).toEqual(['Kim was ill']);
    expect(await write(show.id, 'For all')).toBe(200);
    expect(await notesFor(visitor, show.id)).toEqual(['For all']);
  });

  test('another class that shows a public work does not get what its maker narrows to their own', async () => {
    const school = await openSchool(kind);
    const { tom, ann, tess, kim } = school;
    await change(tom, { id: secondClass }, { visibility: 'public', offers: 'open' });
    expect(await collect(ann, secondClass, { id: lamp })).toBe(201);
    await tom.patch(`${at}${secondClass}/items/${lamp}/`, { state: 'included' });
    await change(ann, { id: lamp }, { visibility: 'class', text: 'For 6b only' });
    expect(await statuses([tom, tess, kim], { id: lamp })).toEqual([404, 200, 200]);
  });

  test('the class has what its owner makes for it, and what its maker narrows that a teacher had put there', async () => {
    const school = await openSchool(kind);
    const { olga, tess, kim, ann, lee } = school;
    const sheet = await make(olga, { visibility: 'class' });
    expect(await statuses([tess, kim, ann], sheet)).toEqual([200, 200, 200]);
    expect((await kim.get(`/api/v1/contributors/${idOf('olga')}/`)).status).toBe(200);
    expect(await collect(tess, firstClass, { id: lamp })).toBe(201);
    await change(ann, { id: lamp }, { visibility: 'class' });
    expect(await statuses([tess, lee], { id: lamp })).toEqual([200, 200]);
  });

  test('a class in the trash shows nobody its works', async () => {
    const school = await openSchool(kind);
    const { tom, sam } = school;
    const work = await make(sam, { visibility: 'class' });
    expect(await collect(sam, secondClass, work)).toBe(201);
    expect(await status(tom, work)).toBe(200);
    expect((await tom.delete(`${at}${secondClass}/`)).status).toBe(204);
    expect(await status(tom, work)).toBe(404);
    await tom.post(`${at}${secondClass}/restore/`);
    expect(await status(tom, work)).toBe(200);
  });

  test('a class that is a draft, removed or private shows its members nothing, and its teachers what they look after', async () => {
    const school = await openSchool(kind);
    const { olga, tess, tom, mo, kim, lee, ann } = school;
    const everybody = [mo, olga, tess, ann, lee, kim, tom];
    const [ours, waiting] = [
      await make(ann, { visibility: 'class' }),
      await make(kim, { visibility: 'public' }),
    ];
    const seen = async () => [
      await statuses(everybody, { id: firstClass }),
      await statuses(everybody, ours),
      await statuses(everybody, waiting),
      (await lee.get(`/api/v1/contributors/${idOf('kim')}/`)).status,
      await copyStatus(lee, ours),
    ];
    const open = [
      [200, 200, 200, 200, 200, 200, 404],
      [200, 200, 200, 200, 200, 200, 404],
      [200, 200, 200, 404, 404, 200, 404],
      200,
      201,
    ];
    expect(await seen()).toEqual(open);
    const hidden = [
      [200, 200, 200, 404, 404, 404, 404],
      [200, 200, 200, 200, 404, 404, 404],
      [200, 200, 200, 404, 404, 200, 404],
      404,
      404,
    ];
    for (const [who, hides, shows] of [
      [olga, { status: 0 }, { status: 1 }],
      [olga, { visibility: 'private' }, { visibility: 'class' }],
      [mo, { status: 3, reason: 'Spam' }, { status: 1 }],
    ] as const) {
      await change(who, { id: firstClass }, hides);
      expect(await seen()).toEqual(hidden);
      // A child goes on to make its work for the class.
      const made = await make(kim, { visibility: 'class' });
      expect(await statuses(everybody, made)).toEqual([200, 200, 200, 404, 404, 200, 404]);
      await change(who, { id: firstClass }, shows);
      expect(await statuses(everybody, made)).toEqual([200, 200, 200, 200, 200, 200, 404]);
    }
    expect(await seen()).toEqual(open);
    expect(await review(tess, waiting)).toBe(200);
  });

  test('the end of a removal opens nothing that its maker had not opened', async () => {
    const school = await openSchool(kind);
    const { mo, ann, kim, visitor } = school;
    for (const maker of [ann, kim]) {
      const draft = await make(maker, { visibility: 'public', status: 0 });
      expect(await change(mo, draft, { status: 3, reason: 'Spam' })).toEqual([200, 'public']);
      expect(await change(mo, draft, { status: 1 })).toEqual([403, 'Only who made it opens it to others.']);
      expect(await change(mo, draft, { status: 0 })).toEqual([200, 'public']);
      expect(await status(visitor, draft)).toBe(404);
    }
    expect(await change(mo, { id: lamp }, { status: 3, reason: 'Spam' })).toEqual([200, 'public']);
    expect(await change(mo, { id: lamp }, { status: 1 })).toEqual([200, 'public']);
  });

  test('a moderator brings no version back that fewer people could read', async () => {
    const school = await openSchool(kind);
    const { mo, kim, tess } = school;
    const work = await make(kim, { visibility: 'class', text: 'My address' });
    await change(kim, work, { visibility: 'public', text: 'Clean' });
    expect(await review(tess, work)).toBe(200);
    const history = await mo.open(`${new URL(work.html_url).pathname}history/`);
    expect(history.attributesOf('a', 'href').filter((href) => href.endsWith('/restore/'))).toEqual([]);
    const versions = await mo.json<{ results: { number: number }[] }>(`${at}${work.id}/history/`);
    const { number } = versions.results.at(-1) ?? {};
    const path = `${new URL(work.html_url).pathname}history/${number}/restore/`;
    expect((await mo.send(path, { since: '0' })).status).toBe(403);
  });

  test('an import opens nothing that was hidden here', async () => {
    const school = await openSchool(kind);
    const { site, kim, ann, mo, tess, visitor } = school;
    const [removed, waiting] = [
      await make(ann, { visibility: 'public' }),
      await make(kim, { visibility: 'public' }),
    ];
    expect(await review(tess, waiting)).toBe(200);
    const older = await exportAll(site);
    await importInto(site, older);
    await change(mo, removed, { status: 3, reason: 'Spam' });
    await change(kim, waiting, { text: 'Something else' });
    await change(ann, { id: lamp }, { visibility: 'private' });
    expect(await refusalOf(importInto(site, older))).toContain(`visibility: ${lamp} was hidden here.`);
    for (const made of [removed, waiting, { id: lamp }]) expect(await status(visitor, made)).toBe(404);
  });

  test('a new card ends the address of the feed too', async () => {
    const school = await openSchool(kind);
    const { kim, tess, site, olga } = school;
    const made = await kim.send('/account/notifications/feed/', {});
    const [feed] = /notifications\.atom\?code=[\w-]+/.exec(await made.text()) ?? [];
    expect((await site.get(`/${feed}`)).status).toBe(200);
    const { html_url } = await olga.json<Made>(`${at}${firstClass}/`);
    await tess.submit(`${new URL(html_url).pathname}class/${idOf('kim')}/`, 'New card');
    expect((await site.get(`/${feed}`)).status).toBe(404);
  });

  test('a guardian sees what their child has made, and not what others made for the class', async () => {
    const school = await openSchool(kind);
    const { kim, lee, tess, olga, visitor } = school;
    await copy(kim, await make(lee, { visibility: 'class', text: 'Words of Lee' }));
    const own = await make(kim, { visibility: 'class', text: 'Words of Kim' });
    await tess.patch(`${at}${firstClass}/items/${own.id}/`, { note: 'A note of Tess' });
    const { html_url } = await olga.json<Made>(`${at}${firstClass}/`);
    const cards = await tess.submit(`${new URL(html_url).pathname}class/${idOf('kim')}/`, 'New card');
    const codes = [...(await cards.text()).matchAll(/<p class="card-code">([\w-]+)<\/p>/g)].map(
      ([, code = '']) => code,
    );
    for (const code of codes) await visitor.browser.get(`/guardian/?code=${encodeURIComponent(code)}`);
    const page = await (await visitor.browser.get('/guardian/')).text();
    expect([page.includes('Words of Kim'), page.includes('Words of Lee')]).toEqual([true, false]);
    const bytes = Buffer.from(await (await visitor.browser.get('/guardian/zip/')).bytes()).toString('latin1');
    expect(['Words of Kim', 'Words of Lee', 'A note of Tess'].map((words) => bytes.includes(words))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('the copy of a teacher’s work is reviewed where it was made, and a class does not stand in for the site', async () => {
    const school = await openSchool(kind);
    const { sam, tom, tess, ann, mo, visitor } = school;
    const sheet = await make(tom, { visibility: 'class', text: 'Words of Tom' });
    const ofSam = await copy(sam, sheet);
    await change(sam, ofSam, { visibility: 'public', status: 1 });
    expect([await status(tess, ofSam), await review(tess, ofSam), await review(tom, ofSam)]).toEqual([
      404, 404, 200,
    ]);

    await setReview(school, 'first');
    const ofAnn = await copy(ann, await make(tess, { visibility: 'class' }));
    await change(ann, ofAnn, { visibility: 'public', status: 1 });
    expect([await review(tess, ofAnn), await review(mo, ofAnn), await status(visitor, ofAnn)]).toEqual([
      403, 200, 200,
    ]);
  });

  test('approvals of teachers make nobody trusted on the site', async () => {
    const school = await openSchool(kind);
    await setReview(school, 'first');
    const { kim, tess, visitor, site } = school;
    expect(await review(tess, await make(kim, { visibility: 'public' }))).toBe(200);
    const { html_url } = await tess.json<Made>(`${at}${firstClass}/`);
    await tess.submit(`${new URL(html_url).pathname}class/${idOf('kim')}/`, 'Hand over the account');
    const released = new Person(site, await site.signIn('kim'), 'kim');
    const next = await make(released, { visibility: 'public' });
    expect([next.status, await status(visitor, next)]).toEqual([5, 404]);
  });

  test('a child comes into another class through its own teachers and moderators', async () => {
    const { tom, mo, kim, lee, tess } = await openSchool(kind);
    const add = async (who: Person) =>
      (await who.put(`${at}${secondClass}/people/${idOf('kim')}/`, { role: 'member' })).status;
    await review(tess, await make(kim, { visibility: 'public' }));
    expect([await add(tom), await add(mo)]).toEqual([404, 204]);
    const { html_url } = await tom.json<Made>(`${at}${secondClass}/`);
    const shown = await tom.submit(`${new URL(html_url).pathname}class/`, 'Make a new link');
    const [join = ''] = /\/join\/\?code=[\w-]+/.exec(await shown.text()) ?? [];
    expect((await lee.submit(join, 'Join')).status).toBe(403);
  });

  test('what is written on the offer of a child is read by its teachers', async () => {
    const { kim, tess, bob } = await openSchool(kind);
    const work = await make(kim, { visibility: 'public' });
    await review(tess, work);
    const best = await make(bob, { content_type: 'collection', offers: 'open' });
    expect(await collect(kim, best.id, work)).toBe(201);
    await bob.patch(`${at}${best.id}/items/${work.id}/`, { state: 'declined', note: 'Write to me' });
    for (const reader of [kim, tess]) expect(await notesFor(reader, best.id)).toEqual(['Write to me']);
  });

  test('bringing back a copy does not tell whether hidden work is there', async () => {
    const school = await openSchool(kind);
    const { ann, lee } = school;
    const [hidden, gone] = [
      await make(lee, { visibility: 'class', title: 'Hidden' }),
      await make(lee, { visibility: 'class', title: 'Gone' }),
    ];
    const copies = [await copy(ann, hidden), await copy(ann, gone)];
    const zip = await (await ann.get('/api/v1/me/dump/?format=zip')).bytes();
    for (const made of copies) await erase(school, ann, made);
    await change(lee, hidden, { visibility: 'private' });
    await erase(school, lee, gone);
    const bring = async () => {
      const form = new FormData();
      form.set('file', new File([zip], 'own.zip', { type: 'application/zip' }));
      const { projects } = (await (await ann.post('/api/v1/me/import/', form)).json()) as {
        projects: { title: string; outcome: string; reasons: unknown }[];
      };
      return projects.filter(({ title }) => title !== 'A lamp');
    };
    const [ofHidden, ofGone] = await bring();
    expect({ ...ofHidden, title: 'Gone' }).toEqual(ofGone as NonNullable<typeof ofGone>);
    await change(lee, hidden, { visibility: 'class' });
    expect((await bring()).map(({ title, outcome }) => [title, outcome])).toEqual([
      ['Hidden', 'brought'],
      ['Gone', 'left_out'],
    ]);
  });

  test('nothing of an erased work stays with those who reviewed it, in hand-ins, or in what is brought back', async () => {
    const school = await openSchool(kind);
    const { kim, lee, ann, tess, olga, site } = school;
    setSystemTime(new Date('2030-01-31T13:00:00Z'));
    const work = await make(kim, { visibility: 'public', text: 'Umbrella' });
    await upload(kim, work, 'kim.txt', 'A secret of Kim');
    await tess.post(`${at}${work.id}/review/`, { decision: 'approve' }, { 'Idempotency-Key': 'approve-it' });
    const ofLee = await copy(lee, work);
    await change(lee, ofLee, { visibility: 'class', status: 1 });
    const forClass = await make(kim, {
      visibility: 'class',
      text: 'Only for the class, in many words of Kim',
    });
    const ofAnn = await copy(ann, forClass);
    const zip = await (await ann.get('/api/v1/me/dump/')).bytes();
    await erase(school, ann, ofAnn);
    const form = new FormData();
    form.set('file', new File([zip], 'own.zip', { type: 'application/zip' }));
    expect((await ann.post('/api/v1/me/import/', form)).status).toBe(200);
    expect(await exportAll(site)).toContain('in many words of Kim');

    await change(olga, { id: firstClass }, { due: '2030-01-31T14:00:00Z' });
    setSystemTime(new Date('2030-01-31T15:00:00Z'));
    await upload(lee, ofLee, 'lee.txt', 'Of Lee');
    const handIns = async () =>
      Buffer.from(await (await tess.get(`${at}${firstClass}/hand-ins/archive/`)).bytes()).toString('latin1');
    expect(await handIns()).toContain('A secret of Kim');
    for (const made of [work, forClass]) await erase(school, kim, made);
    const stored = await all(site.database, { response: text() })`from idempotency`;
    expect(stored.filter(({ response }) => response.includes('Umbrella'))).toEqual([]);
    expect(await handIns()).not.toContain('A secret of Kim');
    const exported = await exportAll(site);
    expect(exported).not.toContain(Buffer.from('A secret of Kim').toString('base64'));
    expect(exported).not.toContain('in many words of Kim');
  });

  test('what was erased, redacted or deleted comes back with no copy in a ZIP, however often it was copied', async () => {
    const school = await openSchool(kind);
    const { kim, lee, site } = school;
    const made: Made[] = [];
    for (const title of ['Erased', 'Redacted', 'Without file', 'Whole'])
      made.push(
        await make(lee, { visibility: 'class', title, text: `Lee made it of an umbrella: ${title}` }),
      );
    const copies: Made[] = [];
    for (const work of made) {
      await upload(lee, work, 'lee.txt', `A file of Lee: ${work.title}`);
      const ofCopy = await copy(kim, await copy(kim, work));
      await upload(kim, ofCopy, 'kim.txt', `A file of Kim: ${work.title}`);
      copies.push(ofCopy);
    }
    const zip = await (await kim.get('/api/v1/me/dump/?format=zip')).bytes();
    for (const { id } of copies) await kim.delete(`${at}${id}/`);
    const [erased, redacted, withoutFile, whole] = made as [Made, Made, Made, Made];
    await change(lee, redacted, { text: 'Lee made it.' });
    const { results } = await lee.json<{ results: { number: number; text: string }[] }>(
      `${at}${redacted.id}/history/`,
    );
    const version = results.findLast(({ text }) => text.includes('umbrella'))?.number;
    expect((await lee.post(`${at}${redacted.id}/history/${version}/redact/`)).status).toBe(204);
    expect((await lee.delete(`${at}${withoutFile.id}/media/1/`)).status).toBe(204);
    await erase(school, lee, erased);
    const form = new FormData();
    form.set('file', new File([zip], 'own.zip', { type: 'application/zip' }));
    const answer = (await (await kim.post('/api/v1/me/import/', form)).json()) as { projects: Brought[] };
    const takenBack = 'Its maker has taken it back.';
    const isHere = ({ outcome }: Brought) => outcome === 'already_here';
    expect(answer.projects.filter((project) => !isHere(project))).toMatchObject([
      { title: 'Erased', outcome: 'left_out', reasons: [takenBack] },
      { title: 'Redacted', outcome: 'left_out', reasons: [takenBack] },
      { title: 'Without file', outcome: 'brought', reasons: [`lee.txt: ${takenBack}`] },
      { title: 'Whole', outcome: 'brought', reasons: [] },
    ]);
    const filesOf = async (project: Brought | undefined) => {
      const { pathname } = new URL(project?.url ?? '');
      const { media } = await kim.json<{ media: { name: string }[] }>(`${pathname}?include=media`);
      return media.map(({ name }) => name);
    };
    const [last, lastButOne] = answer.projects.filter(({ outcome }) => outcome === 'brought').toReversed();
    expect([await filesOf(lastButOne), await filesOf(last)]).toEqual([['kim.txt'], ['lee.txt', 'kim.txt']]);
    await erase(school, lee, whole);
    expect(await filesOf(last)).toEqual(['kim.txt']);
    const exported = await exportAll(site);
    for (const { title } of [erased, redacted, whole])
      expect(exported).not.toContain(`of an umbrella: ${title}`);
    for (const { title } of [erased, withoutFile, whole])
      expect(exported).not.toContain(Buffer.from(`A file of Lee: ${title}`).toString('base64'));
  });

  test('late is what the class first saw later, and what came back from a review stays handed in', async () => {
    const { kim, lee, tess, olga } = await openSchool(kind);
    setSystemTime(new Date('2030-01-31T13:00:00Z'));
    const draft = await make(kim, { title: 'A draft', visibility: 'class', status: 0 });
    const work = await make(lee, { title: 'In time', visibility: 'class' });
    await change(olga, { id: firstClass }, { due: '2030-01-31T14:00:00Z' });
    setSystemTime(new Date('2030-01-31T18:00:00Z'));
    await change(kim, draft, { status: 1 });
    await change(lee, work, { visibility: 'public' });
    expect(await review(tess, work, 'return')).toBe(200);
    const handIns = await tess.json<{ title: string | null; late: boolean }[]>(
      `${at}${firstClass}/hand-ins/`,
    );
    expect(handIns.flatMap(({ title, late }) => (title === null ? [] : [[title, late]]))).toEqual([
      ['A draft', true],
      ['In time', false],
    ]);
  });

  test('the stream tells the people of a class of each other, as the list of changes does', async () => {
    const { kim, olga, visitor } = await openSchool(kind);
    await Promise.all([kim.key(), olga.key()]);
    const { sequence } = await kim.json<{ sequence: number }>('/api/v1/changes/head/');
    const stream = new EventReader(await kim.get(`/api/v1/changes/stream/?since=${sequence}`));
    expect((await olga.patch('/api/v1/me/', { first_name: 'Olga' })).status).toBe(200);
    const listOf = async (reader: Person) =>
      (await reader.json<{ results: object[] }>(`/api/v1/changes/?since=${sequence}`)).results;
    const listed = await listOf(kim);
    expect([listed.length, await listOf(visitor)]).toEqual([1, []]);
    expect((await stream.take(1)).map(({ data }): object => data)).toEqual(listed);
  });
});
