// A project cannot be its own source, and a comment cannot reply to itself, not even through others.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count } from '#sql';
import { importDump } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const comment = (id: number, parent: number) => project(id, { content_type: 'comment', parent });

onBothDatabases((kind) => {
  test.each([
    [
      'comments reply to each other',
      [comment(1, 2), comment(2, 3), comment(3, 1)],
      'comment 1 would be a reply',
    ],
    ['a comment replies to itself', [comment(1, 1)], 'comment 1 would be a reply'],
    [
      'projects are copies of each other',
      [project(1, { copied_from: 2 }), project(2, { copied_from: 1 })],
      'project 1 would be a copy',
    ],
  ])('nothing is imported from a file in which %s', async (_, lines, reason) => {
    const site = await siteOn(kind);
    const stream = new Blob([dump(ada, ...lines)]).stream();

    expect(await refusalOf(importDump(site.database, site.files, 'a dump', stream))).toContain(reason);
    expect(await count(site.database, sql`from project`)).toBe(0);
  });

  test('a comment whose project is missing is imported', async () => {
    const site = await siteOn(kind, { dump: dump(ada, comment(1, 99), comment(2, 1)) });
    expect(await count(site.database, sql`from project`)).toBe(2);
  });
});
