// The page with the lineage of a project: as a tree.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { ada, dump, pathOf, project, siteOn } from '../support/site.ts';

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
