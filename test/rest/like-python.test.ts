// Values that Django REST framework reads as Python does: numbers in addresses, and texts that stand for no choice.

import { expect, test } from 'bun:test';
import { person } from '../support/person.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const projects = Array.from({ length: 30 }, (_, index) => project(index + 1));

test('numbers have signs, zeros in front and the digits of any script', async () => {
  const site = await siteOn('SQLite', { dump: dump(ada, ...projects) });
  const list = '/api/v1/projects/?fields=id&ordering=id';
  const ids = async (path: string) =>
    ((await site.json(path)) as { results: { id: number }[] }).results.map(({ id }) => id);
  expect(await ids(`${list}&page_size=%2B5`)).toEqual([1, 2, 3, 4, 5]);
  for (const page of ['%2B2', '+2', '02', '２', '٢', '𝟚'])
    expect([page, await ids(`${list}&page_size=1_0&page=${page}`)]).toEqual([
      page,
      [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    ]);
  expect(await ids(`${list}&id__in=007,８`)).toEqual([7, 8]);
  expect(await site.json('/api/v1/projects/007/?fields=id')).toEqual({ id: 7 });
  for (const page of ['0', '-1', '2.0', '1__0', '1_', 'x', '9'.repeat(40), '9'.repeat(400)])
    expect([page, (await site.get(`${list}&page=${page}`)).status]).toEqual([page, 404]);
});

test('an empty text is no choice in JSON, and none was made in a form', async () => {
  const site = await siteOn('SQLite', { dump: dump(ada, ...projects) });
  const owner = await person(site, 'ada');
  for (const name of ['visibility', 'status', 'content_type']) {
    const response = await owner.patch('/api/v1/projects/1/', { [name]: '' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { [name]: ['"" is not a valid choice.'] },
    ]);
    const form = await site.request('/api/v1/projects/1/', {
      method: 'PATCH',
      headers: await owner.key(),
      body: new URLSearchParams({ [name]: '' }),
    });
    expect([name, form.status]).toEqual([name, 200]);
  }
});
