// The commands for accounts and keys, beside a server that runs on the same database.

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'bun';
import sql from 'sql-template-tag';
import { pick, select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { contributorTable } from '../../src/core/contributors/tables.ts';
import { openFileStore } from '../../src/core/files/open-store.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import {
  copyDatabase,
  emptyDatabase,
  filesFolder,
  type Kind,
  onBothDatabases,
  temporaryPath,
} from '../support/databases.ts';
import { program } from '../support/program.ts';
import { serve, vitrine, vitrineProcessWithInput, vitrineWithInput, writtenTo } from '../support/server.ts';
import { contentOf } from '../support/site.ts';

const folder = join(import.meta.dir, '../exchanges');
const readDump = (file: string) => readFileSync(join(folder, file), 'utf8');

const templates = new Map<Kind, string>();

/** The address of a gallery that a test may change: imported once for each database, and copied. */
async function galleryOn(kind: Kind): Promise<string> {
  const template = templates.get(kind) ?? (await importTemplate(kind));
  return copyDatabase(kind, template);
}

async function importTemplate(kind: Kind): Promise<string> {
  const address = await emptyDatabase(kind);
  const database = await openGallery(address);
  await importDump(
    database,
    await openFileStore(filesFolder(address)),
    'the gallery',
    new Blob([readDump('gallery.ndjson')]).stream(),
  );
  await database.close();
  templates.set(kind, address);
  return address;
}

