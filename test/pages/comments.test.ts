// Comments on pages of their own, on cards and in other pages.

import { expect, test } from 'bun:test';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn, uuidOf } from '../support/site.ts';

const text = 'The tail is too *short*, and it spins to the left in strong winds from the sea.';
const comment = { content_type: 'comment', parent: 1 };

test('a comment without a title shows its text once, on its page, its card and where it is embedded', async () => {
  const title = 'The tail is too short, and it spins to the left in strong wi…';
  const site = await siteOn('SQLite', {
    dump: dump(
      adasLine,
      project(1, { title: 'Kite' }),
      project(2, { ...comment, title, text }),
      project(3, { ...comment, title: 'Nice!', text: 'Nice!' }),
      project(4, { ...comment, title: 'A hint', text }),
      project(5, { ...comment, title: '@klauswerkt Wow!', text: '@klaus_werkt Wow!' }),
    ),
  });
  const names = {
    2: 'Comment by Ada Lovelace',
    3: 'Comment by Ada Lovelace',
    4: 'A hint',
    5: 'Comment by Ada Lovelace',
  };

  const list = await visitor(site).open('/?content_type=comment&ordering=id');
  expect(list.textsOf('.card .name')).toEqual(Object.values(names));
  expect(list.text.split('spins to the left')).toHaveLength(3);
  expect(list.text.split('Nice!')).toHaveLength(2);
  for (const [id, name] of Object.entries(names)) {
    const page = await visitor(site).open(pathOf(Number(id)));
    expect(page.heading).toBe(name);
    expect(page.textsOf('article.project header').join()).not.toMatch(/spins to the left|Nice|Wow/);
    expect(page.textsOf('article.project .text').join()).toMatch(/spins to the left|Nice|Wow/);
    expect((await visitor(site).open(pathOf(Number(id), 'embed'))).heading).toBe(name);
  }
});

test('a title that is taken from the text keeps names whole, and no Markdown', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Kite' })) });
  const ada = await person(site, 'ada');
  const titleFor = async (words: string) => {
    const response = await ada.post('/api/v1/projects/1/comments/', { text: words });
    return ((await response.json()) as { title: string }).title;
  };
  expect(await titleFor('@klaus_werkt, see my_file_2.txt')).toBe('@klaus_werkt, see my_file_2.txt');
  expect(await titleFor('@_max_ and *stars*, _lines_ and __more__')).toBe('@_max_ and stars, lines and more');
  expect(await titleFor('___')).toBe('Comment');
});

test('a reply is written below its comment, and the project’s page shows it', async () => {
  const site = await siteOn('SQLite', {
    dump: dump(
      adasLine,
      contributor(2, 'grace'),
      project(1, { title: 'Kite' }),
      project(2, { ...comment, title: 'Windy', text: 'Windy!', contributor: 2 }),
    ),
  });
  const ada = await person(site, 'ada');
  const say = (values: Record<string, string>) => ada.send(`${pathOf(2)}comment/`, values);

  const reply = await say({ text: 'Very.', page: uuidOf(1) });
  expect(reply.headers.get('Location')).toBe(`${pathOf(1)}?page=last#comment-3`);
  const page = await ada.open(pathOf(1));
  expect(page.textsOf('.thread .thread .comment .text')).toEqual(['Very.']);
  expect(page.textsOf('.thread > li > .comment .comment-actions > a')).toEqual([
    'Report Windy',
    'Edit',
    'Delete',
  ]);

  const nowhere = await say({ text: 'Very.', page: 'x' });
  expect(nowhere.status).toBe(404);
  const empty = await ada.browser.send(`${pathOf(2)}comment/`, { text: '', page: uuidOf(1) });
  expect(empty.status).toBe(400);
  expect(await empty.text()).toContain(`<input type="hidden" name="page" value="${uuidOf(1)}"/>`);
});
