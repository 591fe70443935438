// An import parses lines while the database writes the ones before them.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count } from '../../src/database/query.ts';
import { importDump } from '../../src/gallery/dump/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const backslashes = { title: 'C:\\new\\table \\N', text: 'tab\there\nnew line\\.\n\\.\r\n' };

onBothDatabases((kind) => {
  test('of two wrong lines in different batches, the first is named', async () => {
    const site = await siteOn(kind);
    const projects = Array.from({ length: 1200 }, (_, index) =>
      project(index + 1, index === 700 ? { contributor: 99 } : {}),
    );
    const stream = new Blob([`${dump(ada, ...projects)}no JSON\n`]).stream();

    await expect(importDump(site.database, site.files, 'a dump', stream)).rejects.toThrow(
      'a dump:702: contributor: there is no contributor 99.',
    );
    expect(await count(site.database, sql`from project`)).toBe(0);
  });

  test('texts with backslashes, tabs and line ends stay as they are', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => project(index + 1, backslashes));
    const site = await siteOn(kind, { dump: dump(ada, ...lines) });

    const found = sql`from project where title = ${backslashes.title} and text = ${backslashes.text}`;
    expect(await count(site.database, found)).toBe(30);
  });
});
