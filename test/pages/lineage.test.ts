import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const page = (id: number) => `/content/${uuid(id)}/a-thing/lineage/`;
const copy = (id: number, from: number, members: Record<string, unknown> = {}) =>
  project(id, { copied_from: from, title: `Thing ${id}`, ...members });

onBothDatabases((kind) => {
  test('the whole lineage is on the page of each of its projects, a hidden one as a placeholder', async () => {
    const site = await siteOn(kind, {
      dump: dump(
        ada,
        project(1, { title: 'Thing 1' }),
        copy(2, 1, { visibility: 'private', title: 'Secret' }),
        ...[copy(3, 2), copy(4, 1), copy(5, 4, { visibility: 'unlisted', title: 'Quiet' }), copy(6, 3)],
      ),
    });
    for (const id of [1, 3, 4, 6]) {
      const html = await (await site.get(page(id))).text();
      const list = html.slice(html.indexOf('<details>'));
      const links = [...list.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
      expect(links.filter((href) => href?.startsWith('/content/'))).toEqual(
        [1, 3, 6, 4].map((one) => `/content/${uuid(one)}/a-thing/`),
      );
      expect(list).toContain('One that is gone, or not for everyone to see');
      expect(html).not.toContain('Secret');
      expect(html).not.toContain('Quiet');
      const [drawn = ''] = /<svg class="tree".*?<\/svg>/s.exec(html) ?? [];
      expect(drawn.match(/<a href="\/content\//g)).toHaveLength(4);
      expect(drawn.match(/class="hidden"/g)).toHaveLength(1);
    }
  });

  test('a large lineage is collapsed, except the path to the project', async () => {
    const many = Array.from({ length: 300 }, (_, index) => copy(100 + index, 1));
    const line = Array.from({ length: 40 }, (_, index) => copy(1000 + index, index ? 999 + index : 350));
    const site = await siteOn(kind, { dump: dump(ada, project(1, { title: 'Thing 1' }), ...many, ...line) });
    const top = await (await site.get(page(1))).text();
    expect(top.length).toBeLessThan(50_000);
    expect(top).toContain('href="/?copied_from=1"');
    const deep = await (await site.get(page(1039))).text();
    expect(deep).toContain('Thing 1039');
    expect(deep).toContain('Thing 1030');
    expect(deep.length).toBeLessThan(50_000);
  });

  test('a project without a lineage says so', async () => {
    const site = await siteOn(kind, { dump: dump(ada, project(1)) });
    expect(await (await site.get(page(1))).text()).toContain('nobody has copied it yet');
  });
});
