// Galleries of earlier versions, as files that these versions wrote: version 0.1.0, and the last schema before tables and
// migrations were written anew. People published, copied, rated, reported and commented in them, with one file.

import { expect, spyOn, test } from 'bun:test';
import fs, { existsSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { all, integer, nullable, pick, type Reader, select, text } from '#sql';
import manifest from '../../package.json';
import { newest } from '../../src/core/migrations/newest.ts';
import { jobTable } from '../../src/core/server-tables.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { loadSearchEntries } from '../../src/projects/searching/search-words.ts';
import { projectTable } from '../../src/projects/tables.ts';
import { isErasedSql } from '../../src/projects/visibility/visible-to.ts';
import { emptyDatabase, type Kind, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { serve, vitrine, vitrineProcess } from '../support/server.ts';
import { type Site, siteAt } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const nothingToDo = `The database has schema ${newest}, this version of Vitrine has ${newest}.\nThere is nothing to do.\n`;

const largest = Number.MAX_SAFE_INTEGER;

type Version = '0.1.0' | 'schema-45';
const versions = ['0.1.0', 'schema-45'] as const;

/** Keys of ada, who wrote project 1. */
const keys: Record<Version, Record<Kind, string>> = {
  '0.1.0': {
    SQLite: 'vtr_0HdE5tShKewWbdjAjsY0v9fYHh-TLlmAaAC9w7_Ry8Y',
    PostgreSQL: 'vtr_jh88ltkMpUN7ehcTRmNuUT04i-rwakhx70VJ_s4_a00',
  },
  'schema-45': {
    SQLite: 'vtr_8C9AleQThmjrUXDT4KYxmTUfx9xnkvE_h3bP0eSjvwE',
    PostgreSQL: 'vtr_-orxbGnpbSk6w4pwuiTBCS-mwdJRag4mwsjAwjEMJBc',
  },
};

/** The address of a copy of the gallery that the version wrote. */
async function galleryOf(version: Version, kind: Kind): Promise<string> {
  const address = await emptyDatabase(kind);
  const ending = kind === 'SQLite' ? 'sqlite' : 'postgres.sql';
  const stored = await Bun.file(join(import.meta.dir, `galleries/${version}.${ending}.gz`)).bytes();
  const content = Bun.gunzipSync(stored);
  if (kind === 'SQLite') await Bun.write(address, content);
  else {
    const client = new Bun.SQL({ url: address, max: 1 });
    await client.unsafe(new TextDecoder().decode(content));
    await client.close({ timeout: 0 });
  }
  return address;
}

const upgradedSite = async (version: Version, kind: Kind): Promise<Site> =>
  siteAt(await galleryOf(version, kind), { migrates: true });

const nameColumn = { name: text() };

/** The names of all tables with their columns, of triggers and views, and all indexes but primary keys as they were made. */
async function describeSchema(reader: Reader, kind: Kind): Promise<string[]> {
  const query =
    kind === 'SQLite'
      ? sql`from (
          select entry.name || ' ' || part.name as name from sqlite_master as entry, pragma_table_info(entry.name) as part
          where entry.type in ('table', 'view')
          union all select type || ' ' || case type when 'index' then sql else name end from sqlite_master
            where name not like 'sqlite_autoindex%'
        ) as named order by name`
      : sql`from (
          select table_name || ' ' || column_name || ' ' || data_type as name from information_schema.columns
          where table_schema = 'public'
          union all select 'index ' || indexdef from pg_indexes where schemaname = 'public' and indexname not like '%pkey'
          union all select 'trigger ' || tgname from pg_trigger where not tgisinternal and tgname not like 'test_%'
          union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
        ) as named order by name`;
  const names = (await reader.all(select(nameColumn, query))).map(({ name }) => name.replace(/\s+/g, ' '));
  return names.sort();
}

onBothDatabases((kind) => {
  test('the largest figures of 0.1.0 are cut to what clients can read', async () => {
    const address = await galleryOf('0.1.0', kind);
    const figures = ['rating_count', 'rating_sum', 'karma'];
    const added = figures.map(
      (figure) => `opening_${figure} = ${largest}, ${figure} = ${figure} + ${largest}`,
    );
    const client = new Bun.SQL(kind === 'SQLite' ? `sqlite://${address}` : address, { max: 1 });
    await client.unsafe(`update project set ${added.join()}`);
    await client.close({ timeout: 0 });
    const site = await siteAt(address, { migrates: true });
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await site.json('/api/v1/projects/5/?fields=rating_count,rating_sum,karma')).toEqual({
      rating_count: largest,
      rating_sum: largest,
      karma: largest,
    });
  });

  test('mails, updates after a rename and times of repeated work that wait in schema 45 still wait', async () => {
    const address = await galleryOf('schema-45', kind);
    const client = new Bun.SQL(kind === 'SQLite' ? `sqlite://${address}` : address, { max: 1 });
    await client.unsafe(`insert into mail (uuid, kind, contributor, address, content, is_bulk, created, attempts, due)
      values ('a-1', 'email_changed', 1, '"ada"@example.org', '{"to":"x"}', 1, 5, 2, 7)`);
    await client.unsafe(`insert into contributor_update (contributor, content, last_created, last_id)
      values (1, 'keep', 8, 2), (2, null, 0, 0)`);
    await client.unsafe(`insert into scheduled_job (name, finished, held_by, held_until)
      values ('public dump', 9, '', 0)`);
    await client.close({ timeout: 0 });
    const { database } = await siteAt(address, { migrates: true });
    const columns = pick(
      jobTable.columns,
      'kind',
      'name',
      'contributor',
      'priority',
      'content',
      'attempts',
      'due',
    );
    const jobs = await all(database, { ...columns, finished: jobTable.columns.finished })`from job
      where kind in ('mail', 'contributor_update', 'schedule') and name <> 'publish' order by kind, name`;
    const row = { priority: 0, attempts: 0, due: 0, finished: 0 };
    expect(jobs.map((job) => ({ ...job, content: job.content && JSON.parse(job.content) }))).toEqual([
      {
        ...row,
        ...{ kind: 'contributor_update', name: '1', contributor: 1 },
        content: { content: 'keep', last_created: 8, last_id: 2 },
      },
      {
        ...row,
        ...{ kind: 'contributor_update', name: '2', contributor: 2 },
        content: { content: null, last_created: 0, last_id: 0 },
      },
      {
        ...{ kind: 'mail', name: 'a-1', contributor: 1, priority: 1, attempts: 2, due: 7, finished: 0 },
        content: { kind: 'email_changed', address: '"ada"@example.org', content: { to: 'x' } },
      },
      { ...row, kind: 'schedule', name: 'public dump', contributor: null, content: '', finished: 9 },
    ]);
  });

  for (const version of versions) {
    test(`a gallery of ${version} opens with all that it has, and passes the check`, async () => {
      const site = await upgradedSite(version, kind);
      const header = { Authorization: `Token ${keys[version][kind]}` };

      expect(await checkGallery(site.database, false)).toEqual([]);
      expect(await site.json('/api/v1/me/', header)).toMatchObject({ id: 1, username: 'ada' });
      expect(await site.json('/api/v1/projects/?fields=id,title,copied_from,tags,karma,rating_sum')).toEqual({
        count: 6,
        next: null,
        previous: null,
        results: [
          {
            id: 7,
            title: 'Kite, remixed',
            copied_from: 1,
            tags: 'Kites, red wheel',
            karma: 2,
            rating_sum: 5,
          },
          { id: 6, title: 'Glue', copied_from: null, tags: '', karma: 0, rating_sum: 0 },
          { id: 5, title: 'Nice', copied_from: null, tags: '', karma: 1, rating_sum: 0 },
          { id: 4, title: 'Bridge of straws', copied_from: null, tags: 'straws', karma: 0, rating_sum: 2 },
          { id: 2, title: 'Weather balloon', copied_from: null, tags: 'kites', karma: 0, rating_sum: 3 },
          {
            id: 1,
            title: 'Kite with a red wheel',
            copied_from: null,
            tags: 'Kites, red wheel',
            karma: 7,
            rating_sum: 9,
          },
        ],
      });
      expect(await site.json('/api/v1/projects/3/', header)).toEqual({ detail: 'Not found.' });
      expect(await site.json('/api/v1/tags/')).toMatchObject({ count: 3 });
    });

    test(`an upgraded gallery of ${version} has the tables, columns and indexes of a new one`, async () => {
      const upgraded = await upgradedSite(version, kind);
      const fresh = await siteAt(await emptyDatabase(kind));
      expect(await describeSchema(upgraded.database, kind)).toEqual(
        await describeSchema(fresh.database, kind),
      );
    });

    test(`a search in an upgraded gallery of ${version} finds words and phrases, and offers a correction`, async () => {
      const site = await upgradedSite(version, kind);
      const search = async (words: string) => {
        const query = new URLSearchParams({ fields: 'id', search: words });
        const { results } = await visitor(site).json<{ results: { id: number }[] }>(
          `/api/v1/projects/?${query}`,
        );
        return results.map(({ id }) => id);
      };

      expect(await search('kite')).toEqual([7, 1, 2]);
      expect(await search('lovelace')).toEqual([6, 2, 1]);
      expect(await search('"red wheel"')).toEqual([1, 7]);
      expect(await search('"wheel red"')).toEqual([]);
      expect(await search('京 タワ')).toEqual([7, 1]);
      expect((await visitor(site).open('/?search=whele')).hasLink('/?search=wheel')).toBe(true);
    });

    test(`the search index of an upgraded gallery of ${version} matches its projects`, async () => {
      const { database } = await upgradedSite(version, kind);
      const audit = database.auditSearch();
      const entries = await loadSearchEntries(database, sql`not ${isErasedSql}`);

      expect(entries).toHaveLength(10);
      expect(await audit.findMismatches(entries)).toEqual([]);
      expect(await audit.findOrphans(sql`not ${isErasedSql}`)).toEqual([]);
    });
  }

  test('followers of the change log learn of the karma that ratings have earned since 0.1.0', async () => {
    const site = await upgradedSite('0.1.0', kind);
    const columns = {
      id: projectTable.columns.id,
      karma: integer(),
      opening_karma: integer(),
      earned_karma: integer(),
    };
    const rated = sql`from project where id in (select project from rating) order by id`;
    expect(await site.database.all(select(columns, rated))).toEqual([
      { id: 1, karma: 7, opening_karma: 0, earned_karma: 7 },
      { id: 2, karma: 0, opening_karma: 0, earned_karma: 0 },
      { id: 4, karma: 0, opening_karma: 0, earned_karma: 0 },
      { id: 7, karma: 2, opening_karma: 0, earned_karma: 2 },
    ]);
    const { results } = await visitor(site).json<{ results: { action: string; id: number }[] }>(
      '/api/v1/changes/?since=0',
    );
    expect(
      results
        .filter(({ action }) => action === 'credited')
        .map(({ id }) => id)
        .slice(-4),
    ).toEqual([1, 2, 4, 7]);
  });

  test('copied files of 0.1.0 know where they were uploaded', async () => {
    const { database } = await upgradedSite('0.1.0', kind);
    const columns = { project: integer(), origin: nullable(integer()) };
    expect(await database.all(select(columns, sql`from media order by project`))).toEqual([
      { project: 1, origin: null },
      { project: 7, origin: 1 },
      { project: 10, origin: 1 },
    ]);
  });

  test('people who open the database find times that they can read, to the microsecond', async () => {
    const { database } = await upgradedSite('0.1.0', kind);
    const times = [-1_000_001, -1, 1_400_595_865_123_456];
    for (const [id, time] of times.entries())
      await database.transaction((transaction) =>
        transaction.run(sql`update project set created = ${time}, trashed = null where id = ${id + 1}`),
      );
    const columns = {
      created: text(sql`replace(cast(created as text), ' ', 'T')`),
      trashed: nullable(text(sql`cast(trashed as text)`)),
    };
    const rows = await database.all(select(columns, sql`from readable_project where id <= 3 order by id`));
    expect(rows.map(({ created, trashed }) => [created.slice(0, 26), trashed])).toEqual([
      ['1969-12-31T23:59:58.999999', null],
      ['1969-12-31T23:59:59.999999', null],
      ['2014-05-20T14:24:25.123456', null],
    ]);
  });

  test('several processes that upgrade a database at once all find it complete', async () => {
    const address = await galleryOf('0.1.0', kind);

    const migrated = await Promise.all([1, 2, 3].map(() => vitrineProcess('migrate', '--database', address)));
    expect(migrated.map(({ code, out }) => ({ code, out }))).toEqual(
      Array(3).fill({ code: 0, out: nothingToDo }),
    );
    // One of them has done it.
    expect(migrated.map(({ error }) => error).join('')).toMatch(
      new RegExp(`^Schema 6 → ${newest} in \\d+\\.\\d s\\. .*\\n$`),
    );

    const site = await siteAt(address);
    expect(await visitor(site).json('/api/v1/projects/?search=kite')).toMatchObject({ count: 3 });
  });

  test('commands leave an earlier gallery as it is, and say what to do', async () => {
    const address = await galleryOf('schema-45', kind);
    const file = temporaryPath('dump.ndjson');
    await Bun.write(file, '');
    const refused = {
      code: 2,
      out: '',
      error: `vitrine: The database has schema 45, this version of Vitrine has ${newest}: make a backup with the version before, then run vitrine migrate or start the server, which bring it there.\n`,
    };
    const commands = [
      ['user', 'list'],
      ['user', 'add', 'zoe'],
      ['site', 'set', 'name', 'Kites'],
      ['check'],
      ['export', '-'],
      ['import', file],
      ['backup', temporaryPath('backups')],
      ['setup', 'zoe', '--kind', 'class'],
      ['copy', '--to', temporaryPath('copy.sqlite'), '--from', address],
    ];
    for (const [name = '', ...operands] of commands) {
      const place = name === 'copy' ? [] : ['--database', address];
      const { error, ...result } = await vitrine(name, ...operands, ...place);
      expect([name, { ...result, error }]).toEqual([
        name,
        name === 'copy' ? { ...refused, error: expect.stringContaining('has schema 45') } : refused,
      ]);
    }
    const looked = await vitrine('doctor', '--database', address);
    expect(looked.out).toContain(`- The database has schema 45, this version of Vitrine has ${newest}.\n`);
  });

  test('a schema that no release has made is refused in one sentence, and nothing is changed', async () => {
    const address = await galleryOf('schema-45', kind);
    const database = await siteAt(address, { migrates: true });
    await database.database.transaction(async (transaction) => {
      await transaction.run(raw('delete from migration'));
      await transaction.run(sql`insert into migration (number, name) values (20, 'second factor')`);
    });
    await database.close();

    expect(await vitrine('check', '--database', address)).toEqual({
      code: 2,
      out: '',
      error:
        'vitrine: The database has schema 20, which no release of Vitrine has made: export the gallery with the program that made it, and import the file into a new database.\n',
    });
  });
});

test('before a file of SQLite is migrated, it is copied for two weeks, for nobody else to read', async () => {
  const address = await galleryOf('schema-45', 'SQLite');
  const copy = `${address}.schema-45`;
  const { code, error } = await vitrine('migrate', '--database', address);
  expect({ code, error: error.replace(/[\d.]+ s\./, 'T s.') }).toEqual({
    code: 0,
    error: `Schema 45 → ${newest} in T s. The file of before is ${copy}; it is deleted after 14 days.\n`,
  });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect((await vitrine('migrate', '--plan', '--database', copy)).out).toStartWith(
    'The database has schema 45,',
  );
  const until = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  expect((await vitrine('doctor', '--database', address)).out).toContain(
    `a copy from before a migration in ${copy} (1 MB), deleted on ${until}`,
  );

  // The way back. On a full disk, nothing changes.
  renameSync(copy, address);
  using _ = spyOn(fs, 'statfsSync').mockReturnValue({
    ...fs.statfsSync('/'),
    bavail: 5_000_000,
    bsize: 1,
  });
  expect(await vitrine('migrate', '--database', address)).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(
      /^vitrine: The disk of the database .* has 5 MB free, and a copy before the migration needs \d+ MB: make room, or make a backup elsewhere and give --no-copy\.\n$/,
    ),
  });
  expect((await vitrine('migrate', '--no-copy', '--database', address)).error).toEndWith(
    ' No copy of before was kept.\n',
  );
  expect(existsSync(copy)).toBe(false);
});

test('a server says what it has migrated, and deletes copies of before when they are two weeks old', async () => {
  const address = await galleryOf('schema-45', 'SQLite');
  const old = `${address}.schema-7`;
  await Bun.write(old, 'old');
  const date = new Date(Date.now() - 14 * 86_400_000 - 1000);
  utimesSync(old, date, date);
  const server = await serve('--database', address);
  await waitFor(() => !existsSync(old) || undefined);
  expect(await server.stop()).toBe(0);
  expect(server.lines.join('\n')).toContain(`Schema 45 → ${newest} in `);
  expect(existsSync(`${address}.schema-45`)).toBe(true);
  expect((await vitrine('doctor', '--database', address)).out).toContain(
    `served by ${manifest.version} with schema ${newest} (last start ${new Date().toISOString().slice(0, 10)})`,
  );
});
