// People and tags that somebody follows: the lists, the shelf, the notifications, and that nobody else learns of it.

import { expect, test } from 'bun:test';
import sql, { raw } from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import type { FormValues } from '../support/html.ts';
import { type Person, person } from '../support/person.ts';
import { contributor, dump, exportAll, pathOf, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  contributor(4, 'hidden'),
  contributor(5, 'mo'),
  project(1, { title: 'A lamp', tags: ['Light'] }),
  project(2, { title: 'A boat', contributor: 2 }),
  project(3, { title: 'Secret', contributor: 4, visibility: 'private' }),
);

const path = '/api/v1/me/following/';

async function followed(follower: Person) {
  const [people, tags] = await Promise.all(
    ['contributors/', 'tags/'].map(async (list) =>
      follower.json<{ results: { username?: string; name: string }[] }>(`${path}${list}`),
    ),
  );
  return [...(people?.results ?? []), ...(tags?.results ?? [])].map(({ username, name }) => username ?? name);
}

const shelfOf = async (follower: Person) => (await follower.open('/')).textsOf('.home-shelf .name');

/** Such as "followed: A boat by bob", newest first. */
async function notifications(owner: Person): Promise<string[]> {
  const { results } = await owner.json<{
    results: { kind: string; title: string; contributor_name: string }[];
  }>('/api/v1/me/notifications/');
  return results.map(({ kind, title, contributor_name }) => `${kind}: ${title} by ${contributor_name}`);
}

const publish = (maker: Person, title: string, more: object = {}) =>
  maker.post('/api/v1/projects/', { title, ...more });