onBothDatabases((kind) => {
  test('changes to an account and its keys by commands apply at once in a running server', async () => {
    const address = await galleryOn(kind);
    const database = ['--database', address];
    const server = await serve(...database);
    const readSession = async (key: string) => {
      const response = await fetch(`${server.address}/api/v1/auth/session/`, {
        headers: { Authorization: `Token ${key}` },
      });
      return [response.status, await response.json()];
    };
    const signIn = async (username: string, password: string) => {
      const body = new URLSearchParams({ username, password });
      return (await fetch(`${server.address}/api/v1/auth/token/`, { method: 'POST', body })).status;
    };
    const account = { contributor: 10, username: 'grace', name: 'Grace Hopper', csrf_token: null };

    const added = await vitrineProcessWithInput(
      'nanoseconds of wire\nnot read\n',
      ...['user', 'add', 'grace', 'admin', 'Grace', 'Hopper', ...database],
    );
    expect(added).toEqual({
      code: 0,
      out: '',
      error: `grace has an account, as admin.\n${writtenTo(address)}`,
    });
    expect(await signIn('grace', 'nanoseconds of wire')).toBe(200);

    const newKey = await vitrine('key', 'add', 'grace', 'statistics', 'read', '30', ...database);
    const key = newKey.out.trimEnd();
    expect(newKey).toEqual({
      code: 0,
      out: expect.stringMatching(/^vtr_[\w-]{43}\n$/),
      error: writtenTo(address),
    });
    expect(await readSession(key)).toEqual([200, { ...account, role: 'admin' }]);

    await vitrineWithInput('nanoseconds of wire\n', 'user', 'add', 'hopper', 'admin', ...database);
    await vitrine('user', 'role', 'grace', 'moderator', ...database);
    expect(await readSession(key)).toEqual([200, { ...account, role: 'moderator' }]);

    await vitrine('user', 'disable', 'grace', ...database);
    expect(await readSession(key)).toEqual([401, { detail: 'User inactive or deleted.' }]);
    expect(await signIn('grace', 'nanoseconds of wire')).toBe(400);

    await vitrine('user', 'enable', 'grace', ...database);
    expect((await readSession(key))[0]).toBe(200);
    const input = 'another wire altogether';
    const changed = await vitrineWithInput(input, 'user', 'password', 'GRACE', ...database);
    expect(changed.error).toBe(
      `grace has a new password; all sessions and keys ended.\n${writtenTo(address)}`,
    );
    expect(await readSession(key)).toEqual([401, { detail: 'Invalid token.' }]);
    expect(await signIn('grace', 'nanoseconds of wire')).toBe(400);
    expect(await signIn('grace', 'another wire altogether')).toBe(200);

    const nextKey = await vitrine('key', 'add', 'grace', 'statistics', 'read', ...database);
    const readNext = () => readSession(nextKey.out.trimEnd());
    expect((await readNext())[0]).toBe(200);
    const keys = await vitrine('key', 'list', 'grace', ...database);
    const [, id = ''] = /^(\d+) +grace +statistics +read /m.exec(keys.out) ?? [];
    const revoked = await vitrine('key', 'revoke', id, ...database);
    expect(revoked).toEqual({ code: 0, out: '', error: `The key ${id} is revoked.\n${writtenTo(address)}` });
    expect(await readNext()).toEqual([401, { detail: 'Invalid token.' }]);
  });

  test('an imported contributor who gets an account keeps id and names', async () => {
    const address = await galleryOn(kind);
    await vitrineWithInput('analytical engine', 'user', 'add', 'ada', '--database', address);

    expect(await vitrine('user', 'list', '--database', address)).toEqual({
      code: 0,
      out:
        'ID  USERNAME  NAME          ROLE         DISABLED  PASSWORD  SECOND FACTOR  KEYS\n' +
        '7   ada       Ada Lovelace  contributor            yes       no             0\n',
      error: '1 account.\n',
    });
    const names = { id: 7, username: 'ada', name: 'Ada Lovelace', role: 'contributor' };
    const listed = await vitrine('user', 'list', '--json', '--database', address);
    expect(JSON.parse(listed.out)).toEqual([
      { ...names, disabled: null, password: true, second_factor: false, keys: 0 },
    ]);
    expect(await vitrine('user', 'role', 'ada', 'admin', '--json', '--database', address)).toMatchObject({
      code: 2,
      error: expect.stringContaining('user role lists nothing: it takes no --json.'),
    });
  });

  test('a contributor without an account is not taken for somebody else of the same username', async () => {
    const address = await galleryOn(kind);
    const database = ['--database', address];
    const add = (...names: string[]) =>
      vitrineWithInput('analytical engine\n', 'user', 'add', 'ada', 'admin', ...names, ...database);
    expect(await add('Ada', 'Okafor')).toEqual({
      code: 2,
      out: '',
      error:
        'vitrine: The name ada is taken by Ada Lovelace, who has no account yet: leave out the names to give one to them, or choose another username.\n',
    });
    expect(await add()).toEqual({
      code: 0,
      out: '',
      error: `ada (Ada Lovelace) has an account, as admin.\n${writtenTo(address)}`,
    });
  });

  test('commands are in the change log, without secrets', async () => {
    const address = await galleryOn(kind);
    const database = ['--database', address];
    await vitrineWithInput('nanoseconds of wire', 'user', 'add', 'grace', ...database);
    await vitrine('key', 'add', 'grace', 'statistics', 'write', ...database);
    const { out } = await vitrine('user', 'invite', '2', ...database);
    expect(out).toMatch(/^([\w-]{43}\n){2}$/);
    await vitrine('user', 'disable', 'grace', ...database);

    const gallery = await openGallery(address);
    const changes = await gallery.all(
      select(
        pick(changeTable.columns, 'actor', 'action', 'kind', 'subject', 'record', 'owner', 'listed'),
        sql`from change where action <> 'imported' order by sequence`,
      ),
    );
    const { created } = (await gallery.first(
      select(contributorTable.columns, sql`from contributor where id = 10`),
    )) ?? { created: 0 };
    await gallery.close();
    const createdAt = Temporal.Instant.fromEpochNanoseconds(BigInt(created) * 1000n);
    const record = `{"type":"contributor","id":10,"username":"grace","first_name":"","last_name":"","created":"${createdAt
      .toString({ fractionalSecondDigits: 6 })
      .replace('Z', '+00:00')}"}`;
    const byCommand = { actor: null, listed: 0 };
    expect([...changes]).toEqual([
      { ...byCommand, action: 'created', kind: 'contributor', subject: 10, record, owner: 10 },
      { ...byCommand, action: 'created', kind: 'account', subject: 10, record: '', owner: 10 },
      { ...byCommand, action: 'created', kind: 'key', subject: 1, record: '', owner: 10 },
      { ...byCommand, action: 'created', kind: 'invitation', subject: 0, record: '', owner: null },
      { ...byCommand, action: 'created', kind: 'invitation', subject: 0, record: '', owner: null },
      { ...byCommand, action: 'disabled', kind: 'account', subject: 10, record: '', owner: 10 },
      { ...byCommand, action: 'disabled', kind: 'decision', subject: 1, record: '', owner: null },
    ]);
  });

  test('an export of accounts and keys is byte for byte what was imported', async () => {
    const address = await galleryOn(kind);
    const path = temporaryPath('people.ndjson');
    await Bun.write(path, readDump('people.ndjson'));
    expect((await vitrine('import', path, '--database', address)).code).toBe(0);

    const lines = (readDump('gallery.ndjson') + readDump('people.ndjson')).trimEnd().split('\n');
    const linesOf = (type: string) => lines.filter((line) => line.startsWith(`{"type":"${type}"`));
    const { out } = await vitrine('export', '-', '--database', address);
    expect(contentOf(out).trimEnd().split('\n')).toEqual([
      ...linesOf('contributor'),
      ...linesOf('account'),
      ...linesOf('key'),
      ...linesOf('project'),
    ]);
  });

  test('the change log has no secret of imported accounts and keys', async () => {
    const address = await galleryOn(kind);
    const path = temporaryPath('people.ndjson');
    await Bun.write(path, readDump('people.ndjson'));
    await vitrine('import', path, '--database', address);

    const gallery = await openGallery(address);
    const changes = await gallery.all(
      select(
        pick(changeTable.columns, 'kind', 'record'),
        sql`from change where kind in ('account', 'key') or record like '%argon2%' order by sequence`,
      ),
    );
    await gallery.close();
    expect([...changes]).toEqual([
      ...Array(6).fill({ kind: 'account', record: '' }),
      ...Array(8).fill({ kind: 'key', record: '' }),
    ]);
  });
});

