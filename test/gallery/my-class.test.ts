// What the people of a class open every day: each sees there what they may read, and nothing else.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, visitor } from '../support/person.ts';
import {
  at,
  change,
  collect,
  comment,
  firstClass,
  idOf,
  make,
  openSchool,
  review,
  say,
  secondClass,
  statuses,
} from '../support/school.ts';

const ofSecond = `/my-class/?class=${secondClass}`;

/** The titles of each part of the page. */
async function homeOf(person: Person, path = '/my-class/') {
  const page = await person.open(path);
  const titlesIn = (id: string) => page.textsOf(`section[aria-labelledby=${id}] .name`);
  return {
    heading: page.heading,
    own: titlesIn('own'),
    newest: titlesIn('newest'),
    comments: page.textsOf('section[aria-labelledby=comments] li > div > a'),
    notices: page.notices.map((notice) => notice.replace(/ (?=[.,])/g, '')),
  };
}

/** Who has the link in the menu, and what the page answers. */
const accessOf = async (person: Person) => [
  (await person.open('/')).hasLink('/my-class/'),
  (await person.browser.get('/my-class/')).status,
];

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('a child sees its own works, drafts first, what others say, and the newest of its class; a teacher what waits', async () => {
    const { kim, lee, sam, ann, tess, tom, mo } = await openSchool(kind);
    const kite = await make(kim, { title: 'A kite', visibility: 'class' });
    await make(kim, { title: 'A boat', status: 0 });
    await make(kim, { title: 'For all', visibility: 'public' });
    await make(kim, { title: 'A diary', visibility: 'private' });
    await make(lee, { title: 'A raft', visibility: 'class' });
    await make(lee, { title: 'Not ready', visibility: 'class', status: 0 });
    await make(lee, { title: 'Waits too', visibility: 'public' });
    await make(tom, { title: 'Rules of 7a', visibility: 'class' });
    await make(ann, { title: 'In no class', visibility: 'public' });
    await comment(lee, kite, 'It flies!');
    await comment(kim, kite, 'Yes, it does.');

    const [newest, waiting] = [['A raft', 'A kite'], ['2 works wait for a review']];
    const nothing = { own: [], comments: [], notices: [] };
    expect(await homeOf(kim)).toEqual({
      heading: 'Class 6b',
      own: ['A boat', 'For all', 'A kite'],
      newest: ['A raft'],
      comments: ['It flies!'],
      notices: [],
    });
    expect(await homeOf(lee)).toMatchObject({
      own: ['Not ready', 'Waits too', 'A raft'],
      newest: ['A kite'],
      comments: [],
    });
    expect(await homeOf(ann)).toEqual({ ...nothing, heading: 'Class 6b', newest });
    expect(await homeOf(tess)).toEqual({ ...nothing, heading: 'Class 6b', newest, notices: waiting });
    expect(await homeOf(tom)).toEqual({ ...nothing, heading: 'Class 7a', newest: ['Rules of 7a'] });
    expect(await homeOf(sam)).toEqual({ ...nothing, heading: 'Class 6b', newest });
    expect(await homeOf(sam, ofSecond)).toEqual({ ...nothing, heading: 'Class 7a', newest: ['Rules of 7a'] });
    for (const [person, path] of [
      [kim, ofSecond],
      [tom, `/my-class/?class=${firstClass}`],
      [mo, ofSecond],
      [kim, '/my-class/?class=x'],
    ] as const)
      expect([path, (await person.browser.get(path)).status]).toEqual([path, 404]);
  });

  test('a search is narrowed to a class by its people only, and finds what each of them may read', async () => {
    const { site, kim, lee, ann, tess, sam, tom } = await openSchool(kind);
    await make(kim, { title: 'A kite', visibility: 'class' });
    await make(kim, { title: 'A kite draft', visibility: 'class', status: 0 });
    await make(lee, { title: 'A kite that waits', visibility: 'public' });
    await make(ann, { title: 'A kite in no class', visibility: 'public' });
    const found = async (who: Person, collection: number) => {
      const page = await who.open(`/?search=kite&collection=${collection}`);
      const choices = (await who.open('/?search=kite')).textsOf('.filters option');
      return [choices, page.textsOf('.card .name')];
    };
    expect(await found(kim, firstClass)).toEqual([
      ['Any', 'Class 6b'],
      ['A kite draft', 'A kite'],
    ]);
    expect(await found(lee, firstClass)).toEqual([['Any', 'Class 6b'], ['A kite']]);
    expect(await found(tess, firstClass)).toEqual([['Any', 'Class 6b'], ['A kite']]);
    expect(await found(sam, secondClass)).toEqual([['Any', 'Class 6b', 'Class 7a'], []]);
    expect(await found(tom, firstClass)).toEqual([['Any', 'Class 7a'], []]);
    expect(await found(visitor(site), firstClass)).toEqual([[], []]);
  });

  test('what is removed, made private or taken out of the class is gone for the others', async () => {
    const { kim, lee, ann, tess, mo } = await openSchool(kind);
    const titles = ['Removed', 'Private', 'Taken out', 'In the trash', 'Stays'];
    const [removed, hidden, takenOut, trashed] = await Promise.all(
      titles.map((title) => make(kim, { title, visibility: 'class' })),
    );
    if (!removed || !hidden || !takenOut || !trashed) throw new Error('nothing was made');
    expect((await homeOf(lee)).newest.sort()).toEqual([...titles].sort());
    expect((await mo.patch(`${at}${removed.id}/`, { status: 3 })).status).toBe(200);
    await change(kim, hidden, { visibility: 'private' });
    expect((await kim.delete(`${at}${firstClass}/items/${takenOut.id}/`)).status).toBe(204);
    expect((await kim.delete(`${at}${trashed.id}/`)).status).toBe(204);
    for (const person of [lee, ann, tess]) expect((await homeOf(person)).newest).toEqual(['Stays']);

    const ofAnn = await make(ann, { title: 'By Ann', visibility: 'class' });
    expect((await homeOf(kim)).newest).toEqual(['By Ann']);
    expect((await tess.delete(`${at}${firstClass}/people/${idOf('ann')}/`)).status).toBe(204);
    expect((await homeOf(kim)).newest).toEqual([]);
    // The work of somebody who has left is for nobody there, whoever puts it back.
    expect(await collect(tess, firstClass, ofAnn)).toBe(400);
    expect((await homeOf(tess)).newest).toEqual(['Stays']);
  });

  test('work for the class that is to be for everybody stays there while it waits, with what is said about it', async () => {
    const { kim, lee, sam, ann, tess, tom, bob, visitor } = await openSchool(kind);
    const everybody = [kim, lee, sam, ann, tess, tom, bob, visitor];
    const inClass = [200, 200, 200, 200, 200, 404, 404, 404];
    const kite = await make(kim, { title: 'A kite', visibility: 'class' });
    expect(await change(kim, kite, { visibility: 'public' })).toEqual([200, 'public']);
    expect(await statuses(everybody, kite)).toEqual(inClass);
    expect((await homeOf(lee)).newest).toEqual(['A kite']);
    const path = new URL(kite.html_url).pathname;
    const page = await lee.open(path);
    expect(page.notices).toEqual([
      'This waits for a teacher. Until somebody has looked at it, only the class sees it.',
    ]);
    const { html_url: classPage } = await lee.json<{ html_url: string }>(`${at}${firstClass}/`);
    expect((await lee.open(new URL(classPage).pathname)).textsOf('.collection-works .card .name')).toEqual([
      'A kite',
    ]);
    await lee.submit(path, 'Post comment', { text: 'It flies!' });
    const answer = await comment(ann, kite, 'High up!');
    expect(answer.visibility).toBe('class');
    expect((await say(bob, kite, 'And me?')).status).toBe(400);
    expect((await homeOf(kim)).comments).toEqual(['High up!', 'It flies!']);
    expect(await statuses(everybody, answer)).toEqual(inClass);

    expect(await review(tess, kite)).toBe(200);
    expect(await statuses(everybody, kite)).toEqual(everybody.map(() => 200));
    expect(await statuses(everybody, answer)).toEqual(inClass);
  });

  test('work that was sent back, was never for the class or comes later is not in the class while it waits', async () => {
    const { kim, lee, ann, tess } = await openSchool(kind);
    const others = [lee, ann, tess];
    const kite = await make(kim, { title: 'A kite', visibility: 'class' });
    await change(kim, kite, { visibility: 'public' });
    const said = await comment(lee, kite, 'It flies!');
    expect(await review(tess, kite, 'return')).toBe(200);
    expect(await statuses(others, kite)).toEqual([404, 404, 404]);
    await change(kim, kite, { status: 1 });
    // Whoever looks at it reads what was said to the child.
    expect(await statuses(others, said)).toEqual([404, 404, 200]);
    const never = await make(kim, { title: 'A boat', visibility: 'public' });
    const later = await make(kim, {
      ...{
        title: 'A lamp',
        visibility: 'class',
        publish_at: new Date(Date.now() + 86_400_000).toISOString(),
      },
    });
    await change(kim, later, { visibility: 'public' });
    const link = await make(kim, { title: 'By link', visibility: 'class' });
    await change(kim, link, { visibility: 'unlisted' });
    for (const work of [kite, never, later, link])
      expect([work.title, ...(await statuses(others, work))]).toEqual([work.title, 404, 404, 200]);
    expect((await homeOf(lee)).newest).toEqual([]);
    // Its maker may give it to the class again.
    await change(kim, kite, { visibility: 'class' });
    expect(await statuses(others, kite)).toEqual([200, 200, 200]);
  });

  test('the link is for the people of a class, while the class is open to them', async () => {
    const { kim, sam, ann, tess, bob, mo, olga, visitor } = await openSchool(kind);
    const entry = await visitor.browser.get('/my-class/');
    expect([entry.status, entry.headers.get('Location')]).toEqual([303, '/sign-in/?next=%2Fmy-class%2F']);
    expect((await visitor.open('/')).hasLink('/my-class/')).toBe(false);
    for (const person of [kim, ann, tess, olga]) expect(await accessOf(person)).toEqual([true, 200]);
    for (const person of [bob, mo]) expect(await accessOf(person)).toEqual([false, 404]);

    await tess.delete(`${at}${firstClass}/people/${idOf('ann')}/`);
    expect(await accessOf(ann)).toEqual([false, 404]);
    await make(kim, { title: 'A kite', visibility: 'class' });
    expect((await olga.patch(`${at}${firstClass}/`, { visibility: 'private' })).status).toBe(200);
    expect(await accessOf(kim)).toEqual([false, 404]);
    expect((await homeOf(sam)).heading).toBe('Class 7a');
    expect(await accessOf(tess)).toEqual([true, 200]);
  });

  test('members hear once of a due time that is set, and each sees how it stands until then', async () => {
    const day = (time: string) => setSystemTime(new Date(`2030-${time}:00Z`));
    day('01-30T12:00');
    const { kim, lee, sam, ann, tess, olga, tom, bob } = await openSchool(kind);
    await lee.send('/account/notifications/settings/', {});
    const setDue = async (due: string | null) =>
      expect((await olga.patch(`${at}${firstClass}/`, { due })).status).toBe(200);
    const heard = async (person: Person) =>
      (await person.open('/account/notifications/')).textsOf('.rows li > div').map((text) => text.trim());
    await setDue('2030-02-01T14:00:00Z');
    await setDue('2030-02-01T14:00:00Z');
    const set = 'New Class 6b is due on 1 February 2030, 14:00 30 January 2030, 12:00';
    for (const person of [kim, sam, ann]) expect(await heard(person)).toEqual([set]);
    for (const person of [lee, tess, olga, tom, bob]) expect(await heard(person)).toEqual([]);
    day('01-30T12:30');
    await setDue('2030-02-01T15:00:00Z');
    expect(await heard(kim)).toEqual([
      'New Class 6b is due on 1 February 2030, 15:00 30 January 2030, 12:30',
    ]);

    const due = 'Due in 2 days: Friday, 1 February 2030, 15:00';
    const noticesOf = async (person: Person) => (await homeOf(person)).notices;
    expect(await noticesOf(kim)).toEqual([`${due} Yours is not handed in yet.`]);
    await make(lee, { title: 'A draft', status: 0, visibility: 'class' });
    const kite = await make(kim, { title: 'A kite', visibility: 'class' });
    expect(await noticesOf(kim)).toEqual([
      `${due} You have handed in A kite. Until then you can still change it.`,
    ]);
    const missing = `${due} 3 people have handed in nothing yet: ann, lee, sam`;
    for (const person of [tess, olga]) expect(await noticesOf(person)).toEqual([missing]);
    for (const person of [lee, ann])
      expect(await noticesOf(person)).toEqual([`${due} Yours is not handed in yet.`]);
    expect(await noticesOf(tom)).toEqual([]);

    day('02-01T15:00');
    expect([await noticesOf(kim), await noticesOf(tess)]).toEqual([[], []]);
    await setDue('2030-02-02T15:00:00Z');
    const next = 'Due tomorrow: Saturday, 2 February 2030, 15:00';
    expect(await noticesOf(kim)).toEqual([`${next} Yours is not handed in yet.`]);
    day('02-01T16:00');
    await change(kim, kite, { title: 'A better kite' });
    expect(await noticesOf(kim)).toEqual([
      `${next} You have handed in A better kite. Until then you can still change it.`,
    ]);
    await setDue(null);
    expect([await heard(kim), await noticesOf(kim)]).toEqual([[], []]);
    await setDue('2030-01-31T14:00:00Z');
    expect(await heard(kim)).toEqual([]);
  });

  test('"Make something for the class" leads to the form with the class chosen', async () => {
    const { kim, ann, bob } = await openSchool(kind);
    const chosenIn = async (person: Person, path: string) =>
      (await person.open(path)).attributesOf('input[name=visibility][checked]', 'value');
    for (const person of [kim, ann]) {
      expect((await person.open('/my-class/')).hasLink('/new/?visibility=class')).toBe(true);
      expect((await person.open('/new/?visibility=class')).hasLink('/new/photo/?visibility=class')).toBe(
        true,
      );
      expect(await chosenIn(person, '/new/photo/?visibility=class')).toEqual(['class']);
      expect(await chosenIn(person, '/new/photo/?visibility=private')).toEqual(['private']);
    }
    expect(await chosenIn(ann, '/new/photo/?visibility=everybody')).toEqual(['public']);
    expect(await chosenIn(ann, '/new/collection/?visibility=class')).toEqual(['public']);
    expect(await chosenIn(bob, '/new/photo/?visibility=class')).toEqual(['public']);
  });

  test('a class is neither rated nor kept nor shared', async () => {
    const { kim, ann, tess } = await openSchool(kind);
    const work = await make(ann, { title: 'A lantern', visibility: 'class' });
    const pathOf = async (id: number) =>
      new URL((await tess.json<{ html_url: string }>(`${at}${id}/`)).html_url).pathname;
    const offeredOn = async (person: Person, path: string) =>
      (await person.open(path)).textsOf('.actions :is(summary, legend, button.toggle)');
    const path = await pathOf(firstClass);
    for (const person of [kim, tess]) expect(await offeredOn(person, path)).toEqual([]);
    expect(await offeredOn(kim, await pathOf(work.id))).toEqual([
      'Rate this',
      'Bookmark',
      'Follow ann',
      'Share',
    ]);
  });
});
