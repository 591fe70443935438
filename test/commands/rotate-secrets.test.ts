// `rotate-secrets`: what servers sign is signed by a new secret, while they go on.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { isSignature, sign } from '#common/signature.ts';
import { rotateSecrets, ServerSecrets } from '../../src/core/server-secrets.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { serve, vitrine, writtenTo } from '../support/server.ts';
import { ada, dump, project, siteAt } from '../support/site.ts';
import { waitForValue } from '../support/waiting.ts';

afterEach(() => void setSystemTime());

const minute = 60_000;
const day = 24 * 60 * minute;

onBothDatabases((kind) => {
  test('a server goes on with new secrets: cursors of before are valid until --now, and nobody is signed out', async () => {
    const address = await emptyDatabase(kind);
    const site = await siteAt(address, { dump: dump(ada, project(1), project(2)) });
    const { Cookie = '' } = await site.signIn('ada');
    await site.close();
    const server = await serve('--database', address);
    const statusOf = async (path: string) =>
      (await fetch(server.address + path, { headers: { Cookie } })).status;
    const readCursor = async () => {
      const page = await fetch(`${server.address}/api/v1/projects/?cursor=&page_size=1`);
      return new URL(((await page.json()) as { next: string }).next);
    };
    const { pathname, search } = await readCursor();

    const rotated = await vitrine('rotate-secrets', '--database', address);
    expect({ ...rotated, error: rotated.error.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d/, 'TIME') }).toEqual({
      code: 0,
      out: '',
      error: `New secrets sign in a minute. What the earlier ones have signed is valid until TIME UTC.\n${writtenTo(address)}`,
    });
    expect(await statusOf(pathname + search)).toBe(200);
    expect(await vitrine('rotate-secrets', '--now', '--database', address)).toEqual({
      code: 0,
      out: '',
      error: `New secrets sign within ten seconds. What the earlier ones have signed is not valid any more: open forms must be loaded again.\n${writtenTo(address)}`,
    });
    await waitForValue(() => statusOf(pathname + search), 404);
    const { pathname: next, search: cursor } = await readCursor();
    expect([await statusOf(next + cursor), await statusOf('/mine/')]).toEqual([200, 200]);
  });

  test('all servers accept the new secret a minute before one signs with it, and the earlier one for a week', async () => {
    const { database } = await siteAt(await emptyDatabase(kind));
    const start = Date.now();
    setSystemTime(new Date(start));
    const before = await ServerSecrets.open(database);
    const early = sign(before.sessions, 'form');
    await rotateSecrets(database, false);
    const after = async (ms: number) => {
      setSystemTime(new Date(start + ms));
      const { sessions } = await ServerSecrets.open(database);
      return {
        signed: sign(sessions, 'form'),
        accepts: (signed: string) => isSignature(signed, sessions, 'form'),
      };
    };
    const soon = await after(minute - 1);
    const later = await after(minute);
    expect([soon.signed === early, later.signed === early]).toEqual([true, false]);
    expect([soon.accepts(later.signed), later.accepts(early)]).toEqual([true, true]);
    expect((await after(7 * day - 1)).accepts(early)).toBe(true);
    expect((await after(7 * day)).accepts(early)).toBe(false);
    // The next ones end the new one as well.
    await rotateSecrets(database, true);
    const last = await after(7 * day);
    expect([last.accepts(later.signed), last.accepts(last.signed)]).toEqual([false, true]);
  });

  test('a table that was imported before is recognized afterwards', async () => {
    const site = await siteAt(await emptyDatabase(kind), { dump: dump(ada) });
    const file = temporaryPath('table.csv');
    writeFileSync(file, 'title,author\nKite,ada\n');
    const run = () => vitrine('import-table', file, '--database', site.address);
    expect((await run()).error).toContain('1 project imported, 0 existed already.');
    await vitrine('rotate-secrets', '--now', '--database', site.address);
    expect((await run()).error).toContain('0 projects imported, 1 existed already.');
  });
});
