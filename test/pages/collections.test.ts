// The pages of collections: what each viewer sees of one, and the forms that fill, arrange and print it.

import { beforeAll, expect, spyOn, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import type { Query } from '#sql';
import { openBrowser, openWindow } from '../support/browser.ts';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { contributor, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';
import { waitForValue, whileUpToDate } from '../support/waiting.ts';

const collection = (id: number, members: Record<string, unknown> = {}) =>
  project(id, {
    title: `Show ${id}`,
    content_type: 'collection',
    kind: 'collection',
    offers: 'open',
    ...members,
  });

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  ...[1, 2, 3].map((id) => project(id, { title: `Lamp ${id}` })),
  project(4, { title: 'Secret', visibility: 'private' }),
  project(5, { title: 'Kite', contributor: 2 }),
  project(6, { title: 'By link', contributor: 2, visibility: 'unlisted' }),
  project(10, { title: 'Nice', contributor: 3, content_type: 'comment', parent: 1 }),
  collection(7, { title: 'Spring show' }),
  collection(9, { title: 'Closed', offers: 'closed' }),
);

const show = pathOf(7);
const items = '/api/v1/projects/7/items/';

async function openGallery(kind: Kind) {
  const site = await siteOn(kind, { dump: gallery });
  const people = await Promise.all(['ada', 'bob', 'cleo'].map((name) => person(site, name)));
  const [ada, bob, cleo] = people as [Person, Person, Person];
  return { site, ada, bob, cleo, anybody: visitor(site) };
}

async function fill(who: Person, projects: readonly number[], path = items) {
  for (const project of projects) await who.post(path, { project, note: `Note ${project}` });
}

const works = '.collection-works > .cards';
const titlesFor = async (who: Person, path = show) => (await who.open(path)).textsOf(`${works} .name`);
const openStatus = async (who: Person, path: string) => (await who.browser.get(path)).status;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

onBothDatabases((kind) => {
  test('a page shows the projects in order with their notes, and nothing of those that the viewer may not find', async () => {
    const { ada, bob, anybody } = await openGallery(kind);
    await fill(ada, [3, 4, 5, 1]);
    await ada.put('/api/v1/projects/7/people/2/', { role: 'editor' });
    await ada.put('/api/v1/projects/7/people/3/', { role: 'editor' });

    const page = await anybody.open(show);
    expect(page.textsOf(`${works} .name`)).toEqual(['Lamp 3', 'Kite', 'Lamp 1']);
    expect(page.textsOf('.card-note')).toEqual(['Note 3', 'Note 5', 'Note 1']);
    expect(page.textsOf('.collection-works .count')).toEqual(['3 projects']);
    const counted = async (type: string) => (await anybody.open(`/?content_type=${type}`)).textsOf('.count');
    expect([await counted('collection'), await counted('comment'), await counted('text')]).toEqual([
      ['2 collections'],
      ['1 comment'],
      ['4 projects'],
    ]);
    expect(page.textsOf('header > .byline')[0]).toStartWith('A ada with bob and cleo · ');
    expect(page.hasButton('Remix this')).toBe(false);
    expect(page.html).not.toContain('Secret');
    expect(page.jsonLd).toMatchObject({
      '@type': 'Collection',
      hasPart: [{ name: 'Lamp 3' }, { name: 'Kite' }, { name: 'Lamp 1' }],
    });
    expect(page.textsOf('.collection-works > .buttons a')).toEqual(['Offer one of yours']);
    expect((await ada.open(show)).textsOf('.collection-works > .buttons a')).toEqual([
      'Arrange',
      'Add one of yours',
      'People',
      'Labels to print',
    ]);
    expect(await titlesFor(ada)).toEqual(['Lamp 3', 'Secret', 'Kite', 'Lamp 1']);
    expect(await titlesFor(bob)).toEqual(['Lamp 3', 'Kite', 'Lamp 1']);

    const list = await anybody.open('/?content_type=collection');
    expect(list.textsOf('.card > .name')).toEqual(['Closed', 'Spring show']);
    expect(list.textsOf('.cabinet > .poster')).toEqual(['Lamp 3', 'Kite', 'Lamp 1']);
    expect((await anybody.open(`/content/${uuidOf(7)}/embed/`)).textsOf('.cabinet > .poster').length).toBe(3);
    const own = await anybody.open('/contributors/1-ada/?content_type=collection');
    expect(own.textsOf('.card > .name')).toEqual(['Closed', 'Spring show']);
    const filtered = await anybody.open('/?collection=7');
    expect(filtered.heading).toBe('In the collection Spring show');
    expect(filtered.textsOf('.card > .name')).toEqual(['Lamp 3', 'Kite', 'Lamp 1']);
    expect((await anybody.open('/wall/?collection=7')).textsOf('.card > .name')).toEqual([
      'Lamp 3',
      'Kite',
      'Lamp 1',
    ]);
    const feed = (await anybody.json('/feed.json?collection=7')) as { title: string; items: object[] };
    expect([feed.title, feed.items.length]).toEqual(['In the collection Spring show – Vitrine', 3]);

    expect((await anybody.open(pathOf(9))).textsOf('.empty')).toEqual(['Nothing is in it yet.']);
    expect((await anybody.open(pathOf(9))).textsOf('.collection-works > .buttons')).toEqual([]);
    expect((await ada.open(pathOf(9))).textsOf('.empty')[0]).toContain('Add to a collection');
    await ada.patch('/api/v1/projects/7/', { visibility: 'private' });
    for (const path of [show, `${show}arrange/`, `${show}offer/`, `${show}people/`, `${show}labels/`])
      expect([path, (await openStatus(anybody, path)) === 200]).toEqual([path, false]);
    expect((await anybody.open('/?collection=7')).html).not.toContain('Spring show');
  });

  test('the form arranges by numbers and buttons, saves notes, and takes out', async () => {
    const { ada, cleo, anybody } = await openGallery(kind);
    await fill(ada, [1, 2, 3, 5]);
    const arrange = `${show}arrange/`;
    expect(await openStatus(cleo, arrange)).toBe(403);
    expect(await openStatus(anybody, arrange)).toBe(303);

    expect(
      (await ada.submit(arrange, 'Save', { 'place-5': '1', 'note-1': 'First made.\nThen lit.' })).status,
    ).toBe(303);
    expect(await titlesFor(anybody)).toEqual(['Kite', 'Lamp 1', 'Lamp 2', 'Lamp 3']);
    expect((await anybody.open(show)).textsOf('.card-note')[1]).toBe('First made. Then lit.');

    const moved = await ada.submit(arrange, '↓ Down: Kite', { 'note-2': 'Broken.' });
    expect(moved.headers.get('Location')).toBe(`${arrange}?page=1#item-5`);
    await ada.submit(arrange, '⤒ To the top: Lamp 3');
    await ada.submit(arrange, '↑ Up: Lamp 2');
    expect(await titlesFor(anybody)).toEqual(['Lamp 3', 'Lamp 1', 'Lamp 2', 'Kite']);
    expect((await anybody.open(show)).textsOf('.card-note')[2]).toBe('Broken.');
    await ada.submit(arrange, 'Take out Lamp 1');
    expect(await titlesFor(anybody)).toEqual(['Lamp 3', 'Lamp 2', 'Kite']);
    expect((await ada.send(arrange, { out: '99' })).status).toBe(400);

    const wrong = (await ada.open(arrange)).fields;
    const refused = await ada.send(arrange, { ...wrong, 'place-2': '0', 'note-3': 'x'.repeat(501) });
    expect(refused.status).toBe(400);
    expect(await titlesFor(anybody)).toEqual(['Lamp 3', 'Lamp 2', 'Kite']);
  });

  test('the form begins sections, moves them with their projects, and ends them', async () => {
    const { ada, anybody } = await openGallery(kind);
    await fill(ada, [1, 2, 3, 5]);
    const arrange = `${show}arrange/`;
    const shown = async () =>
      (await anybody.open(show)).textsOf('.collection-works :is(.section-heading > *, .cards .name)');
    const begin = (heading: string, place: string, text = '') =>
      ada.submit(arrange, 'Save', {
        'heading-section-0': heading,
        'text-section-0': text,
        'place-section-0': place,
      });
    expect((await begin('Air', '4')).headers.get('Location')).toBe(`${arrange}?page=1`);
    await begin('Light', '2', 'Bright.');
    expect(await shown()).toEqual(['Lamp 1', 'Light', 'Bright.', 'Lamp 2', 'Lamp 3', 'Air', 'Kite']);

    await ada.submit(arrange, '↑ Up: Air');
    expect(await shown()).toEqual(['Lamp 1', 'Air', 'Kite', 'Light', 'Bright.', 'Lamp 2', 'Lamp 3']);
    await ada.submit(arrange, '↑ Up: Lamp 2');
    await ada.submit(arrange, '↓ Down: Lamp 1', { 'heading-section-1': 'In the air' });
    expect(await shown()).toEqual(['In the air', 'Lamp 1', 'Kite', 'Lamp 2', 'Light', 'Bright.', 'Lamp 3']);
    await ada.submit(arrange, 'Delete the section Light');
    expect(await shown()).toEqual(['In the air', 'Lamp 1', 'Kite', 'Lamp 2', 'Lamp 3']);
    const { fields } = await ada.open(arrange);
    expect((await ada.send(arrange, { ...fields, 'heading-section-1': '' })).status).toBe(400);
    await begin('Empty', '');
    expect(await shown()).toEqual(['In the air', 'Lamp 1', 'Kite', 'Lamp 2', 'Lamp 3']);
    expect((await ada.open(arrange)).html).toContain('value="Empty"');
  });

  test('of two who arrange at once, the second sees the new order and keeps what was typed', async () => {
    const { ada, cleo, anybody } = await openGallery(kind);
    await fill(ada, [1, 2, 3]);
    await ada.put('/api/v1/projects/7/people/3/', { role: 'editor' });
    const arrange = `${show}arrange/`;
    const form = (await cleo.open(arrange)).press('Save', { 'place-3': '1', 'note-3': 'Mine.' });
    await ada.submit(arrange, '↓ Down: Lamp 1');
    // A rating is no new order.
    await cleo.put('/api/v1/projects/7/rating/', { value: 5 });
    const response = await cleo.send(arrange, form.body);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('Somebody has arranged this in the meantime.');
    expect(html.indexOf('Lamp 2')).toBeLessThan(html.indexOf('Lamp 1'));
    expect(html).toContain('Mine.');
    expect(await titlesFor(anybody)).toEqual(['Lamp 2', 'Lamp 1', 'Lamp 3']);
  });

  test('a project is added to collections and a new one with a form, and its maker takes it out', async () => {
    const { site, ada, bob, cleo, anybody } = await openGallery(kind);
    const collect = `${pathOf(5)}collect/`;
    expect((await anybody.open(pathOf(5))).hasLink(collect)).toBe(false);
    expect((await ada.open(pathOf(5))).hasLink(collect)).toBe(true);
    for (const path of [show, pathOf(6)]) expect(await openStatus(ada, `${path}collect/`)).toBe(404);

    const values = { into: uuidOf(7), title: 'Best of 2026', note: 'It flies.' };
    expect((await ada.submit(collect, 'Save', values)).headers.get('Location')).toBe(
      `${pathOf(5)}#collections`,
    );
    const section = async (who: Person) =>
      (await who.open(pathOf(5))).textsOf('[aria-labelledby=collections] .name');
    expect(await section(anybody)).toEqual(['Best of 2026', 'Spring show']);
    expect(await titlesFor(anybody)).toEqual(['Kite']);
    const form = (await ada.open(collect)).document;
    expect(
      [...form.querySelectorAll('[name=into][checked]')].map((box) => box.getAttribute('value')).length,
    ).toBe(2);

    // Without the ticks it is taken out, and only of what the form had.
    await ada.send(collect, { was: uuidOf(7), note: '' });
    expect(await titlesFor(anybody)).toEqual([]);
    expect(await section(anybody)).toEqual(['Best of 2026']);

    await ada.send(collect, { into: uuidOf(7) });
    const withdraw = `${pathOf(5)}withdraw/?from=${uuidOf(7)}`;
    expect((await bob.open(collect)).hasLink(withdraw)).toBe(true);
    for (const who of [ada, cleo]) expect(await openStatus(who, withdraw)).toBe(404);
    expect((await bob.open(withdraw)).heading).toBe('Take Kite out of Spring show ?');
    await bob.submit(withdraw, 'Take out');
    expect(await titlesFor(anybody)).toEqual([]);
    expect((await ada.open(collect)).text).toContain('Its maker took it out.');
    expect((await ada.send(collect, { into: uuidOf(7) })).status).toBe(400);
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });

  test('people offer their own, take it back, and editors answer', async () => {
    const { ada, bob, cleo, anybody } = await openGallery(kind);
    const offer = `${show}offer/`;
    expect(await openStatus(anybody, offer)).toBe(303);
    expect(await openStatus(bob, `${pathOf(9)}offer/`)).toBe(403);
    expect((await bob.open(offer)).textsOf('.pick label')).toEqual(['Kite']);
    expect((await cleo.open(offer)).textsOf('.empty')[0]).toContain('You have no public project yet.');
    expect((await bob.send(offer, {})).status).toBe(400);
    expect((await bob.send(offer, { project: '1' })).status).toBe(403);

    await bob.submit(offer, 'Offer it', { project: '5', note: 'It flies.' });
    const own = await bob.open(show);
    expect(own.textsOf('.own-offers p')).toEqual(['You offered Kite . It waits for an answer.']);
    expect((await cleo.open(show)).html).not.toContain('Kite');
    await bob.submit(show, 'Take back Kite');
    await bob.submit(offer, 'Offer it', { project: '5', note: 'It flies.' });

    expect((await ada.open('/account/notifications/')).hasLink(`${show}arrange/`)).toBe(true);
    expect((await ada.open(show)).textsOf('.collection-works > .buttons a')[0]).toBe(
      'Arrange · 1 offer waits',
    );
    expect((await ada.open(`${show}arrange/`)).textsOf('.offers .with-cover')[0]).toEndWith(
      'Kite bob It flies.',
    );
    await ada.submit(`${show}arrange/`, 'Put it in Kite');
    expect(await titlesFor(anybody)).toEqual(['Kite']);
    expect((await bob.open(offer)).textsOf('.pick small')).toEqual(['is in it']);
    expect((await bob.open('/account/notifications/')).hasLink(pathOf(5))).toBe(true);
  });

  test('works are found and put in on the page that arranges them', async () => {
    const { ada, bob, anybody } = await openGallery(kind);
    const arrange = `${show}arrange/`;
    const found = async (words: string, who = ada) =>
      (await who.open(`${arrange}?find=${words}`)).textsOf('#put-in ~ .offers .name');
    expect(await found('lamp')).toEqual(['Lamp 3', 'Lamp 2', 'Lamp 1']);
    expect(await found('kite')).toEqual(['Kite']);
    // Nobody names to all what was shared by its link; comments and collections sit in none.
    for (const words of ['link', 'secret', 'nice', 'closed', '%25'])
      expect([words, await found(words)]).toEqual([words, []]);
    expect((await ada.open(`${arrange}?find=nothing`)).textsOf('.empty')).toContain('No projects found.');

    const put = await ada.submit(`${arrange}?find=kite`, 'Put it in Kite');
    expect([put.status, put.headers.get('Location')]).toEqual([303, `${arrange}?find=kite#put-in`]);
    expect([await titlesFor(anybody), await found('kite')]).toEqual([['Kite'], []]);
    expect((await ada.send(`${arrange}add/`, { project: '6' })).status).toBe(400);
    expect((await bob.send(`${arrange}add/`, { project: '5' })).status).toBe(403);
  });

  test('the owner names editors, who can leave', async () => {
    const { ada, bob, cleo } = await openGallery(kind);
    const people = `${show}people/`;
    for (const who of [bob, cleo]) expect(await openStatus(who, people)).toBe(403);
    expect((await ada.send(people, { username: 'nobody' })).status).toBe(400);
    expect((await ada.send(people, { username: 'ada' })).status).toBe(400);
    await ada.submit(people, 'Add as editor', { username: '@cleo' });
    expect(await openStatus(cleo, `${show}arrange/`)).toBe(200);
    expect((await cleo.open(people)).hasButton('Add as editor')).toBe(false);
    expect((await cleo.send(people, { username: 'bob' })).status).toBe(403);
    await cleo.submit(people, 'Leave');
    expect(await openStatus(cleo, people)).toBe(403);
    await ada.submit(people, 'Add as editor', { username: 'cleo' });
    await ada.submit(people, 'Remove cleo');
    expect((await ada.open(people)).textsOf('.rows .byline')).toEqual(['Owner']);
    expect(await openStatus(ada, `${pathOf(1)}people/`)).toBe(404);
  });

  test('a collection of 1,000 projects takes as many queries as one of 10, and is arranged across pages', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => index + 100);
    const line = (collection: number, project: number, position: number) =>
      JSON.stringify({
        type: 'collection_item',
        collection,
        project,
        position,
        note: '',
        state: 'included',
        added_by: 1,
        added: '2024-01-01T00:00:00.000000+00:00',
      });
    const site = await siteOn(kind, {
      dump: dump(
        contributor(1, 'ada'),
        ...many.map((id) => project(id, { title: `Lamp ${id}` })),
        collection(7),
        collection(9),
        ...many.map((id, index) => line(7, id, index + 1)),
        ...many.slice(0, 10).map((id, index) => line(9, id, index + 1)),
      ),
    });
    const ada = await person(site, 'ada');
    for (const page of ['', 'arrange/', 'labels/']) {
      const counts = [];
      for (const path of [pathOf(7), pathOf(9)]) {
        await ada.open(path + page);
        counts.push(await countQueries(site, () => ada.open(path + page)));
      }
      expect([page, counts[0]]).toEqual([page, counts[1] as number]);
    }
    expect(await titlesFor(ada, `${pathOf(7)}?items=42`)).toEqual(many.slice(984).map((id) => `Lamp ${id}`));
    for (const number of ['0', '43', 'x'])
      expect(await openStatus(ada, `${pathOf(7)}?items=${number}`)).toBe(404);

    const last = `${pathOf(7)}arrange/?page=10`;
    const labels = await ada.open(`${pathOf(7)}labels/?page=11`);
    expect([labels.textsOf('.label-title').length, labels.textsOf('.printed-code').length]).toEqual([40, 40]);
    expect((await ada.submit(last, 'Save', { 'place-1099': '1' })).status).toBe(303);
    expect((await titlesFor(ada, pathOf(7))).slice(0, 2)).toEqual(['Lamp 1099', 'Lamp 100']);
    expect((await ada.submit(last, '↑ Up: Lamp 1098')).status).toBe(303);
    expect((await titlesFor(ada, `${pathOf(7)}?items=42`)).slice(-2)).toEqual(['Lamp 1098', 'Lamp 1097']);
  });
});

