// Collections: what is in them, in which order, who arranges them, and who learns of what.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { contributor, dump, exportAll, importInto, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

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
  project(6, { title: 'Of bob alone', contributor: 2, visibility: 'private' }),
  project(8, { title: 'Comment', content_type: 'comment', parent: 1 }),
  project(10, { title: 'Nice', contributor: 3, content_type: 'comment', parent: 1 }),
  collection(7),
  collection(9, { offers: 'closed' }),
);

const items = '/api/v1/projects/7/items/';

const open = async (kind: 'SQLite' | 'PostgreSQL') => {
  const site = await siteOn(kind, { dump: gallery });
  const people = await Promise.all(['ada', 'bob', 'cleo'].map((name) => person(site, name)));
  const [ada, bob, cleo] = people as [Person, Person, Person];
  return { site, ada, bob, cleo, anybody: visitor(site) };
};

const add = async (who: Person, project: number, note?: string, path = items) => {
  const response = await who.post(path, { project, ...(note !== undefined && { note }) });
  return response.status === 201 ? 201 : [response.status, await response.json()];
};
const orderFor = async (who: Pick<Person, 'json'>, query = '') =>
  (await who.json<{ project: number; position: number; note: string; state: string }[]>(items + query)).map(
    ({ project, position, note, state }) =>
      [project, position, note, state === 'included' ? '' : state].filter(Boolean).join(' '),
  );
const listed = async (who: Pick<Person, 'json'>, query: string) =>
  (await who.json<{ results: { id: number }[] }>(`/api/v1/projects/?fields=id&${query}`)).results.map(
    ({ id }) => id,
  );
const kindsOf = async (who: Person) =>
  (await who.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/')).results.map(
    ({ kind }) => kind,
  );

