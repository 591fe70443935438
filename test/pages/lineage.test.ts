// The page with the lineage of a project: as a tree.

import { expect, test } from 'bun:test';
import { onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const lineagePath = (id: number) => `${pathOf(id)}lineage/`;
const copy = (id: number, from: number, members: Record<string, unknown> = {}) =>
  project(id, { copied_from: from, title: `Thing ${id}`, ...members });

onBothDatabases((kind) => {
  test('the whole lineage is on the page of each of its projects, a hidden one as a placeholder', async () => {
    const site = await siteOn(kind, {
      dump: dump(
        ada,
        project(1, { title: 'Thing 1' }),
        copy(2, 1, { visibility: 'private', title: 'Secret' }),
        copy(3, 2),
        copy(4, 1),
        copy(5, 4, { visibility: 'unlisted', title: 'Quiet' }),
        copy(6, 3),
      ),
    });
    for (const id of [1, 3, 4, 6]) {
      const page = await visitor(site).open(lineagePath(id));
      const tree = page.document.querySelector('.tree');
      const links = tree?.querySelectorAll('a[href^="/content/"]') ?? [];
      expect(links.map((link) => link.getAttribute('href'))).toEqual([1, 3, 6, 4].map((id) => pathOf(id)));
      expect(page.textsOf('.tree .hidden')).toEqual(['A project that isn’t available']);
      expect(page.textsOf('.tree [aria-current] a')).toEqual([`Thing ${id}`]);

      expect(page.html).not.toContain('Secret');
      expect(page.html).not.toContain('Quiet');
    }
  });

  test('a large lineage is collapsed, except the path to the project', async () => {
    const copies = Array.from({ length: 300 }, (_, index) => copy(100 + index, 1));
    const chain = Array.from({ length: 40 }, (_, index) => copy(1000 + index, index ? 999 + index : 350));
    const site = await siteOn(kind, {
      dump: dump(ada, project(1, { title: 'Thing 1' }), ...copies, ...chain),
    });

    const source = await visitor(site).open(lineagePath(1));
    expect(source.html.length).toBeLessThan(50_000);
    expect(source.hasLink('/?copied_from=1')).toBe(true);

    const lastCopy = await visitor(site).open(lineagePath(1039));
    expect(lastCopy.html.length).toBeLessThan(50_000);
    expect(lastCopy.text).toContain('Thing 1039');
    expect(lastCopy.text).toContain('Thing 1030');
  });

  test('a project without a lineage says so', async () => {
    const site = await siteOn(kind, { dump: dump(ada, project(1)) });

    expect((await visitor(site).open(lineagePath(1))).text).toContain('No remixes yet.');
  });
});

onOneDatabase((kind) => {
  test('a remix leads to what it changed, while its source can be seen', async () => {
    const site = await siteOn(kind, {
      dump: dump(
        ada,
        contributor(2, 'bob'),
        project(1, { title: 'A red kite', tags: ['wind'], text: 'Take paper.\nFly it.\n<b>Land.</b>' }),
        copy(2, 1, { title: 'A blue kite', tags: ['wind'], text: 'Take silk.\nFly it.', contributor: 2 }),
        copy(3, 1, { title: 'A red kite', tags: ['wind'], text: 'Take paper.\nFly it.\n<b>Land.</b>' }),
      ),
    });
    const comparisonPath = (id: number) => `${pathOf(id)}comparison/`;
    const changesOf = async (id: number) => {
      const page = await visitor(site).open(comparisonPath(id));
      return { removed: page.textsOf('del'), added: page.textsOf('ins'), empty: page.textsOf('main .empty') };
    };

    expect((await visitor(site).open(pathOf(2))).hasLink(comparisonPath(2))).toBe(true);
    expect(await changesOf(2)).toEqual({
      removed: ['red', 'paper', '<b>Land.</b>'],
      added: ['blue', 'silk'],
      empty: [],
    });
    expect(await changesOf(3)).toEqual({ removed: [], added: [], empty: ['The texts are the same.'] });

    expect((await visitor(site).browser.get(comparisonPath(1))).status).toBe(404);
    await (await person(site, 'ada')).patch('/api/v1/projects/1/', { visibility: 'private' });
    expect((await visitor(site).browser.get(comparisonPath(2))).status).toBe(404);
    expect((await visitor(site).open(pathOf(2))).hasLink(comparisonPath(2))).toBe(false);
  });
});