test('the script moves projects by keys and by dragging, and says where they are', async () => {
  const { ada, anybody } = await openGallery('SQLite');
  await fill(ada, [1, 2, 3]);
  const page = await (await openWindow(browser, ada)).newPage();
  await page.goto(`${show}arrange/`);
  const order = () => page.locator('.own-items .name').allTextContents();
  await page.getByRole('button', { name: 'Move Lamp 1' }).press('ArrowDown');
  await waitForValue(order, ['Lamp 2', 'Lamp 1', 'Lamp 3']);
  expect(await page.locator('.visually-hidden[role=status]').textContent()).toContain('Lamp 1 2 / 3');
  const handle = await page.getByRole('button', { name: 'Move Lamp 3' }).boundingBox();
  const first = await page.locator('.own-items > li').first().boundingBox();
  if (!handle || !first) throw new Error('nothing to drag');
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(first.x + 50, first.y + 20, { steps: 10 });
  await page.mouse.up();
  await waitForValue(order, ['Lamp 3', 'Lamp 2', 'Lamp 1']);
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.waitForURL(`**${show}`);
  expect(await titlesFor(anybody)).toEqual(['Lamp 3', 'Lamp 2', 'Lamp 1']);
});

async function countQueries({ database }: Site, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const note = ({ statement }: Query<object>) => {
    if (!statement.sql.includes('from change')) count++;
  };
  const spies = [...new Set([database, database.slowReader])].flatMap((reader) => {
    const { all, first } = reader;
    return [
      spyOn(reader, 'all').mockImplementation((query) => {
        note(query);
        return all.call(reader, query) as never;
      }),
      spyOn(reader, 'first').mockImplementation((query) => {
        note(query);
        return first.call(reader, query) as never;
      }),
    ];
  });
  await whileUpToDate({ database }, work);
  for (const spy of spies) spy.mockRestore();
  return count;
}