onBothDatabases((kind) => {
  test('a collection has its projects in its order, and each viewer finds those that they find anyway', async () => {
    const { ada, bob, anybody } = await open(kind);
    for (const id of [3, 4, 5, 1]) expect(await add(ada, id, `Note ${id}`)).toBe(201);
    expect(await orderFor(ada)).toEqual(['3 1 Note 3', '4 2 Note 4', '5 3 Note 5', '1 4 Note 1']);
    expect(await orderFor(anybody)).toEqual(['3 1 Note 3', '5 2 Note 5', '1 3 Note 1']);
    expect(await listed(anybody, 'collection=7')).toEqual([3, 5, 1]);
    expect(await listed(ada, 'collection=7')).toEqual([3, 4, 5, 1]);
    expect(await listed(anybody, 'collection=7&ordering=-title')).toEqual([3, 1, 5]);
    expect(await listed(anybody, 'collection=7&search=lamp&ordering=id')).toEqual([1, 3]);
    expect(await (await anybody.get('/api/v1/projects/?collection=7&fields=id&format=csv')).text()).toBe(
      'id\r\n3\r\n5\r\n1\r\n',
    );
    const first = await anybody.json<{ next: string; results: object[] }>(
      '/api/v1/projects/?collection=7&fields=id&cursor=&page_size=2',
    );
    expect(first.results).toEqual([{ id: 3 }, { id: 5 }]);
    expect(
      (await anybody.json<{ results: object[] }>(new URL(first.next).pathname + new URL(first.next).search))
        .results,
    ).toEqual([{ id: 1 }]);

    expect((await ada.patch(`${items}1/`, { position: 2, note: 'Second' })).status).toBe(200);
    expect(await orderFor(ada)).toEqual(['3 1 Note 3', '1 2 Second', '4 3 Note 4', '5 4 Note 5']);
    expect((await ada.patch(`${items}3/`, { position: 4 })).status).toBe(200);
    expect(await orderFor(anybody)).toEqual(['1 1 Second', '5 2 Note 5', '3 3 Note 3']);
    const tooFar = await ada.patch(`${items}3/`, { position: 5 });
    expect([tooFar.status, await tooFar.json()]).toEqual([
      400,
      { position: ['Ensure this value is less than or equal to 4.'] },
    ]);

    await ada.patch('/api/v1/projects/7/', { visibility: 'private' });
    expect(await listed(anybody, 'collection=7')).toEqual([]);
    expect((await anybody.get(items)).status).toBe(404);
    expect((await bob.get(`${items}5/`)).status).toBe(404);
  });

  test('a section begins with a project, whoever sees it, and goes on without the words of others', async () => {
    const { site, ada, bob, cleo, anybody } = await open(kind);
    for (const id of [1, 4, 2, 5, 3]) expect(await add(ada, id)).toBe(201);
    const sections = async (who: Pick<Person, 'json'>) =>
      (await who.json<{ project: number; section_heading?: string; section_text?: string }[]>(items)).map(
        ({ project, section_heading, section_text }) =>
          section_heading === undefined ? project : `${project} ${section_heading}: ${section_text}`,
      );
    const begun = await ada.patch(`${items}4/`, { section_heading: 'Light', section_text: 'Bright.' });
    expect([begun.status, await begun.json()]).toEqual([
      200,
      expect.objectContaining({ project: 4, position: 2, section_heading: 'Light', section_text: 'Bright.' }),
    ]);
    expect((await ada.patch(`${items}5/`, { section_heading: 'Air' })).status).toBe(200);
    expect(await sections(ada)).toEqual([1, '4 Light: Bright.', 2, '5 Air: ', 3]);
    // What somebody does not see leaves no gap.
    expect(await sections(anybody)).toEqual([1, '2 Light: Bright.', '5 Air: ', 3]);

    await ada.patch(`${items}3/`, { position: 2 });
    expect(await sections(ada)).toEqual([1, '3 Light: Bright.', 4, 2, '5 Air: ']);
    await ada.patch(`${items}1/`, { position: 5, section_heading: 'Late' });
    expect(await sections(ada)).toEqual(['3 Light: Bright.', 4, 2, '5 Air: ', '1 Late: ']);
    await ada.delete(`${items}5/`);
    expect(await sections(ada)).toEqual(['3 Light: Bright.', 4, 2, '1 Late: ']);
    await ada.patch(`${items}1/`, { section_heading: '' });
    expect(await sections(anybody)).toEqual(['3 Light: Bright.', 2, '1 Air: ']);
    expect(await (await ada.patch(`${items}2/`, { section_text: 'Alone' })).json()).toEqual({
      section_heading: ['A section needs a heading.'],
    });
    expect((await ada.patch(`${items}2/`, { section_heading: 'x'.repeat(101) })).status).toBe(400);
    expect((await bob.patch(`${items}2/`, { section_heading: 'Mine' })).status).toBe(403);

    await ada.put('/api/v1/projects/7/people/3/', { role: 'editor' });
    expect((await cleo.patch(`${items}2/`, { section_heading: 'By cleo' })).status).toBe(200);
    expect(await sections(anybody)).toEqual(['3 Light: Bright.', '2 By cleo: ', '1 Air: ']);
    const before = await exportAll(site);
    const lines = (text: string) =>
      text.split('\n').filter((line) => line.startsWith('{"type":"collection_section"'));
    expect(lines(before)).toEqual([
      '{"type":"collection_section","collection":7,"number":1,"position":1,"heading":"Light","text":"Bright.","written_by":1,"written_for":null}',
      '{"type":"collection_section","collection":7,"number":2,"position":3,"heading":"By cleo","text":"","written_by":3,"written_for":null}',
      '{"type":"collection_section","collection":7,"number":3,"position":4,"heading":"Air","text":"","written_by":1,"written_for":null}',
    ]);
    const other = await siteOn(kind, { dump: '' });
    await importInto(other, before);
    expect(lines(await exportAll(other))).toEqual(lines(before));
    expect(await sections(visitor(other))).toEqual(await sections(anybody));
    expect((await cleo.delete('/api/v1/me/', { items: 'delete' })).status).toBe(204);
    expect(await sections(anybody)).toEqual(['3 Light: Bright.', 2, '1 Air: ']);
  });

  test('the stream of changes can be that of a public collection', async () => {
    const { ada, bob, anybody } = await open(kind);
    for (const id of [5, 4]) await add(ada, id);
    const { sequence } = await ada.json<{ sequence: number }>('/api/v1/changes/head/');
    await bob.patch('/api/v1/projects/5/', { title: 'Red kite' });
    await ada.patch('/api/v1/projects/1/', { title: 'Another lamp' });
    await ada.patch('/api/v1/projects/4/', { title: 'Still secret' });
    const changed = async (who: Person) =>
      (
        await who.json<{ results: { id: number }[] }>(`/api/v1/changes/?since=${sequence}&collection=7`)
      ).results.map(({ id }) => id);
    expect([await changed(anybody), await changed(ada)]).toEqual([[5], [5, 4]]);
    await ada.patch('/api/v1/projects/7/', { visibility: 'private' });
    expect(await changed(anybody)).toEqual([]);
  });

  test('lists have collections only where they are asked for', async () => {
    const { ada, anybody } = await open(kind);
    expect(await listed(anybody, 'ordering=id')).toEqual([1, 2, 3, 5, 8, 10]);
    expect(await listed(anybody, 'ordering=id&status=1')).toEqual([1, 2, 3, 5, 8, 10]);
    expect(await listed(ada, 'ordering=id&contributor=me')).toEqual([1, 2, 3, 4, 8]);
    expect(await listed(anybody, 'ordering=id&search=show')).toEqual([]);
    expect(await listed(anybody, 'ordering=id&search=show&content_type=collection')).toEqual([7, 9]);
    expect(await listed(anybody, 'content_type=collection')).toEqual([9, 7]);
    expect(await listed(anybody, 'content_type__in=collection,comment&ordering=id')).toEqual([7, 8, 9, 10]);
    expect((await anybody.json<{ count: number }>('/api/v1/projects/')).count).toBe(6);
    expect((await anybody.json<{ count: number }>('/api/v1/projects/?content_type=collection')).count).toBe(
      2,
    );
    const {
      kind: ofCollection,
      offers,
      due,
    } = await anybody.json<Record<string, unknown>>('/api/v1/projects/7/?include=kind,offers,due');
    expect([ofCollection, offers, due]).toEqual(['collection', 'open', null]);
  });

  test('people offer their own, an editor answers, and both sides learn of it', async () => {
    const { ada, bob, cleo, anybody } = await open(kind);
    expect(await add(bob, 5, 'Mine')).toBe(201);
    expect(await add(bob, 5)).toEqual([400, { project: ['It is in the collection, or was offered to it.'] }]);
    expect((await bob.post(items, { project: 1 })).status).toBe(403);
    expect((await bob.post('/api/v1/projects/9/items/', { project: 5 })).status).toBe(403);
    expect(await orderFor(bob)).toEqual(['5 1 Mine offered']);
    const hidden = await bob.post('/api/v1/projects/', { title: 'Not yet', visibility: 'unlisted' });
    const { id } = (await hidden.json()) as { id: number };
    expect(await add(bob, id)).toEqual([400, { project: ['Only a public project can be offered.'] }]);
    expect(await orderFor(anybody)).toEqual([]);
    expect(await orderFor(cleo)).toEqual([]);
    expect(await kindsOf(ada)).toEqual(['offered']);

    expect((await cleo.patch(`${items}5/`, { state: 'included' })).status).toBe(403);
    expect((await ada.put('/api/v1/projects/7/people/3/', { role: 'editor' })).status).toBe(204);
    expect((await cleo.patch(`${items}5/`, { state: 'included' })).status).toBe(200);
    expect(await orderFor(anybody)).toEqual(['5 1 Mine']);
    expect(await kindsOf(bob)).toEqual(['collected']);
    expect(await add(cleo, 1)).toBe(201);
    expect((await cleo.put('/api/v1/projects/7/people/2/', { role: 'editor' })).status).toBe(403);

    await ada.patch('/api/v1/projects/7/', { visibility: 'private' });
    expect((await cleo.get('/api/v1/projects/7/')).status).toBe(200);
    expect((await bob.get('/api/v1/projects/7/')).status).toBe(404);
    expect((await cleo.delete('/api/v1/projects/7/people/3/')).status).toBe(204);
    expect((await cleo.get('/api/v1/projects/7/')).status).toBe(404);
  });

  test('a maker takes a work out of any collection, and only the maker puts it back', async () => {
    const { ada, bob, cleo } = await open(kind);
    expect(await add(ada, 5)).toBe(201);
    expect((await cleo.delete(`${items}5/`)).status).toBe(403);
    expect((await bob.delete(`${items}5/`)).status).toBe(204);
    expect(await orderFor(ada)).toEqual([]);
    expect(await add(ada, 5)).toEqual([
      400,
      { project: ['Its maker took it out. Only its maker can put it back.'] },
    ]);
    expect((await ada.patch(`${items}5/`, { state: 'included' })).status).toBe(404);
    expect((await ada.delete(`${items}5/`)).status).toBe(404);
    expect(await add(bob, 5)).toBe(201);
    expect((await ada.patch(`${items}5/`, { state: 'declined' })).status).toBe(200);
    const again = [400, { project: ['It is in the collection, or was offered to it.'] }];
    expect(await add(bob, 5)).toEqual(again);
    expect((await bob.delete(`${items}5/`)).status).toBe(403);
    expect(await add(bob, 5)).toEqual(again);
    expect((await ada.delete(`${items}5/`)).status).toBe(204);
    expect(await add(bob, 5)).toBe(201);
    expect((await ada.patch(`${items}5/`, { state: 'declined' })).status).toBe(200);
    expect(await add(ada, 5)).toBe(201);
  });

  test('what cannot be in a collection is refused with a sentence', async () => {
    const { ada, bob } = await open(kind);
    const noProject = [400, { project: ['There is no such project.'] }];
    const notCollectable = [
      400,
      { project: ['Only projects can be in a collection, no comments and no collections.'] },
    ];
    expect(await add(ada, 6)).toEqual(noProject);
    expect(await add(ada, 999)).toEqual(noProject);
    for (const id of [7, 8, 9]) expect(await add(ada, id)).toEqual(notCollectable);
    expect(await add(ada, 1)).toBe(201);
    expect(await add(ada, 1)).toEqual([400, { project: ['It is in the collection, or was offered to it.'] }]);
    expect((await ada.post('/api/v1/projects/1/items/', { project: 2 })).status).toBe(404);
    const refused = async (body: object, path = '/api/v1/projects/1/') =>
      await (await ada.patch(path, body)).json();
    expect(await refused({ kind: 'collection' })).toEqual({ kind: ['Only a collection has one.'] });
    expect(await refused({ due: '2026-12-04T14:00:00+01:00' }, '/api/v1/projects/7/')).toEqual({
      due: ['Only a class has one.'],
    });
    expect(await refused({ content_type: 'collection' })).toEqual({
      content_type: ['A collection stays a collection, and nothing else becomes one.'],
    });
    expect(await refused({ content_type: 'text' }, '/api/v1/projects/7/')).toEqual({
      content_type: ['A collection stays a collection, and nothing else becomes one.'],
    });
    expect((await ada.post('/api/v1/projects/7/copy/', {})).status).toBe(400);
    expect(
      (await bob.post('/api/v1/projects/', { title: 'Class', content_type: 'collection', kind: 'class' }))
        .status,
    ).toBe(403);
    expect((await ada.put('/api/v1/projects/7/people/1/', { role: 'editor' })).status).toBe(400);
    expect((await ada.put('/api/v1/projects/7/people/99/', { role: 'editor' })).status).toBe(404);
    expect((await ada.put('/api/v1/projects/7/people/2/', { role: 'teacher' })).status).toBe(400);
  });

  test('of two who arrange at once, the second is told', async () => {
    const { ada } = await open(kind);
    for (const id of [1, 2, 3]) await add(ada, id);
    const etag = (await ada.get(`${items}1/`)).headers.get('ETag') ?? '';
    const move = (id: number, position: number) =>
      ada.patch(`${items}${id}/`, { position }, { 'If-Match': etag });
    expect((await move(1, 3)).status).toBe(200);
    expect((await move(2, 3)).status).toBe(412);
    expect(await orderFor(ada)).toEqual(['2 1', '3 2', '1 3']);
  });

  test('after a hundred moves at once, each project is there once', async () => {
    const { ada, bob, anybody } = await open(kind);
    await ada.put('/api/v1/projects/7/people/2/', { role: 'editor' });
    for (const id of [1, 2, 3, 4, 5]) await add(ada, id);
    const random = (max: number) => 1 + Math.floor(Math.random() * max);
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const who = index % 2 ? ada : bob;
        // The editor does not see the secret project.
        const [id, positions] = who === ada ? [random(5), 5] : [[1, 2, 3, 5][random(4) - 1], 4];
        const move = async () => (await who.patch(`${items}${id}/`, { position: random(positions) })).status;
        // One that waits too long for the others is not done, and is sent again.
        return waitFor(async () => {
          const status = await move();
          return status !== 503 && status;
        });
      }),
    );
    expect([...new Set(statuses)]).toEqual([200]);
    const order = await listed(ada, 'collection=7');
    expect(order.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(await listed(anybody, 'collection=7')).toEqual(order.filter((id) => id !== 4));
  });

  test('a dump has it all, and brings it back', async () => {
    const { site, ada, bob, cleo } = await open(kind);
    await add(ada, 1, 'Printed in one piece.');
    await add(bob, 5);
    await ada.put('/api/v1/projects/7/people/3/', { role: 'editor' });
    const before = await exportAll(site);
    expect(before).toContain(
      '{"type":"collection_item","collection":7,"project":1,"position":1,"note":"Printed in one piece.","state":"included","added_by":1,',
    );
    expect(before).toContain('{"type":"collection_person","collection":7,"contributor":3,"role":"editor"}');
    const other = await siteOn(kind, { dump: '' });
    await importInto(other, before);
    expect(
      (await exportAll(other))
        .split('\n')
        .filter((line) => line.includes('collection'))
        .sort(),
    ).toEqual(
      before
        .split('\n')
        .filter((line) => line.includes('collection'))
        .sort(),
    );
    expect((await cleo.delete('/api/v1/me/', { items: 'keep' })).status).toBe(204);
    expect(await exportAll(site)).not.toContain('"role":"editor"');
  });

  test('a person takes a collection along in a ZIP, with what is theirs in it', async () => {
    const { ada } = await open(kind);
    for (const id of [3, 5, 1]) await add(ada, id, `Note ${id}`);
    await ada.patch(`${items}1/`, { section_heading: 'Last', section_text: 'Of all.' });
    const zip = await (await ada.get('/api/v1/me/dump/?format=zip')).bytes();
    const other = await siteOn(kind, { dump: dump(contributor(1, 'ada')) });
    const there = await person(other, 'ada');
    const form = new FormData();
    form.set('file', new File([zip], 'mine.zip'));
    for (let round = 1; round <= 2; round++)
      expect((await there.post('/api/v1/me/import/', form)).status).toBe(200);
    const [show] = (
      await there.json<{ results: { id: number }[] }>(
        '/api/v1/projects/?contributor=me&content_type=collection&search=7',
      )
    ).results;
    const brought = await there.json<{ note: string; section_heading?: string; section_text?: string }[]>(
      `/api/v1/projects/${show?.id}/items/`,
    );
    expect(
      brought.map(({ note, section_heading, section_text }) => [note, section_heading, section_text]),
    ).toEqual([
      ['Note 3', undefined, undefined],
      ['Note 1', 'Last', 'Of all.'],
    ]);
  });
});
