// Names are reported and changed, and moderators have a badge.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe', { first_name: 'Rude', last_name: 'Name' }),
  contributor(3, 'mo'),
  contributor(4, 'max'),
  project(1, { contributor: 2 }),
  project(2, { contributor: 3 }),
);

const logOf = async (moderator: Person) => {
  const { results } = await moderator.json<{ results: { action: string; reason: string }[] }>(
    '/api/v1/decisions/',
  );
  return results.map(({ action, reason }) => [action, reason]);
};

onBothDatabases((kind) => {
  test('a name is reported on its page, and a moderator changes it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const report = '/contributors/2-zoe/report/';

    expect((await ada.open('/contributors/2-zoe/')).text).toContain('Report this name');
    await ada.submit(report, 'Report the name', { words: 'It is unkind.' });
    const queue = await mo.open('/moderation/people/');
    expect([queue.text.includes('Rude Name'), queue.text.includes('It is unkind.')]).toEqual([true, true]);
    expect(queue.textsOf('.types li:has(.badge)')).toEqual(['People 1 to look at']);

    const response = await mo.submit('/moderation/people/?username=zoe', 'Change the names', {
      username: 'maker2',
      first_name: 'Zoe',
      last_name: '',
      reason: 'The name was unkind.',
    });
    expect(response.headers.get('Location')).toBe('/moderation/people/?username=maker2');
    expect(await site.json('/api/v1/projects/1/?fields=contributor_name,contributor_html_url')).toEqual({
      contributor_name: 'Zoe',
      contributor_html_url: 'http://gallery.example/contributors/2-maker2/?format=api',
    });
    expect(await logOf(mo)).toEqual([['renamed', 'The name was unkind.']]);
    expect((await mo.open('/moderation/people/')).text).not.toContain('It is unkind.');
    expect((await mo.open('/moderation/log/')).text).toContain('mo changed the name of maker2');
  });

  test('a moderator leaves a reported name as it is', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];

    expect((await ada.post('/api/v1/contributors/2/report/', { words: 'Hm.' })).status).toBe(204);
    expect((await ada.post('/api/v1/contributors/2/report/', { words: 'Hm, hm.' })).status).toBe(204);
    const { text } = await mo.open('/moderation/people/');
    expect([text.includes('Hm, hm.'), text.includes('Hm.')]).toEqual([true, false]);

    await mo.submit('/moderation/people/', 'Leave it Rude Name');
    expect(await logOf(mo)).toEqual([['left', '']]);
    expect((await mo.open('/moderation/people/')).text).not.toContain('Reported names');
  });

  test('only moderators rename others, and nobody renames a moderator but an admin', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    const max = await person(site, 'max', { role: 'admin' });
    const rename = async (viewer: Person, id: number, names: object) =>
      (await viewer.patch(`/api/v1/contributors/${id}/`, names)).status;

    expect(await rename(visitor(site), 2, { first_name: 'X' })).toBe(401);
    expect(await rename(ada, 2, { first_name: 'X' })).toBe(403);
    expect(await rename(zoe, 2, { first_name: 'X' })).toBe(403);
    expect(await rename(mo, 4, { first_name: 'X' })).toBe(403);
    expect(await rename(mo, 3, { first_name: 'X' })).toBe(403);
    expect(await rename(mo, 2, { username: 'ada' })).toBe(400);
    expect(await rename(mo, 99, { first_name: 'X' })).toBe(404);
    expect(await rename(max, 3, { first_name: 'Moritz' })).toBe(200);
    expect((await zoe.post('/api/v1/contributors/2/report/', { words: 'Mine.' })).status).toBe(403);
  });

  test('moderators have a badge beside their name, and nobody else has', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const badges = async (path: string) => (await visitor(site).open(path)).textsOf('.role');
    expect(await badges('/')).toEqual([]);

    const mo = await person(site, 'mo', { role: 'moderator' });
    await mo.post('/api/v1/projects/1/comments/', { text: 'Well made.' });
    expect(await badges('/')).toEqual(['moderator']);
    expect(await badges(pathOf(1))).toEqual(['moderator']);
    expect(await badges('/contributors/3-mo/')).toEqual(['moderator']);
    expect(await badges('/contributors/2-zoe/')).toEqual([]);
    const zoe = await person(site, 'zoe', { role: 'admin' });
    await zoe.post('/api/v1/projects/1/comments/', { text: 'Yes.' });
    expect(await badges('/contributors/2-zoe/')).toEqual(['admin']);
  });

  test('nobody takes a name that looks like that of a moderator, or that is an address', async () => {
    const lines = dump(
      contributor(1, 'teacher', { first_name: 'Ängström', last_name: 'Lee' }),
      contributor(2, 'zoe'),
      contributor(3, 'max', { first_name: 'Max', last_name: 'Lee' }),
    );
    const site = await siteOn(kind, { dump: lines, environment: { VITRINE_SIGN_UP: 'open' } });
    const [zoe] = [await person(site, 'zoe'), await person(site, 'teacher', { role: 'moderator' })];
    const signUp = async (username: string, names = {}) => {
      const body = { username, password: 'long and unusual', ...names };
      const response = await visitor(site).post('/api/v1/auth/sign-up/', body);
      return response.status === 201 ? 'ok' : response.json();
    };
    const looksLike = ['This name looks like the name of somebody else: choose another.'];
    const isAddress = ['A name may not contain an address: mail programs would make a link of it.'];

    for (const username of [
      'teacher_',
      'tea.cher',
      'teacheŕ',
      'tęacher',
      'TEАCHER',
      't3acher',
      'te4cher',
      'angstromlee',
    ])
      expect([username, await signUp(username)]).toEqual([username, { username: looksLike }]);
    expect(await signUp('a1', { first_name: 'Angstrom', last_name: 'LEE' })).toEqual({
      first_name: looksLike,
    });
    expect(await signUp('a1', { first_name: 'Teacher' })).toEqual({ first_name: looksLike });
    for (const first_name of [
      'https://x',
      'www.x',
      'Max evil.com/x',
      'evil.de',
      'ada@example.org',
      'x.co.uk',
    ])
      expect([first_name, await signUp('a1', { first_name })]).toEqual([
        first_name,
        { first_name: isAddress },
      ]);
    for (const username of ['www.ada', 'ada@example.org', 'evil.com'])
      expect([username, await signUp(username)]).toEqual([username, { username: isAddress }]);
    expect(await (await zoe.patch('/api/v1/me/', { first_name: 'TEACHER' })).json()).toEqual({
      first_name: looksLike,
    });

    // Others may share a name, and these are none.
    const usual = { first_name: 'J.R.R.', last_name: 'St. John (Dr.)' };
    expect([
      await signUp('max-lee', { first_name: 'Max', last_name: 'Lee' }),
      await signUp('wei.li', usual),
    ]).toEqual(['ok', 'ok']);
    expect(await signUp('teachers', { first_name: 'राम' })).toBe('ok');
  });

  test('a comment names its author as nobody else is named', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await (await person(site, 'ada')).post('/api/v1/projects/1/comments/', { text: 'Well made.' });
    const page = await visitor(site).open(pathOf(1));
    expect(page.textsOf('.comment .byline')[0]).toStartWith('A Ada Lovelace @ada · ');
  });
});
