// A class when people leave or hide: what it keeps, and what its teachers see of what is written to its children.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { executeAlone } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { publishDueProjects } from '../../src/features/publish-later/publish-due.ts';
import { onBothDatabases } from '../support/databases.ts';
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
  openSchool,
  review,
  say,
  secondClass,
  status,
  statuses,
  upload,
} from '../support/school.ts';
import { exportAll, importInto, project } from '../support/site.ts';

afterEach(() => void setSystemTime());

interface Brought {
  readonly projects: { title: string; outcome: string; url: string | null }[];
}

const opened = [403, 'Only who made it opens it to others.'];
const unseen = [
  403,
  'A class looks after this person, and its teachers do not see this work: write where they see it.',
];

const clock = (time: string) => setSystemTime(new Date(`2030-01-31T${time}:00Z`));

const handedIn = async (reader: Person, collection: number) => {
  const list = await reader.json<{ title: string | null }[]>(`${at}${collection}/hand-ins/`);
  return list.flatMap(({ title }) => title ?? []);
};

const archiveOf = async (reader: Person, collection: number) =>
  Buffer.from(await (await reader.get(`${at}${collection}/hand-ins/archive/`)).bytes()).toString('latin1');

onBothDatabases((kind) => {
  test('another class gets no hand-in that its maker had narrowed to their own', async () => {
    const { sam, tess, tom } = await openSchool(kind);
    clock('12:00');
    const work = await make(sam, { title: 'For all', visibility: 'public' });
    await review(tess, work);
    expect(await collect(tom, secondClass, work)).toBe(201);
    clock('12:30');
    await change(sam, work, { visibility: 'class', title: 'Secret of 6b' });
    clock('13:30');
    await tom.patch(`${at}${secondClass}/`, { due: '2030-01-31T13:00:00Z' });
    await change(sam, work, { visibility: 'public', title: 'Clean' });
    await review(tess, work);
    expect(await handedIn(tom, secondClass)).toEqual(['For all']);
  });

  test('a work that comes into a class brings no version from before, which others saw or nobody', async () => {
    const { kim, lee, sam, tess, tom } = await openSchool(kind);
    clock('11:00');
    const works = [
      await make(sam, { title: 'Secret of 6b', text: 'Of 6b', visibility: 'class' }),
      await make(sam, { title: 'Also of 6b', text: 'Of 6b', visibility: 'class' }),
    ] as const;
    const [kite, boat] = [
      await make(kim, { title: 'Kite', visibility: 'class' }),
      await make(lee, { title: 'Boat', visibility: 'class' }),
    ];
    expect((await kim.delete(`${at}${firstClass}/items/${kite.id}/`)).status).toBe(204);
    clock('11:05');
    await change(kim, kite, { title: 'Diary', text: 'Of nobody' });
    expect(await statuses([tess, tom], kite)).toEqual([404, 404]);
    clock('11:10');
    for (const work of works) await change(sam, work, { status: 0, title: 'Clean', text: 'clean' });
    await change(kim, kite, { status: 0, title: 'Clean', text: 'clean' });
    await change(lee, boat, { title: 'Ship' });
    clock('11:20');
    for (const work of works) expect(await collect(sam, secondClass, work)).toBe(201);
    expect(await collect(kim, firstClass, kite)).toBe(201);
    await change(sam, works[1], { status: 1, title: 'Shown' });
    for (const [time, ofFirst] of [
      ['10:00', ['Boat', 'Secret of 6b', 'Also of 6b']],
      ['12:00', ['Ship', 'Secret of 6b', 'Shown']],
    ] as const) {
      clock('11:30');
      for (const [teacher, collection] of [
        [tess, firstClass],
        [tom, secondClass],
      ] as const)
        await teacher.patch(`${at}${collection}/`, { due: `2030-01-31T${time}:00Z` });
      clock('13:00');
      expect([await handedIn(tess, firstClass), await handedIn(tom, secondClass)]).toEqual([
        [...ofFirst],
        ['Shown'],
      ]);
      expect(await archiveOf(tess, firstClass)).not.toContain('Of nobody');
      expect(await archiveOf(tom, secondClass)).not.toContain('Of 6b');
    }
  });

  test('an offer that was accepted gives another class what is open, and nothing that its maker narrows', async () => {
    const { sam, bob, tess, tom, lee, olga, mo } = await openSchool(kind);
    clock('12:00');
    await tom.patch(`${at}${secondClass}/`, { offers: 'open' });
    await olga.patch(`${at}${firstClass}/`, { offers: 'open', visibility: 'public' });
    await mo.put(`${at}${secondClass}/people/${idOf('bob')}/`, { role: 'member' });
    const accept = async (teacher: Person, collection: number, { id }: Made) =>
      (await teacher.patch(`${at}${collection}/items/${id}/`, { state: 'included' })).status;
    const [accepted, answeredLate] = [await make(sam, { title: 'One' }), await make(sam, { title: 'Two' })];
    const ofBob = await make(bob, { title: 'Three' });
    for (const work of [accepted, answeredLate])
      expect([
        (await change(sam, work, { visibility: 'public' }))[0],
        await review(tess, work),
        await collect(sam, secondClass, work),
      ]).toEqual([200, 200, 201]);
    expect([await accept(tom, secondClass, accepted), await collect(bob, firstClass, ofBob)]).toEqual([
      200, 201,
    ]);
    expect(await accept(tess, firstClass, ofBob)).toBe(200);
    clock('12:30');
    for (const work of [accepted, answeredLate])
      await change(sam, work, { visibility: 'class', title: 'Secret of 6b' });
    await change(bob, ofBob, { visibility: 'class', title: 'Secret of 7a' });
    await mo.put(`${at}${firstClass}/people/${idOf('bob')}/`, { role: 'member' });
    const teachers = [tess, lee, tom];
    expect(await statuses(teachers, accepted)).toEqual([200, 200, 404]);
    expect(await statuses(teachers, ofBob)).toEqual([404, 404, 200]);
    clock('13:30');
    const due = '2030-01-31T13:00:00Z';
    for (const [teacher, collection] of [
      [tess, firstClass],
      [tom, secondClass],
    ] as const)
      await teacher.patch(`${at}${collection}/`, { due });
    for (const [maker, work] of [
      [sam, answeredLate],
      [sam, accepted],
      [bob, ofBob],
    ] as const)
      await change(maker, work, { visibility: 'public', title: 'Clean' });
    expect([await review(tess, answeredLate), await review(tess, accepted)]).toEqual([200, 200]);
    expect(await accept(tom, secondClass, answeredLate)).toBe(200);
    expect(await handedIn(tom, secondClass)).toEqual(['Secret of 7a', 'One', 'Two']);
    expect(await handedIn(tess, firstClass)).toEqual(['Three', 'Secret of 6b', 'Secret of 6b']);
  });

  test('a comment that waits tells its reviewers nothing of a project that they do not see', async () => {
    const { tess, mo, kim, bob, ann } = await openSchool(kind);
    const work = await make(bob, { title: 'Open', text: 'For all' });
    const answered = await comment(ann, work, 'A word', { text: 'Said by ann' });
    expect([(await comment(kim, work, 'Nice')).status, (await comment(kim, answered, 'Yes')).status]).toEqual(
      [5, 5],
    );
    const { html_url } = await tess.json<Made>(`${at}${firstClass}/`);
    const look = async (reader: Person, path: string) => {
      const page = await reader.open(path);
      return [page.textsOf('.reported h2'), page.textsOf('.answered')];
    };
    const [waiting, comments] = [`${new URL(html_url).pathname}class/waiting/`, ['Nice', 'Yes']];
    expect(await look(tess, waiting)).toEqual([
      comments,
      ['On Open For all by bob', 'On Open Said by ann by ann'],
    ]);
    await change(ann, answered, { visibility: 'private' });
    expect(await look(tess, waiting)).toEqual([comments, ['On Open For all by bob', 'On Open']]);
    await change(bob, work, { visibility: 'private', title: 'Diary' });
    expect(await look(tess, waiting)).toEqual([comments, []]);
    expect((await (await tess.browser.get(waiting)).text()).toLowerCase()).not.toContain('diary');
    expect(await look(mo, '/moderation/waiting/')).toEqual([
      comments,
      ['On Diary For all by bob', 'On Diary Said by ann by ann'],
    ]);
  });

  test('whoever looks sees in hand-ins what the teachers of the class see, and no title of a draft', async () => {
    const { site, olga, tess, mo, kim, lee } = await openSchool(kind);
    const start = Date.now();
    const [seen, drafted, hidden, removed] = (await Promise.all(
      ['Kite', 'Boat', 'Diary', 'Spam'].map((title) =>
        make(title === 'Kite' ? lee : kim, { visibility: 'class', title, text: `The text of ${title}` }),
      ),
    )) as [Made, Made, Made, Made];
    setSystemTime(start + 3600_000);
    await tess.patch(`${at}${firstClass}/`, { due: new Date(start + 1800_000).toISOString() });
    await change(lee, seen, { title: 'Big kite' });
    await change(kim, drafted, { status: 0, title: 'My crush' });
    await change(kim, hidden, { visibility: 'private' });
    await change(mo, removed, { status: 3, reason: 'Spam' });
    await executeAlone(
      site.database,
    )`update account set role = 'moderator' where contributor = ${idOf('olga')}`;
    const { pathname } = new URL((await tess.json<Made>(`${at}${firstClass}/`)).html_url);
    for (const teacher of [tess, olga, mo]) {
      expect((await handedIn(teacher, firstClass)).toSorted()).toEqual(['Boat', 'Kite']);
      const archive = await archiveOf(teacher, firstClass);
      const texts = ['Kite', 'Boat', 'Diary', 'Spam'].filter((title) =>
        archive.includes(`The text of ${title}`),
      );
      expect(texts).toEqual(['Kite', 'Boat']);
      const page = await teacher.open(`${pathname}hand-ins/`);
      expect(page.textsOf('.rows bdi').filter((text) => text === 'Boat' || text === 'Kite')).toHaveLength(2);
      expect(page.attributesOf('.rows a', 'href').map((href) => href.split('/').at(-2))).toEqual([
        'big-kite',
      ]);
    }
  });

  test('files that a class never saw are not handed in, and late work has its own', async () => {
    const { kim, lee, tess, olga } = await openSchool(kind);
    clock('13:00');
    const hidden = await make(kim, { title: 'A boat', visibility: 'class' });
    await change(kim, hidden, { status: 0 });
    await upload(kim, hidden, 'secret.txt', 'secret');
    await olga.patch(`${at}${firstClass}/`, { due: '2030-01-31T14:00:00Z' });
    clock('15:00');
    await upload(kim, hidden, 'other.txt', 'other');
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'Late', visibility: 'class' })) form.set(name, value);
    form.set('file', new File(['good'], 'good.txt', { type: 'text/plain' }));
    expect((await lee.post(at, form)).status).toBe(201);
    const draft = await make(kim, { title: 'Later', visibility: 'class', status: 0 });
    await upload(kim, draft, 'later.txt', 'later');
    await change(kim, draft, { status: 1 });

    const names = (await archiveOf(tess, firstClass)).match(/\w+\.txt/g) ?? [];
    expect([...new Set(names)].sort()).toEqual(['good.txt', 'later.txt']);
  });

  test('nobody writes to a child below unlisted work, which its teachers do not find', async () => {
    const { kim, tess, bob } = await openSchool(kind);
    const work = await make(kim, { visibility: 'class' });
    await change(kim, work, { visibility: 'unlisted' });
    await review(tess, work);
    const path = new URL(work.html_url).pathname;
    expect(await status(tess, work)).toBe(404);
    expect((await bob.open(path)).attributesOf('form', 'action')).not.toContain(`${path}comment/`);
    expect((await bob.send(`${path}comment/`, { text: 'Hello' })).status).toBe(403);
  });

  test('nobody answers a child below the unlisted work of somebody else', async () => {
    const { kim, tess, bob, mo, lee } = await openSchool(kind);
    const work = await make(bob, { visibility: 'unlisted' });
    const path = new URL(work.html_url).pathname;
    const posted = await kim.browser.submit(path, 'Post comment', { text: 'Hello' });
    const id = /#comment-(\d+)/.exec(posted.headers.get('Location') ?? '')?.[1];
    const said = await kim.json<Made>(`${at}${id}/`);
    expect([said.text, await review(tess, said)]).toEqual(['Hello', 200]);
    const formsFor = async (person: Person, page: string) =>
      (await person.open(page))
        .attributesOf('form', 'action')
        .filter((action) => action.endsWith('/comment/'));
    const own = new URL(said.html_url).pathname;
    for (const writer of [bob, mo]) {
      expect(await answerOf(await say(writer, said, 'Hello, kim'))).toEqual(unseen);
      expect([await formsFor(writer, path), await formsFor(writer, own)]).toEqual([[`${path}comment/`], []]);
    }

    // Where the teachers see it, people answer; not anew once it is hidden.
    await change(bob, work, { visibility: 'public' });
    const answer = await comment(bob, said, 'Hello, kim');
    expect(await status(tess, answer)).toBe(200);
    await change(bob, work, { visibility: 'unlisted' });
    expect(await change(bob, answer, { text: 'Between us' })).toEqual(unseen);
    const ofClass = await make(lee, { visibility: 'class' });
    const saidThere = await comment(kim, ofClass, 'Hello');
    expect(await status(kim, await comment(tess, saidThere, 'Well said'))).toBe(200);
  });

  test('in another class, its teachers answer a child', async () => {
    const { sam, tom, mo } = await openSchool(kind);
    const work = await make(tom, { visibility: 'class' });
    const said = await comment(sam, work, 'Hello');
    for (const writer of [tom, mo]) expect((await say(writer, said, 'Hello, sam')).status).toBe(201);
    const own = await make(sam, { visibility: 'private' });
    expect(await answerOf(await say(mo, own, 'Between us'))).toEqual(unseen);
  });

  test('a copy of what was made for a class is read in no other class that has it from a time when it was open', async () => {
    const { ann, sam, tess, tom, lee, mo } = await openSchool(kind);
    expect((await mo.put(`${at}${secondClass}/people/${idOf('ann')}/`, { role: 'teacher' })).status).toBe(
      204,
    );
    const source = await make(tess, { visibility: 'class' });
    for (const maker of [ann, sam]) {
      const remix = await copy(maker, source);
      await change(maker, remix, { visibility: 'public', status: 1 });
      expect([
        await review(tess, remix),
        await collect(maker === ann ? ann : tom, secondClass, remix),
      ]).toEqual([200, 201]);
      await change(maker, remix, { visibility: 'class', title: 'Of 6b' });
      expect(await statuses([tess, lee, tom], remix)).toEqual([200, 200, 404]);
      const said = await comment(mo, remix, 'For 6b');
      expect(await statuses([tess, lee, tom], said)).toEqual([200, 200, 404]);
      await tom.patch(`${at}${secondClass}/`, { due: new Date(Date.now() - 1000).toISOString() });
      expect(await handedIn(tom, secondClass)).not.toContain('Of 6b');
      await change(maker, remix, { visibility: 'public' });
      expect([await review(tess, remix), await status(tom, remix)]).toEqual([200, 200]);
    }
  });

  test('files of a draft and of private work are not handed in', async () => {
    const { kim, lee, tess, olga } = await openSchool(kind);
    clock('13:00');
    const [draft, hidden] = [
      await make(kim, { title: 'A boat', visibility: 'class' }),
      await make(lee, { title: 'A kite', visibility: 'class' }),
    ];
    await olga.patch(`${at}${firstClass}/`, { due: '2030-01-31T14:00:00Z' });
    await change(kim, draft, { status: 0 });
    await change(lee, hidden, { visibility: 'private' });
    await upload(kim, draft, 'diary.txt', 'My secret diary');
    await upload(lee, hidden, 'diary.txt', 'My hidden diary');
    clock('15:00');
    expect((await lee.delete(`${at}${hidden.id}/media/1/`)).status).toBe(204);
    await change(lee, hidden, { visibility: 'class' });
    const zip = await archiveOf(tess, firstClass);
    expect([
      zip.includes('A boat'),
      zip.includes('My secret diary'),
      zip.includes('My hidden diary'),
    ]).toEqual([true, false, false]);
  });

  test('nobody brings back onto waiting or removed work what fewer people could read', async () => {
    const { kim, ann, mo } = await openSchool(kind);
    for (const maker of [kim, ann]) {
      const work = await make(maker, { visibility: 'class', text: 'My address' });
      await change(maker, work, { visibility: 'public', text: 'Clean' });
      if (maker === ann) await change(mo, work, { status: 3, reason: 'Spam' });
      const versions = await mo.json<{ results: { number: number }[] }>(`${at}${work.id}/history/`);
      const path = `${new URL(work.html_url).pathname}history/${versions.results.at(-1)?.number}/restore/`;
      expect((await mo.send(path, { since: '0' })).status).toBe(403);
    }
    await change(ann, { id: lamp }, { text: 'Other' });
    expect(await change(mo, { id: lamp }, { history: 'public' })).toEqual(opened);
  });

  test('nobody writes to a child with files, notes and editors, or on work that no class has', async () => {
    const { kim, mo, tess } = await openSchool(kind);
    const hidden = await make(kim, { visibility: 'private' });
    const form = new FormData();
    form.set('file', new File(['Between us'], 'words.txt', { type: 'text/plain' }));
    expect(await answerOf(await mo.post(`${at}${hidden.id}/media/`, form))).toEqual(unseen);
    const own = await make(kim, { content_type: 'collection', visibility: 'private' });
    expect(await collect(kim, own.id, hidden)).toBe(201);
    const noted = await mo.patch(`${at}${own.id}/items/${hidden.id}/`, { note: 'Between us' });
    expect(await answerOf(noted)).toEqual(unseen);
    const editor = await mo.put(`${at}${own.id}/people/${idOf('bob')}/`, { role: 'editor' });
    expect(editor.status).toBe(403);
    const work = await make(kim, { visibility: 'class' });
    const said = await comment(mo, work, 'Seen by all');
    await kim.delete(`${at}${firstClass}/items/${work.id}/`);
    expect(await status(tess, work)).toBe(404);
    expect(await change(mo, said, { text: 'Between us' })).toEqual(unseen);
    expect(await change(mo, work, { text: 'Between us' })).toEqual(unseen);
  });

  test('teachers read the notes on the collection of a child that waits, as the child does', async () => {
    const { kim, mo, tess, tom, bob } = await openSchool(kind);
    const show = await make(kim, { content_type: 'collection', visibility: 'public', offers: 'open' });
    expect(await collect(mo, show.id, { id: lamp }, 'Well done')).toBe(201);
    const path = `${at}${show.id}/items/`;
    for (const reader of [kim, mo, tess])
      expect(await reader.json(path)).toMatchObject([{ project: lamp, note: 'Well done' }]);
    for (const reader of [tom, bob]) expect((await reader.get(path)).status).toBe(404);
  });

  test('an open class tells visitors nothing of work that only the class sees', async () => {
    const { olga, kim, lee, ann, tess, visitor } = await openSchool(kind);
    clock('13:00');
    await change(olga, { id: firstClass }, { visibility: 'public' });
    // There is no Last-Modified before its second is over.
    clock('13:01');
    const tagsFor = async (reader: Person) => {
      const answers = await Promise.all(
        ['', 'items/'].map((path) => reader.get(`${at}${firstClass}/${path}`)),
      );
      return answers.flatMap(({ headers }) => [headers.get('ETag'), headers.get('Last-Modified')]);
    };
    const [forAll, forLee] = [await tagsFor(visitor), await tagsFor(lee)];
    const work = await make(kim, { visibility: 'class' });
    expect(await tagsFor(visitor)).toEqual(forAll);
    expect(await tagsFor(lee)).not.toEqual(forLee);
    const [, ofLee] = [await make(ann, { visibility: 'class' }), await make(lee, { visibility: 'private' })];
    await change(lee, ofLee, { visibility: 'class' });
    expect((await kim.delete(`${at}${firstClass}/items/${work.id}/`)).status).toBe(204);
    expect(await collect(kim, firstClass, work)).toBe(201);
    expect((await tess.delete(`${at}${firstClass}/people/${idOf('ann')}/`)).status).toBe(204);
    expect(await tagsFor(visitor)).toEqual(forAll);
    expect(await collect(tess, firstClass, { id: lamp })).toBe(201);
    expect(await tagsFor(visitor)).not.toEqual(forAll);
  });

  test('the data of whoever owns a class names no work that they do not see', async () => {
    const { olga, kim, lee, ann } = await openSchool(kind);
    const [shown, hidden, withdrawn] = [
      await make(kim, { visibility: 'class' }),
      await make(lee, { visibility: 'class' }),
      await make(ann, { visibility: 'public' }),
    ];
    const own = await make(olga, { visibility: 'class' });
    expect(await collect(ann, firstClass, withdrawn)).toBe(403);
    expect(await collect(olga, firstClass, withdrawn)).toBe(201);
    expect((await ann.delete(`${at}${firstClass}/items/${withdrawn.id}/`)).status).toBe(204);
    await change(lee, hidden, { visibility: 'private' });
    await change(olga, own, { visibility: 'private' });
    const lines = (await (await olga.get('/api/v1/me/dump/?format=ndjson')).text()).split('\n');
    const items = lines.flatMap((line) => {
      const { type, project } = JSON.parse(line || '{}') as { type?: string; project?: number };
      return type === 'collection_item' ? [project] : [];
    });
    expect(items).toEqual([shown.id, own.id]);
  });

  test('who has left a class reads no more of what was said there', async () => {
    const { ann, lee, kim, tess } = await openSchool(kind);
    const work = await make(ann, { visibility: 'class' });
    const said = await comment(lee, work, 'For us');
    expect(await status(ann, said)).toBe(200);
    expect((await tess.delete(`${at}${firstClass}/people/${idOf('ann')}/`)).status).toBe(204);
    const { results } = await ann.json<{ results: object[] }>('/api/v1/me/notifications/');
    expect([await status(ann, said), results]).toEqual([404, []]);
    const own = await comment(kim, await make(lee, { visibility: 'class' }), 'Mine');
    await change(kim, own, { visibility: 'private' });
    expect(await statuses([kim, lee], own)).toEqual([200, 404]);
    expect((await kim.delete(`${at}${own.id}/`)).status).toBe(204);
  });

  test('work for a class that its maker has left is in no other class by itself', async () => {
    const school = await openSchool(kind);
    const { mo, tom, ann, sam, tess } = school;
    const path = (collection: number) => `${at}${collection}/people/${idOf('ann')}/`;
    const readers = [ann, mo, tess, sam, tom];
    const onlyOurs = await make(ann, { visibility: 'class', title: 'Ours' });
    expect((await mo.put(path(secondClass), { role: 'member' })).status).toBe(204);
    const both = await make(ann, { visibility: 'class', title: 'Both' });
    const seen = () => Promise.all([onlyOurs, both].map((work) => statuses(readers, work)));
    expect(await seen()).toEqual([
      [200, 200, 200, 200, 404],
      [200, 200, 200, 200, 200],
    ]);
    const bytes = await (await ann.get('/api/v1/me/dump/?format=zip')).bytes();
    expect((await ann.delete(path(firstClass))).status).toBe(204);
    const left = [
      [200, 200, 404, 404, 404],
      [200, 200, 404, 200, 200],
    ];
    expect(await seen()).toEqual(left);

    // Hidden and shown again, also in a remix of one's own, or brought back from a ZIP.
    for (const work of [onlyOurs, both]) {
      await change(ann, work, { visibility: 'private' });
      await change(ann, work, { visibility: 'class' });
    }
    expect(await seen()).toEqual(left);
    const remix = await copy(ann, onlyOurs);
    await change(ann, remix, { visibility: 'class' });
    expect(await statuses(readers, remix)).toEqual([200, 200, 404, 404, 404]);
    await ann.delete(`${at}${onlyOurs.id}/`);
    await executeAlone(school.site.database)`update project set trashed = 1 where trashed is not null`;
    await sweep(school.site.database, school.site.files);
    const form = new FormData();
    form.set('file', new File([bytes], 'own.zip'));
    const { projects } = (await (await ann.post('/api/v1/me/import/', form)).json()) as Brought;
    expect(projects.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['A lamp', 'already_here'],
      ['Ours', 'brought'],
      ['Both', 'already_here'],
    ]);
    const brought = { id: Number(/projects\/(\d+)\//.exec(projects[1]?.url ?? '')?.[1]) };
    expect(await change(ann, brought, { status: 1 })).toEqual([200, 'private']);
    expect(await statuses(readers, brought)).toEqual([200, 200, 404, 404, 404]);
    await change(ann, brought, { visibility: 'class' });
    expect(await statuses(readers, brought)).toEqual([200, 200, 404, 200, 200]);
  });

  test('what waits is opened by an approval alone', async () => {
    const { kim, mo, tess, visitor } = await openSchool(kind);
    const work = await make(kim, { visibility: 'public' });
    expect(await change(mo, work, { status: 2 })).toEqual(opened);
    await change(mo, work, { status: 3, reason: 'Spam' });
    expect(await change(mo, work, { status: 1 })).toEqual(opened);
    expect(await status(visitor, work)).toBe(404);
    const shown = await make(kim, { visibility: 'unlisted' });
    await review(tess, shown);
    await change(kim, shown, { visibility: 'public' });
    expect((await kim.json<Made>(`${at}${shown.id}/`)).status).toBe(5);
  });

  test('what a moderator makes a draft is published at its time only if it was approved', async () => {
    const { site, kim, mo, tess } = await openSchool(kind);
    clock('10:00');
    const publish_at = '2030-01-31T12:00:00Z';
    const ask = () => make(kim, { visibility: 'public', publish_at });
    const [put, fixed, changed, resent] = [await ask(), await ask(), await ask(), await ask()];
    const works = [put, fixed, changed, resent];
    clock('10:05');
    expect((await change(mo, put, { status: 0, publish_at }))[0]).toBe(200);
    for (const work of [fixed, changed, resent]) expect(await review(tess, work)).toBe(200);
    clock('10:10');
    await change(kim, changed, { text: 'My address' });
    await change(kim, resent, { text: 'My address' });
    clock('10:15');
    for (const work of [fixed, changed]) await change(mo, work, { title: 'A red kite' });
    const statusOf = async ({ id }: Made) => (await mo.json<Made>(`${at}${id}/`)).status;
    clock('12:00');
    await publishDueProjects(site.database);
    expect(await Promise.all(works.map(statusOf))).toEqual([5, 1, 5, 5]);
  });

  test('a comment for the class that its author has hidden is not answered', async () => {
    const { kim, lee, mo } = await openSchool(kind);
    const said = await comment(kim, await make(lee, { visibility: 'class' }), 'Sorry');
    await change(kim, said, { visibility: 'private' });
    expect((await say(mo, said, 'What did you say?')).status).toBe(403);
  });

  test('a comment for the class on open work is read by the class that has it, whoever put it there', async () => {
    const { kim, tess, lee, visitor } = await openSchool(kind);
    expect(await collect(tess, firstClass, { id: lamp })).toBe(201);
    const said = await comment(kim, { id: lamp }, 'For us', { visibility: 'class' });
    expect(await statuses([kim, tess, lee, visitor], said)).toEqual([200, 200, 200, 404]);
  });

  test('what was offered to the class is in it once its maker narrows it', async () => {
    const { ann, olga, tess, lee } = await openSchool(kind);
    await olga.patch(`${at}${firstClass}/`, { offers: 'open' });
    expect(await collect(ann, firstClass, { id: lamp })).toBe(201);
    await change(ann, { id: lamp }, { visibility: 'class' });
    expect(await statuses([tess, lee], { id: lamp })).toEqual([200, 200]);
  });

  test('an import of something else leaves the notes and comments of an open class as they are', async () => {
    const { site, olga, tess, bob, visitor } = await openSchool(kind);
    await change(olga, { id: firstClass }, { visibility: 'public' });
    expect(await collect(tess, firstClass, { id: lamp }, 'For all')).toBe(201);
    const said = await comment(bob, { id: firstClass }, 'A nice class');
    await importInto(site, project(900, { contributor: idOf('bob') }));
    await sweep(site.database, site.files);
    expect(await exportAll(site)).toContain('"note":"For all","state":"included"');
    const items = await visitor.json<{ note: string }[]>(`${at}${firstClass}/items/`);
    expect([items.map(({ note }) => note), await status(visitor, said)]).toEqual([['For all'], 200]);
  });

  test('trust outlives the moderator who gave it', async () => {
    const { site, ann, mo, olga } = await openSchool(kind);
    const admin = new Person(site, await site.signIn('bob', { role: 'admin' }), 'bob');
    await admin.send('/admin/site/', { review: 'first', review_works: '1' });
    const first = await make(ann, { visibility: 'public' });
    expect([first.status, await review(mo, first)]).toEqual([5, 200]);
    await executeAlone(
      site.database,
    )`update account set role = 'contributor' where contributor = ${idOf('mo')}`;
    expect((await make(ann, { visibility: 'public' })).status).toBe(1);
    expect((await make(olga, { visibility: 'public' })).status).toBe(5);
  });
});
