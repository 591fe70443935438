// The accepted answer to a question: who marks it, where it stands, and when it is gone.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  exportAll,
  importInto,
  pathOf,
  project,
  siteOn,
} from '../support/site.ts';

const answer = (id: number, members: Record<string, unknown> = {}) =>
  project(id, {
    ...{ title: `Answer ${id}`, text: `Text ${id}`, content_type: 'comment', parent: 1, contributor: 2 },
    created: `2014-05-20T14:24:${id}.000000+00:00`,
    ...members,
  });

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  contributor(3, 'cleo'),
  project(1, { title: 'Why is the sky blue?', content_type: 'question' }),
  project(2, { title: 'A lamp' }),
  answer(10, { contributor: 3 }),
  answer(11, { parent: 10, title: 'A reply' }),
  answer(12, { parent: 2, title: 'On the lamp' }),
  answer(13, { visibility: 'private', title: 'Hidden from ada' }),
  ...Array.from({ length: 25 }, (_, index) => answer(20 + index)),
);

const path = '/api/v1/projects/1/answer/';
const accept = (who: Person, comment: unknown, address = path) => who.put(address, { comment });
const accepted = async (who: Person) => (await who.json<{ comment?: number }>(path)).comment;
const kindsOf = async (who: Person) =>
  (await who.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/')).results.map(
    ({ kind }) => kind,
  );

onBothDatabases((kind) => {
  test('the owner of a question accepts one answer to it, which stands first on its page, once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, cleo] = await Promise.all(['ada', 'bob', 'cleo'].map((name) => person(site, name)));
    if (!ada || !bob || !cleo) throw new Error('there are three people');
    const page = (query = '') => visitor(site).open(`${pathOf(1)}${query}`);
    const names = async (query?: string) => (await page(query)).textsOf('.comment h3');
    const before = await names();
    expect(before).toEqual([
      'Answer 10',
      'A reply',
      ...Array.from({ length: 18 }, (_, index) => `Answer ${20 + index}`),
    ]);
    expect((await page()).textsOf('.acceptance')).toEqual([]);

    expect((await bob.open(pathOf(1))).hasButton('Accept this answer')).toBe(false);
    expect((await ada.submit(pathOf(1), 'Accept this answer')).headers.get('Location')).toBe(
      `${pathOf(1)}#comments`,
    );
    expect(await accepted(bob)).toBe(10);
    expect(await kindsOf(cleo)).toEqual(['accepted']);

    // One that stands on the second page.
    expect((await accept(ada, 44)).status).toBe(200);
    expect(await names()).toEqual(['Answer 44', ...before]);
    expect((await names('?page=2')).filter((name) => name === 'Answer 44')).toHaveLength(1);
    for (const query of ['', '?page=2'])
      expect((await page(query)).textsOf('.acceptance')).toEqual(['Accepted answer']);
    expect((await page()).jsonLd).toMatchObject({
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: 'Why is the sky blue?',
        answerCount: 27,
        acceptedAnswer: { '@type': 'Answer', name: 'Answer 44', text: 'Text 44', author: { name: 'bob' } },
      },
    });
    expect([await kindsOf(bob), await kindsOf(cleo)]).toEqual([['accepted'], []]);

    expect((await ada.submit(pathOf(1), 'No longer accept this answer')).status).toBe(303);
    expect((await ada.delete(path)).status).toBe(204);
    expect(await accepted(ada)).toBeUndefined();
    expect(await names()).toEqual(before);
    expect(await kindsOf(bob)).toEqual([]);
  });

  test('only a comment on the question itself that its owner can read is an answer', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob, mo] = [await person(site, 'ada'), await person(site, 'bob'), visitor(site)];
    const notAnswer = { comment: ['This is no answer to the question.'] };

    for (const comment of [1, 2, 11, 12, 13, 999]) {
      const response = await accept(ada, comment);
      expect([comment, response.status, await response.json()]).toEqual([comment, 400, notAnswer]);
    }
    for (const nonsense of ['x', [10], true, -1, 1.5, null, undefined])
      expect((await accept(ada, nonsense)).status).toBe(400);
    expect((await accept(ada, 12, '/api/v1/projects/2/answer/')).status).toBe(400);
    expect((await accept(bob, 20)).status).toBe(403);
    expect((await accept(mo, 20)).status).toBe(401);
    expect((await accept(ada, 20, '/api/v1/projects/99/answer/')).status).toBe(404);
    const sent = await ada.send(`${pathOf(1)}answer/`, { comment: '11' });
    expect([sent.status, await sent.text()]).toEqual([
      400,
      expect.stringContaining('This is no answer to the question.'),
    ]);
    expect((await bob.send(`${pathOf(1)}answer/`, { comment: '20' })).status).toBe(403);
    expect(await accepted(ada)).toBeUndefined();
  });

  test('an accepted answer that is deleted is not shown, and another type of project has none', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const shown = async () => (await visitor(site).open(pathOf(1))).textsOf('.acceptance').length;

    await accept(ada, 20);
    expect([await shown(), await kindsOf(bob)]).toEqual([1, ['accepted']]);
    await bob.delete('/api/v1/projects/20/');
    expect([await shown(), await kindsOf(bob)]).toEqual([0, []]);
    await bob.post('/api/v1/projects/20/restore/');
    expect(await shown()).toBe(1);

    await ada.patch('/api/v1/projects/1/', { content_type: 'text' });
    expect((await accept(ada, 20)).status).toBe(400);
    expect([await accepted(ada), await shown()]).toEqual([undefined, 0]);
  });

  test('a dump has the accepted answer, and a copy of the question does not', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await accept(ada, 20);
    const text = await exportAll(site);
    const again = await siteOn(kind, {});
    await importInto(again, text);

    expect(await accepted(visitor(again))).toBe(20);
    expect(contentOf(await exportAll(again))).toBe(contentOf(text));
    const copy = (await (await ada.post('/api/v1/projects/1/copy/')).json()) as { id: number };
    expect((await ada.get(`/api/v1/projects/${copy.id}/answer/`)).status).toBe(404);
  });
});
