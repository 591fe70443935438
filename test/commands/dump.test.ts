// Dumps, as the commands import and export them.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { integer, pick, select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { createFolderStore } from '../../src/core/files/folder.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { projectTable } from '../../src/projects/tables.ts';
import {
  emptyDatabase,
  filesFolder,
  type Kind,
  onBothDatabases,
  temporaryPath,
} from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { program } from '../support/program.ts';
import { serve, startWithInput, vitrine } from '../support/server.ts';
import { onPostgres } from '../support/shared-postgres.ts';
import { ada, contentOf, contributor, dump, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const gallery = readFileSync(join(import.meta.dir, '../exchanges/gallery.ndjson'), 'utf8');
const lineCount = gallery.trim().split('\n').length;

function writeDump(text: string | Uint8Array): string {
  const path = temporaryPath('dump.ndjson');
  writeFileSync(path, text);
  return path;
}

async function exportText(database: string): Promise<string> {
  const { out } = await vitrine('export', '-', '--database', database);
  return contentOf(out);
}

/** Whether a transaction on the new database has written something. */
async function hasWritten(kind: Kind, database: string): Promise<boolean> {
  if (kind === 'SQLite') return (statSync(`${database}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const writing = await onPostgres(
    // Its latest statement may be of any table: the import waits for more lines.
    'select from pg_stat_activity where datname = $1 and backend_xid is not null',
    [database.split('/').at(-1)],
  );
  return writing.length > 0;
}

/** Does the same without a process. */
async function exportInProcess(address: string): Promise<string> {
  const database = await openGallery(address);
  let text = '';
  await exportDump(database, createFolderStore(filesFolder(address)), async (lines) => {
    text += lines;
  });
  await database.close();
  return contentOf(text);
}

onBothDatabases((kind) => {
  test('an export is byte for byte what was imported', async () => {
    const database = await emptyDatabase(kind);

    const imported = await vitrine('import', '--database', database, writeDump(gallery));
    expect([imported.code, imported.error]).toEqual([
      0,
      expect.stringContaining(`3 contributors and ${lineCount - 3} projects imported.`),
    ]);

    const path = temporaryPath('out.ndjson');
    const exported = await vitrine('export', path, '--database', database);
    expect(exported).toEqual({ code: 0, out: '', error: `${2 * lineCount + 2} lines exported.\n` });
    expect(contentOf(readFileSync(path, 'utf8'))).toBe(gallery);
  });

  test('a link in capitals and a slug and a file name longer than new ones are imported as they are', async () => {
    const database = await emptyGallery(kind);
    const hash = new Bun.CryptoHasher('sha256').update('x').digest('hex');
    const lines = dump(
      ada,
      project(1, { content_type: 'link', link: 'HTTPS://Example.org/', slug: 'a'.repeat(255) }),
      JSON.stringify({
        type: 'media',
        project: 1,
        number: 1,
        position: 1,
        media_type: 'text/plain',
        name: `${'a'.repeat(196)}.txt`,
        alt: '',
        sizes: [{ hash, bytes: 1, width: null, height: null }],
      }),
      JSON.stringify({ type: 'bytes', hash, of: 1, at: 0, base64: btoa('x') }),
    );
    const files = ['--files', temporaryPath('files')];

    const { error } = await vitrine('import', '--database', database, ...files, writeDump(lines));
    expect(error).toContain('1 contributors and 1 projects imported.');

    const { out } = await vitrine('export', '-', '--database', database, ...files);
    expect(contentOf(out)).toBe(lines);
  });

  test('replies to replies, thousands deep, all belong to the project', async () => {
    // More than this process or SQLite could follow by recursion.
    const count = kind === 'SQLite' ? 12_000 : 2000;
    const comments = Array.from({ length: count }, (_, index) =>
      project(index + 2, { title: 'Reply', content_type: 'comment', parent: index + 1 }),
    );
    const site = await siteOn(kind, { dump: dump(ada, project(1), ...comments) });

    const { root } = projectTable.columns;
    const rows = await site.database.all(
      select({ root, count: integer(sql`count(*)`) }, sql`from project where id > 1 group by root`),
    );
    expect(rows).toEqual([{ root: 1, count }]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('importing again replaces rows of the same id and leaves the others', async () => {
    const database = await emptyGallery(kind);
    await vitrine('import', '--database', database, writeDump(gallery));
    await vitrine('import', '--database', database, writeDump(gallery));
    expect(await exportText(database)).toBe(gallery);

    const renamedAda = contributor(7, 'ada', { last_name: 'King' });
    const changedProject = project(1, { title: 'Changed', contributor: 7, tags: ['new'] });
    await vitrine('import', '--database', database, writeDump(dump(renamedAda, changedProject)));
    const lines = gallery.split('\n');
    lines[0] = renamedAda;
    lines[3] = changedProject;
    expect(await exportText(database)).toBe(lines.join('\n'));
  });

  test('each imported line is in the change log, in order, with its record', async () => {
    const address = await emptyGallery(kind);
    await vitrine('import', '--database', address, writeDump(dump(ada, project(1))));
    const database = await openGallery(address);
    const rows = await database.all(
      select(
        pick(changeTable.columns, 'sequence', 'actor', 'action', 'kind', 'subject', 'record'),
        sql`from change order by sequence`,
      ),
    );
    await database.close();

    expect([...rows]).toEqual([
      { sequence: 1, actor: null, action: 'imported', kind: 'contributor', subject: 1, record: ada },
      { sequence: 2, actor: null, action: 'imported', kind: 'project', subject: 1, record: project(1) },
    ]);
  });

  const invalidFiles: [name: string, text: string | Uint8Array, reason: RegExp][] = [
    ['is not JSON', `${ada}\n{"type":`, /:2: is not JSON\./],
    ['is empty', `${ada}\n\n${project(1)}\n`, /:2: is not JSON\./],
    [
      'has an unknown type',
      '{"type":"robot"}\n',
      /:1: type: must be one of change_archive, change, contributor, .*, project, .*, site, .*, vitrine-dump, end\./,
    ],
    ['has an unknown member', dump(ada, project(1).replace('}', ',"mood":1}')), /:2: "mood": is not known\./],
    [
      'has a member with control characters of terminals',
      dump(ada, project(1).replace('}', ',"a\\n\\u001b[31m":1}')),
      /:2: "a\\n\\u001b\[31m": is not known\./,
    ],
    ['lacks a member', dump(ada, project(1).replace('"karma":0,', '')), /:2: karma: is missing\./],
    [
      'has several wrong members',
      dump(ada, project(1).replace('"karma":0', '"karma":-1').replace('"text":""', '"text":3')),
      /:2: text: must be a text\. karma: must be a whole number of at least 0\./,
    ],
    [
      'has an invalid date',
      dump(ada, project(1).replaceAll('2024-01-01', '2024-02-30')),
      /:2: created: must be a date-time between 1700 and 2199\. modified: must be a date-time between 1700 and 2199\./,
    ],
    [
      'has an unknown contributor',
      dump(ada, project(1, { contributor: 2 })),
      /:2: contributor: there is no contributor 2\./,
    ],
    [
      'has the uuid of another project in the file',
      dump(ada, project(1), project(2), project(3, { uuid: 'uuid000000000000000001' })),
      /:4: uuid: uuid000000000000000001 already belongs to id 1\./,
    ],
    [
      'has the username of another contributor',
      dump(ada, contributor(2, 'ada')),
      /:2: username: ada already belongs to id 1\./,
    ],
    [
      'has half a character',
      dump(ada, project(1).replace('"A project"', '"\\ud800"')),
      /:2: title: must be Unicode text without NUL\./,
    ],
    [
      'is not UTF-8',
      Buffer.concat([Buffer.from(dump(ada)), Buffer.from([0xff, 0xfe, 0x0a])]),
      /:2: is not UTF-8\./,
    ],
  ];
  describe('nothing is imported from a file with a line that', () => {
    for (const [name, text, reason] of invalidFiles) {
      test(name, async () => {
        const database = await emptyGallery(kind);
        const path = writeDump(text);

        const { code, out, error } = await vitrine('import', '--database', database, path);
        expect({ code, out, lines: error.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
        expect(error).toMatch(
          new RegExp(`^vitrine: ${path}${reason.source} Nothing of this file was imported\\.`),
        );
        expect(await exportInProcess(database)).toBe('');
      });
    }

    test('has the uuid of another project in the gallery', async () => {
      const database = await emptyGallery(kind);
      await vitrine('import', '--database', database, writeDump(dump(ada, project(1))));

      const lines = dump(project(2), project(3, { uuid: 'uuid000000000000000001' }));
      const { code, error } = await vitrine('import', '--database', database, writeDump(lines));
      expect([code, error]).toEqual([
        2,
        expect.stringContaining(':2: uuid: uuid000000000000000001 already belongs to id 1.'),
      ]);
      expect(await exportText(database)).toBe(dump(ada, project(1)));
    });
  });

  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    test(`an import that ends by ${signal} leaves nothing behind, and can be repeated`, async () => {
      const database = await emptyDatabase(kind);
      const child = await startWithInput('import', '-', '--database', database);
      child.stdin.write(dump(ada, ...Array.from({ length: 5000 }, (_, index) => project(index + 1))));
      await child.stdin.flush();
      await waitFor(() => hasWritten(kind, database));
      child.kill(signal);
      expect(await child.exited).not.toBe(0);
      expect(await exportText(database)).toBe('');

      const second = await vitrine('import', '--database', database, writeDump(gallery));
      expect(second.code).toBe(0);
      expect(await exportText(database)).toBe(gallery);
    });
  }
});

test('a dump is read from standard input, and an export to a pipe that is closed early is no error', async () => {
  const database = await emptyDatabase('SQLite');
  const vitrine = await program();
  await Bun.$`cat ${writeDump(gallery)} | ${vitrine} import - --database ${database}`.quiet();

  const { stdout, stderr } = await Bun.$`${vitrine} export - --database ${database} | head -n 1`.quiet();
  expect(stdout.toString()).toBe('{"type":"vitrine-dump","version":2}\n');
  expect(stderr.toString()).not.toContain('at ');
});

test('an export that fails leaves neither the file nor a part of it', async () => {
  const database = await emptyDatabase('SQLite');
  const path = temporaryPath('no-folder/out.ndjson');

  const { code, error } = await vitrine('export', path, '--database', database);
  expect([code, error.split('\n').length]).toEqual([2, 2]);
  expect([existsSync(path), existsSync(`${path}.unfinished`)]).toEqual([false, false]);
});

test('a new export file is readable by its owner only, and an existing one keeps its link and its mode', async () => {
  const database = await emptyDatabase('SQLite');
  await vitrine('import', '--database', database, writeDump(gallery));
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  const newFile = temporaryPath('new');
  await vitrine('export', newFile, '--database', database);
  expect([modeOf(newFile), contentOf(readFileSync(newFile, 'utf8'))]).toEqual(['600', gallery]);

  const [existing, link] = [temporaryPath('existing'), temporaryPath('link')];
  writeFileSync(existing, 'an earlier export', { mode: 0o640 });
  symlinkSync(existing, link);
  await vitrine('export', link, '--database', database);
  expect([modeOf(existing), contentOf(readFileSync(existing, 'utf8'))]).toEqual(['640', gallery]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('an export and a server start while another program holds the write lock', async () => {
  const database = await emptyDatabase('SQLite');
  await vitrine('import', '--database', database, writeDump(gallery));
  await (await serve('--database', database)).stop();
  const otherProgram = new Database(database);
  otherProgram.run('begin immediate');

  expect(await exportText(database)).toBe(gallery);

  const server = await serve('--database', database);
  expect((await fetch(`${server.address}/api/v1/projects/1/`)).status).toBe(200);

  await server.stop();
  otherProgram.run('rollback');
  otherProgram.close();
});

test('an import that fails beside a server leaves no long write-ahead log', async () => {
  const address = temporaryPath('gallery.sqlite');
  expect((await vitrine('import', writeDump(dump(ada)), '--database', address)).code).toBe(0);
  const server = await serve('--database', address);
  const text = 'A long text. '.repeat(4000);
  const projects = Array.from({ length: 100 }, (_, index) => project(index + 1, { text }));
  const file = writeDump(`${dump(ada, ...projects)}{"type":"nothing"}\n`);
  const { code, error } = await vitrine('import', file, '--database', address);
  expect([code, error]).toEqual([2, expect.stringContaining(':102: type: must be one of')]);
  expect(statSync(`${address}-wal`).size).toBeLessThan(1_000_000);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
});
