// An import parses lines while the database writes the ones before them.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count } from '#sql';
import { importDump } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, importInto, project, siteOn, uuidOf } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const backslashes = { title: 'C:\\new\\table \\N', text: 'tab\there\nnew line\\.\n\\.\r\n' };

onBothDatabases((kind) => {
  test('of two wrong lines in different batches, the first is named', async () => {
    const site = await siteOn(kind);
    const projects = Array.from({ length: 1200 }, (_, index) =>
      project(index + 1, index === 700 ? { contributor: 99 } : {}),
    );
    const stream = new Blob([`${dump(ada, ...projects)}no JSON\n`]).stream();

    expect(await refusalOf(importDump(site.database, site.files, 'a dump', stream))).toContain(
      'a dump:702: contributor: there is no contributor 99.',
    );
    expect(await count(site.database, sql`from project`)).toBe(0);
  });

  test('a large dump is imported whole, or not at all if its last line is wrong', async () => {
    const site = await siteOn(kind);
    const projects = Array.from({ length: 1500 }, (_, index) =>
      project(index + 1, { text: 'ñ'.repeat(500) }),
    );
    const lines = dump(ada, ...projects);

    expect(await refusalOf(importInto(site, `${lines}${project(1501, { uuid: uuidOf(1) })}\n`))).toContain(
      `the dump:1502: uuid: ${uuidOf(1)} already belongs to id 1.`,
    );
    expect(await count(site.database, sql`from project`)).toBe(0);

    await importInto(site, lines);
    expect(await count(site.database, sql`from project where text = ${'ñ'.repeat(500)}`)).toBe(1500);
  });

  test('a line that is not UTF-8 is named after the wrong lines before it', async () => {
    const site = await siteOn(kind);
    const importOf = (...lines: string[]) => {
      const bytes = new Blob([`\ufeff${dump(ada, ...lines)}`, new Uint8Array([0xff]), '\n']);
      return importDump(site.database, site.files, 'a dump', bytes.stream());
    };

    expect(await refusalOf(importOf(project(1)))).toContain('a dump:3: is not UTF-8.');
    expect(await refusalOf(importOf('no JSON'))).toContain('a dump:2: is not JSON.');
  });

  test('texts with backslashes, tabs and line ends stay as they are', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => project(index + 1, backslashes));
    const site = await siteOn(kind, { dump: dump(ada, ...lines) });

    const found = sql`from project where title = ${backslashes.title} and text = ${backslashes.text}`;
    expect(await count(site.database, found)).toBe(30);
  });
});
