// Comments on pages of their own, on cards and in other pages.

import { expect, test } from 'bun:test';
import { visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

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
    ),
  });
  const names = { 2: 'Comment by Ada Lovelace', 3: 'Comment by Ada Lovelace', 4: 'A hint' };

  const list = await visitor(site).open('/?content_type=comment&ordering=id');
  expect(list.textsOf('.card .name')).toEqual(Object.values(names));
  expect(list.text.split('spins to the left')).toHaveLength(3);
  expect(list.text.split('Nice!')).toHaveLength(2);
  for (const [id, name] of Object.entries(names)) {
    const page = await visitor(site).open(pathOf(Number(id)));
    expect(page.heading).toBe(name);
    expect(page.textsOf('article.project header').join()).not.toMatch(/spins to the left|Nice/);
    expect(page.textsOf('article.project .text').join()).toMatch(/spins to the left|Nice/);
    expect((await visitor(site).open(pathOf(Number(id), 'embed'))).heading).toBe(name);
  }
});