describe('an operator mistake is reported in one sentence with exit code 2:', () => {
  const mistakes: [mistake: string, args: string[], input: string, sentence: string][] = [
    [
      'no subcommand',
      ['user'],
      '',
      'user needs one of add, list, role, password, password-link, email, reset-second-factor, disable, enable, invite. See vitrine help.',
    ],
    [
      'too few arguments',
      ['key', 'add', 'ada'],
      '',
      'It is: vitrine key add USERNAME NAME read|write [DAYS]',
    ],
    ['too many arguments', ['user', 'list', 'ada'], '', 'It is: vitrine user list'],
    [
      'an unknown role',
      ['user', 'add', 'ada', 'owner'],
      '',
      'ROLE must be one of contributor, moderator, admin; it was "owner".',
    ],
    [
      'an invalid username',
      ['user', 'add', 'a b'],
      '',
      'USERNAME: Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
    ],
    [
      'an unknown username',
      ['user', 'role', 'ada', 'admin'],
      '',
      'There is no account with the username "ada".',
    ],
    [
      'a password that is too short',
      ['user', 'add', 'ada'],
      'short\n',
      'Password: This password is too short. It must contain at least 8 characters.',
    ],
    ['a common password', ['user', 'add', 'ada'], 'password123\n', 'Password: This password is too common.'],
    [
      'a password that is the username',
      ['user', 'add', 'lovelace'],
      'Lovelace 815\n',
      'Password: The password is too similar to the username.',
    ],
    [
      'no password',
      ['user', 'add', 'ada'],
      '',
      'A password is needed: the first line of standard input is empty.',
    ],
    [
      'a password as an argument',
      ['user', 'password', 'ada', 'secret'],
      '',
      'It is: vitrine user password USERNAME',
    ],
    [
      'too many invitations',
      ['user', 'invite', '51'],
      '',
      'COUNT: Ensure this value is less than or equal to 50.',
    ],
    ['an unknown key', ['key', 'revoke', '1'], '', 'There is no key "1": see vitrine key list.'],
    [
      'an unknown kind of access',
      ['key', 'add', 'ada', 'a', 'own'],
      '',
      'ACCESS: "own" is not a valid choice.',
    ],
  ];
  const database = temporaryPath('mistakes.sqlite');
  for (const [mistake, args, input, sentence] of mistakes) {
    test(mistake, async () => {
      expect(await vitrineWithInput(input, ...args, '--database', database)).toEqual({
        code: 2,
        out: '',
        error: `vitrine: ${sentence}\n`,
      });
    });
  }
});

/** Runs a command at a terminal and types these answers when it asks; returns all text that the terminal showed. */
async function runAtTerminal(args: string[], ...answers: string[]): Promise<{ code: number; shown: string }> {
  let shown = '';
  const child = spawn([await program(), ...args], {
    terminal: {
      data(terminal, chunk) {
        shown += new TextDecoder().decode(chunk);
        if (/(Password|The same again): $/.test(shown)) terminal.write(answers.shift() ?? '');
      },
    },
  });
  const code = await child.exited;
  child.terminal?.close();
  return { code, shown: shown.replaceAll('\r', '') };
}

describe('at a terminal', () => {
  const address = temporaryPath('terminal.sqlite');
  const database = ['--database', address];

  test('a password is asked for twice, and is not shown', async () => {
    const typedPassword = 'analyticalX\u007f engine\r';
    expect(
      await runAtTerminal(['user', 'add', 'ada', ...database], typedPassword, 'analytical engine\r'),
    ).toEqual({
      code: 0,
      shown: `Password: \nThe same again: \nada has an account, as contributor.\n${writtenTo(address)}`,
    });
  });

  test('two different passwords change nothing, and neither does Ctrl-C', async () => {
    const changePassword = ['user', 'password', 'ada', ...database];
    expect(await runAtTerminal(changePassword, 'one engine\r', 'another\r')).toEqual({
      code: 2,
      shown: 'Password: \nThe same again: \nvitrine: The two passwords differ: nothing was changed.\n',
    });

    expect(await runAtTerminal(changePassword, 'one\u0003')).toEqual({
      code: 2,
      shown: 'Password: vitrine: Interrupted: nothing was changed.\n',
    });
  });
});
