// `vitrine webhook`.

import { expect, test } from 'bun:test';
import { emptyDatabase } from '../support/databases.ts';
import { vitrine, vitrineWithInput } from '../support/server.ts';

test('the operator creates, lists, switches, tests and deletes webhooks', async () => {
  const database = await emptyDatabase('SQLite');
  await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
  const run = (...args: string[]) => vitrine('webhook', ...args, '--database', database);
  const site = 'https://gallery.example.org';

  expect(await run('add', 'ada', 'http://10.1.2.3/', site, 'own')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: URL: A URL that begins with https:// is required.\n',
  });
  expect(
    (await run('add', 'ada', 'http://10.1.2.3/', site, 'own', '--webhook-allow-network', '10.0.0.0/8')).code,
  ).toBe(0);
  const added = await run('add', 'ada', 'https://example.org/events', site, 'own');
  expect(added.out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect((await run('remove', '1')).code).toBe(0);
  expect((await run('disable', '2')).code).toBe(0);
  expect((await run('list', 'ada')).out).toBe(
    'ID  USERNAME  EVENTS  STATE       FAILURES  DEAD  LAST SUCCESS  URL\n' +
      '2   ada       own     off: owner  0         0     never         https://example.org/events\n',
  );
  expect(await run('redeliver', '2')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: This webhook is switched off.\n',
  });
  expect((await run('enable', '2')).code).toBe(0);
  expect((await run('redeliver', '2', '3', '5')).code).toBe(0);
  expect((await run('attempts', '2')).out).toBe('CHANGE  AT  STATUS  ERROR  MS\n');
  expect((await run('attempts', '1')).error).toBe(
    'vitrine: There is no webhook "1": see vitrine webhook list.\n',
  );
});
