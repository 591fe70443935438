// Parts of pages are kept by what they are made of: a page is always as one that is rendered without them.

import { expect, spyOn, test } from 'bun:test';
import { CacheMemory } from '#rest/cache-memory.ts';
import { FragmentCache } from '../../src/core/pages/layout/fragment-cache.ts';
import { ProjectFinder } from '../../src/projects/reading/find-projects.ts';
import { onOneDatabase } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  project(1, { title: 'Kite', text: 'A **red** kite', tags: ['wind'] }),
  project(2, { title: 'Quote', content_type: 'quote', text: '> Fly!', contributor: 2, copied_from: 1 }),
  project(3, { title: 'Why', content_type: 'comment', parent: 1, text: 'Why *red*?', contributor: 2 }),
  project(4, { title: 'How high?', content_type: 'question', contributor: 2, tags: ['wind'] }),
  project(5, { title: 'Things that fly', content_type: 'collection' }),
);

/** The keys of forms are different each time. */
const withoutKeys = (html: string) => html.replace(/(name="once" value=")[^"]+/g, '$1');

const picture = () => new File([new Uint8Array(png(600, 400))], 'kite.png');

function sendPicture(who: Person, project: number): Promise<Response> {
  const form = new FormData();
  form.append('file', picture());
  return who.post(`/api/v1/projects/${project}/media/`, form);
}

onOneDatabase((kind) => {
  test('whatever changes, visitors and people see pages as they are rendered anew', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const plain = await siteAt(site.address, {
      database: site.database,
      environment: { VITRINE_CACHE_SIZE: '0' },
    });
    const [ada, zoe] = [await person(site, 'ada', { role: 'admin' }), await person(site, 'zoe')];
    const viewers = [
      ada.browser.headers,
      zoe.browser.headers,
      {},
      { 'Accept-Language': 'es' },
      { Cookie: 'theme=dark' },
    ];
    let previous: readonly string[] = [];
    const expectSamePages = async () => {
      const all: string[] = [];
      for (const path of [
        '/',
        '/?content_type=collection',
        pathOf(1),
        `${pathOf(2)}?page=1`,
        '/contributors/2-zoe/',
      ])
        for (const headers of viewers) {
          const [kept, fresh] = [await site.get(path, headers), await plain.get(path, headers)];
          const html = withoutKeys(await kept.text());
          expect(html).toBe(withoutKeys(await fresh.text()));
          all.push(html);
        }
      expect(all.every((html, index) => html === previous[index])).toBe(false);
      previous = all;
    };
    await expectSamePages();

    const changes = [
      () => ada.patch('/api/v1/projects/1/', { title: 'Kite!' }),
      () => ada.patch('/api/v1/projects/1/', { text: 'A **blue** kite' }),
      () => zoe.send(`${pathOf(1)}rate/`, { value: '4' }),
      () => zoe.send(`${pathOf(1)}comment/`, { text: 'Up!' }),
      () => ada.patch('/api/v1/me/', { first_name: 'Augusta' }),
      () => zoe.browser.upload('/account/profile/avatar/', picture()),
      () => sendPicture(ada, 1),
      () => ada.post('/api/v1/projects/5/items/', { project: 1 }),
      () => ada.post('/api/v1/projects/4/comments/', { text: 'Very high.' }),
      // The karma of the question stays as it is.
      () => ada.post('/api/v1/projects/4/comments/', { text: 'And higher.' }),
      () => ada.send(`${pathOf(1)}feature/`, { featured: 'yes' }),
      () => ada.send('/admin/site/', { name: 'Workshop', ratings: 'heart' }),
      () => site.key('zoe', { role: 'moderator' }),
      () => ada.patch('/api/v1/projects/1/', { visibility: 'private' }),
      () => zoe.patch('/api/v1/projects/2/', { status: 2 }),
      () => zoe.delete('/api/v1/projects/4/'),
    ];
    for (const change of changes) {
      const response = await change();
      if (response instanceof Response) expect(response.ok || response.status === 303).toBe(true);
      await expectSamePages();
    }
  });

  test('an answer that comes while a card is made is not counted after it was hidden', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const answer = async () =>
      (await ada.post('/api/v1/projects/4/comments/', { text: 'Very high.' })).json() as Promise<{
        id: number;
      }>;
    await answer();
    const count = ProjectFinder.prototype.countReplies;
    const counting = Promise.withResolvers<{ id: number }>();
    const spy = spyOn(ProjectFinder.prototype, 'countReplies').mockImplementationOnce(async function (
      this: ProjectFinder,
      ...counted
    ) {
      const counts = await count.apply(this, counted);
      counting.resolve(await answer());
      return counts;
    });
    const questions = async (page: string) => (await site.get(`/?content_type=question&page=${page}`)).text();
    await questions('1');
    spy.mockRestore();
    expect(await questions('last')).toContain('2 answers');
    const { id } = await counting.promise;
    expect((await ada.patch(`/api/v1/projects/${id}/`, { visibility: 'private' })).status).toBe(200);
    expect(await questions('')).toContain('1 answer<');
  });
});

test('many different texts stay within the memory of the cache', () => {
  const memory = new CacheMemory(1_000_000);
  const fragments = new FragmentCache(memory);
  for (let number = 0; number < 5000; number++) {
    expect(fragments.text([number], () => `${number} Ж`.repeat(500))).toStartWith(`${number} Ж`);
    expect(memory.bytes).toBeLessThanOrEqual(1_000_000);
  }
  const recompute = () => 'computed anew';
  expect(fragments.text([4999], recompute)).toStartWith('4999');
  expect(fragments.text([1], recompute)).toBe('computed anew');
});
