// `vitrine doctor` names what is wrong, what to do about it, and changes nothing.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { serve, vitrine } from '../support/server.ts';
import { ada, dump, project, siteAt } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

/** The problems that it names, without what depends on the room on the disks of this machine. */
async function examine(...args: string[]) {
  const { code, out, error } = await vitrine('doctor', '--upload-limit', '1', ...args);
  expect(error).toBe('');
  const problems = [...out.matchAll(/^- (.*)\n {2}\S.*$/gm)].map(([, problem]) => problem as string);
  expect(code).toBe(problems.length ? 1 : 0);
  return problems.filter((problem) => !problem.startsWith('The disk of '));
}

test('it prints JSON for programs', async () => {
  const options = ['--database', await emptyDatabase('SQLite'), '--files', temporaryPath('files')];
  const { code, out } = await vitrine('doctor', '--json', ...options);
  const inspections = JSON.parse(out) as Record<string, { findings: { problem: string }[] }>;
  expect(Object.keys(inspections)).toEqual(['Settings', 'Database', 'Files', 'Backups', 'Mail', 'Machine']);
  const problems = inspections.Database?.findings.map(({ problem }) => problem);
  expect([code, problems]).toEqual([1, [expect.stringContaining('There is no file')]]);
});

onBothDatabases((kind) => {
  test('a gallery that a server uses is examined', async () => {
    const options = ['--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    await serve('--demo', ...options);
    // The server of the tests is fast rather than safe.
    const ofTests = [
      'fsync is off: a power cut can destroy the whole database.',
      'Vitrine signs in to PostgreSQL as a superuser.',
    ];
    const problems = await examine(...options);
    expect(problems.filter((problem) => kind === 'SQLite' || !ofTests.includes(problem))).toEqual([]);
    if (kind === 'PostgreSQL') expect(problems).toContain(String(ofTests[0]));
  });

  test('servers that leave out different features are named', async () => {
    const options = ['--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    const findDifference = async () =>
      (await examine(...options)).filter((problem) => problem.includes('leave out'));
    await serve(...options);
    await serve(...options);
    const other = await serve(...options, '--only', 'api', '--without', 'wall', '--without', 'demo');
    const difference =
      'Servers of this gallery leave out different features: --only api --without demo --without wall; nothing.';
    await waitFor(async () => (await findDifference()).includes(difference));
    await other.stop();
    expect(await findDifference()).toEqual([]);
  });
});

test('servers that share a port, on a machine that resets the connections of one that ends', async () => {
  const options = ['--database', await emptyDatabase('SQLite'), '--files', temporaryPath('files')];
  const setting = '/proc/sys/net/ipv4/tcp_migrate_req';
  const resets = existsSync(setting) && readFileSync(setting, 'utf8') === '0\n';
  const problem =
    'A process that ends while others share its port resets connections that it has not taken yet.';
  for (const [shared, isNamed] of [
    [[], false],
    [['--workers', '2'], resets],
    [['--reuse-port'], resets],
  ] as const)
    expect((await examine(...options, ...shared)).includes(problem)).toBe(isNamed);
});

test('settings that do not fit together', async () => {
  const path = temporaryPath('settings.sqlite');
  const database = ['--database', path];
  const missing = `There is no file ${path}.`;
  expect(await examine(...database, '--host', '0.0.0.0', '--hsts', '3600', '--read-limit', 'off')).toEqual([
    "The server listens on 0.0.0.0, but serves only this machine's own names: others get 400.",
    '--hsts is never sent, because without a trusted proxy no request counts as https.',
    'Requests are not limited: one program can keep the server busy.',
    missing,
  ]);
  expect(await examine(...database, '--allowed-host', '*', '--trusted-proxy', '0.0.0.0/0')).toEqual([
    'Every host name is allowed: links in responses name the host that a client sends.',
    'Every address is a trusted proxy: clients can choose the address by which limits count.',
    missing,
  ]);
  expect(await examine(...database, '--allowed-host', 'gallery.example.org')).toEqual([
    'Requests for the site come through a proxy that is not trusted: all people share one address and its limits, and links begin with http.',
    missing,
  ]);
  expect(existsSync(path)).toBe(false);
});

test('a file that others may read, with a change from the future, and damaged', async () => {
  const path = temporaryPath('bad.sqlite');
  await (await siteAt(path, { dump: dump(ada, project(1)) })).close();
  chmodSync(path, 0o644);
  const connection = new Database(path);
  connection.run('update change set at = at + 1e15 where sequence = (select max(sequence) from change)');
  connection.close();
  const before = await Bun.file(path).bytes();
  const [shared, future, ...others] = await examine('--database', path);
  expect(shared).toBe(`Other users of this machine may open ${path}.`);
  expect(future).toMatch(/^The newest change is \d+ seconds in the future: a clock is or was wrong\.$/);
  expect(others).toEqual([]);
  expect(await Bun.file(path).bytes()).toEqual(before);
  expect([`${path}-wal`, `${path}-shm`].filter(existsSync)).toEqual([]);

  before.fill(255, before.length - 8192);
  await Bun.write(path, before);
  expect((await examine('--database', path)).at(-1)).toMatch(/^The database is damaged \([^\n]+[^.]\)\.$/);
});

test('what cannot be looked at is a mistake, and no password is shown', async () => {
  const folder = temporaryPath('folder');
  mkdirSync(folder);
  for (const [database, sentence] of [
    [`${folder}/no/x.sqlite`, `The folder of the database ${folder}/no/x.sqlite does not exist.`],
    [
      'postgres://me:secret@127.0.0.1:1/x',
      'The PostgreSQL server at 127.0.0.1:1/x cannot be used: Failed to connect.',
    ],
  ] as const)
    expect(await vitrine('doctor', '--database', database)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: ${sentence}\n`,
    });
});