onBothDatabases((kind) => {
  const peopleOf = async (site: Site) => {
    const [ada, bob, cleo] = await Promise.all(['ada', 'bob', 'cleo'].map((name) => person(site, name)));
    if (!ada || !bob || !cleo) throw new Error('somebody is missing');
    return { ada, bob, cleo };
  };

  test('a person follows people and tags, and sees both in lists of their own', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo, bob } = await peopleOf(site);
    for (const what of [
      'contributors/2/',
      'contributors/1/',
      'contributors/2/',
      'tags/LIGHT/',
      'tags/a%2Fb/',
    ])
      expect([what, (await cleo.put(`${path}${what}`, {})).status]).toEqual([what, 204]);
    expect(await followed(cleo)).toEqual(['ada', 'bob', 'a/b', 'Light']);
    expect(await followed(bob)).toEqual([]);

    for (const what of ['contributors/2/', 'contributors/2/', 'tags/light/'])
      expect((await cleo.delete(`${path}${what}`)).status).toBe(204);
    expect(await followed(cleo)).toEqual(['ada', 'a/b']);
  });

  test('buttons on pages follow and stop, and lead back to where they stand', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo } = await peopleOf(site);
    const press = async (page: string, button: string) => {
      const response = await cleo.submit(page, button);
      return [response.status, response.headers.get('Location')];
    };
    expect(await press('/contributors/2-bob/', 'Follow bob')).toEqual([303, '/contributors/2-bob/']);
    expect(await press(pathOf(1), 'Follow ada')).toEqual([303, pathOf(1)]);
    expect(await press('/?tags=light', 'Follow light')).toEqual([303, '/?tags=light']);
    expect(await followed(cleo)).toEqual(['ada', 'bob', 'Light']);
    expect(await press('/following/', 'Following bob : stop')).toEqual([303, '/following/']);
    expect(await press('/following/', 'Following Light : stop')).toEqual([303, '/following/']);
    expect(await followed(cleo)).toEqual(['ada']);

    const elsewhere = await cleo.send('/following/', {
      contributor: '2',
      follow: 'yes',
      next: 'https://x.example/',
    });
    expect([elsewhere.status, elsewhere.headers.get('Location')]).toEqual([303, '/']);
    for (const values of [{ follow: 'yes' }, { contributor: 'x' }, { tag: '' }] as FormValues[])
      expect((await cleo.send('/following/', values)).status).toBe(404);
  });

  test('nobody follows themselves, somebody who is hidden, or what is no tag', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo, ada } = await peopleOf(site);
    const statusOf = async (who: Person, what: string) => (await who.put(`${path}${what}`, {})).status;
    expect(await statusOf(ada, 'contributors/1/')).toBe(400);
    for (const what of ['4/', '99/', '0/', 'x/', '9007199254740993/'])
      expect([what, await statusOf(cleo, `contributors/${what}`)]).toEqual([what, 404]);
    for (const what of ['a%2Cb/', '%20/', `${'x'.repeat(300)}/`, '%0A/'])
      expect([what, await statusOf(cleo, `tags/${what}`)]).toEqual([what, 404]);
    expect(await followed(cleo)).toEqual([]);
  });

  test('somebody follows at most a thousand', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo } = await peopleOf(site);
    const numbers = Array.from({ length: 999 }, (_, number) => `(3, 'tag ${number}', 1)`).join(', ');
    await site.database.transaction((transaction) =>
      transaction.run(raw(`insert into followed_tag (contributor, tag_key, created) values ${numbers}`)),
    );
    expect((await cleo.put(`${path}contributors/2/`, {})).status).toBe(204);
    const response = await cleo.put(`${path}tags/robots/`, {});
    expect([response.status, await response.json()]).toEqual([
      400,
      { non_field_errors: ['You follow 1000 people and tags already. Stop following one first.'] },
    ]);
  });

  test('the home page has a shelf of the newest by the people whom one follows, for nobody else', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo, bob, ada } = await peopleOf(site);
    await cleo.put(`${path}contributors/1/`, {});
    await cleo.put(`${path}contributors/2/`, {});
    await bob.post('/api/v1/projects/1/comments/', { text: 'Nice.' });
    await publish(bob, 'A raft');
    await publish(bob, 'Not ready', { status: 0 });
    const { id } = (await (await publish(ada, 'A torch')).json()) as { id: number };
    expect(await shelfOf(cleo)).toEqual(['A torch', 'A raft', 'A boat', 'A lamp']);
    expect(await shelfOf(bob)).toEqual([]);
    expect((await cleo.open('/?search=raft')).textsOf('.home-shelf')).toEqual([]);
    const response = await cleo.browser.get('/');
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');

    await ada.patch(`/api/v1/projects/${id}/`, { visibility: 'private' });
    expect(await shelfOf(cleo)).toEqual(['A raft', 'A boat', 'A lamp']);
  });

  test('new work notifies its followers at most once a day, and whoever is followed learns of nothing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo, bob, ada } = await peopleOf(site);
    await cleo.put(`${path}contributors/2/`, {});
    await ada.put(`${path}tags/robots/`, {});
    const draft = await publish(bob, 'A raft', { status: 0, tags: ['Robots'] });
    const { id } = (await draft.json()) as { id: number };
    expect(await notifications(cleo)).toEqual([]);

    await bob.patch(`/api/v1/projects/${id}/`, { status: 1 });
    expect(await notifications(cleo)).toEqual(['followed: A raft by bob']);
    expect(await notifications(ada)).toEqual(['followed: A raft by bob']);
    await publish(bob, 'A ship', { tags: ['robots'] });
    expect(await notifications(cleo)).toEqual(['followed: A raft by bob']);

    await site.database.transaction((transaction) =>
      transaction.run(sql`update notification set created = created - 90000000000`),
    );
    await publish(bob, 'A ferry');
    expect(await notifications(cleo)).toEqual(['followed: A ferry by bob', 'followed: A raft by bob']);
    await bob.patch(`/api/v1/projects/${id}/`, { visibility: 'private' });
    expect(await notifications(cleo)).toEqual(['followed: A ferry by bob']);
    expect(await notifications(bob)).toEqual([]);
  });

  test('a project that is deleted again uses up no day of its followers', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [bob, cleo, ada] = [
      await person(site, 'bob'),
      await person(site, 'cleo'),
      await person(site, 'ada'),
    ];
    await bob.put(`${path}tags/robots/`, {});
    const publish = async (maker: Person, title: string) =>
      (await (await maker.post('/api/v1/projects/', { title, text: 'x', tags: 'robots' })).json()) as {
        id: number;
      };
    const { id } = await publish(cleo, 'Bait');
    expect(await notifications(bob)).toEqual(['followed: Bait by cleo']);
    await cleo.delete(`/api/v1/projects/${id}/`);
    await publish(ada, 'Real');
    await publish(ada, 'Second');
    expect(await notifications(bob)).toEqual(['followed: Real by ada']);
  });

  test('a person who is hidden leaves the list and returns; one who leaves the gallery is followed by nobody', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { cleo, bob } = await peopleOf(site);
    await cleo.put(`${path}contributors/2/`, {});
    await bob.put(`${path}contributors/1/`, {});
    await bob.patch('/api/v1/projects/2/', { visibility: 'private' });
    expect(await followed(cleo)).toEqual([]);
    await bob.patch('/api/v1/projects/2/', { visibility: 'public' });
    expect(await followed(cleo)).toEqual(['bob']);

    const lines = await exportAll(site);
    expect(lines).toContain('{"type":"followed_contributor","contributor":3,"followed":2,');
    expect(await (await cleo.get('/api/v1/me/dump/?format=ndjson')).text()).toContain('"followed":2');
    expect((await bob.delete('/api/v1/me/', { items: 'keep' })).status).toBe(204);
    expect(await exportAll(site)).not.toContain('followed_contributor');
  });
});
