// /setup/: the first admin of a gallery, and what the gallery is for.

import { expect, setSystemTime, test } from 'bun:test';
import { createSetupCode, setupPath } from '../../src/features/setup/first-admin.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada, contributor, dump, exportAll, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(ada, contributor(2, 'bob'), project(1));
const password = 'a quiet reading room';
const invalid = /This link is not valid\. .*Start the server again/;

const linkOf = async ({ database }: Site) => setupPath((await createSetupCode(database)) ?? '');

onBothDatabases((kind) => {
  test('whoever has the link makes the admin, and says what the gallery is for', async () => {
    const site = await siteOn(kind);
    const link = await linkOf(site);
    const owner = visitor(site);
    const form = { Username: 'grace', Password: password };
    const mistake = await owner.submit(link, 'Make the account', { ...form, Password: 'grace' });
    expect([mistake.status, (await readPage(mistake)).errors]).toEqual([
      400,
      [expect.stringContaining('Password: This password is too short.')],
    ]);
    const made = await owner.submit(link, 'Make the account', form);
    expect([made.status, made.headers.get('Location')]).toEqual([303, '/setup/site/']);

    const kinds = await owner.open('/setup/site/');
    expect(kinds.text).toContain('You are signed in as grace , an admin.');
    expect(kinds.hasLink('/setup/site/?kind=class')).toBe(true);
    const saved = await owner.submit('/setup/site/?kind=class', 'Save', {
      Name: 'Room 4',
      tagline: 'What 6b makes.',
      look: 'dusk',
    });
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/moderation/classes/']);
    expect((await owner.open('/')).textsOf('.list-heading + p')).toEqual(['What 6b makes.']);
    const current = '.first-steps [aria-current]';
    expect((await owner.open('/moderation/classes/')).textsOf(current)).toEqual(['Make the class']);
    const makeClass = { 'Name of the class': 'Class 6b', 'Username of a teacher': '' };
    const made6b = await owner.submit('/moderation/classes/', 'Make the class', makeClass);
    const people = made6b.headers.get('Location') ?? '';
    expect((await owner.open(people)).textsOf(current)).toEqual(['Type the names']);
    const names = { Names: 'kim\nlee', consent: 'yes' };
    const cards = await readPage(await owner.submit(people, 'Make accounts and cards', names));
    expect(cards.textsOf(current)).toEqual(['Print the cards']);
    expect(cards.hasLink('/code/')).toBe(true);
    for (const path of [people, '/moderation/classes/'])
      expect((await owner.open(path)).textsOf('.first-steps')).toEqual([]);
    const lines = (await exportAll(site)).split('\n').filter((line) => line.startsWith('{"type":"site"'));
    expect(lines.map((line) => JSON.parse(line)).map(({ name, value }) => [name, value])).toEqual([
      ['name', 'Room 4'],
      ['names', 'username'],
      ['ratings', 'heart'],
      ['review', 'first'],
      ['sign_up', 'invitation'],
      ['tagline', 'What 6b makes.'],
    ]);
    expect((await owner.open('/setup/site/?kind=zoo')).text).toContain('What is this gallery for?');
  });

  test('the link ends with an hour, with the first admin, and by any change of it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const link = await linkOf(site);
    const expectInvalid = async (path: string) => {
      const response = await visitor(site).browser.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect((await readPage(response)).text).toMatch(invalid);
    };
    for (const wrong of ['/setup/', '/setup/?code=', `${link}x`, link.replace('=1', '=2')])
      await expectInvalid(wrong);
    const sent = await visitor(site).send('/setup/', { code: 'x', username: 'a b' });
    expect([sent.status, (await readPage(sent)).text]).toEqual([404, expect.stringMatching(invalid)]);

    setSystemTime(Date.now() + 61 * 60_000);
    await expectInvalid(link);
    setSystemTime();
    expect((await visitor(site).browser.get(link)).status).toBe(200);
    await person(site, 'bob', { role: 'admin' });
    await expectInvalid(link);
    expect(await createSetupCode(site.database)).toBeUndefined();
  });

  test('a contributor from an import can be the first admin, but not somebody who has an account', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await person(site, 'bob');
    const link = await linkOf(site);
    const taken = await visitor(site).submit(link, 'Make the account', {
      Username: 'bob',
      Password: password,
    });
    expect([taken.status, (await readPage(taken)).errors]).toEqual([
      400,
      ['Username: bob has an account already.'],
    ]);
    const owner = visitor(site);
    await owner.submit(link, 'Make the account', { Username: 'ada', Password: password });
    expect((await owner.open('/setup/site/')).text).toContain(
      'You are signed in as Ada Lovelace , an admin.',
    );
  });

  test('only admins say what the gallery is for', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const bob = await person(site, 'bob', { role: 'moderator' });
    expect((await bob.browser.get('/setup/site/')).status).toBe(403);
    expect((await visitor(site).browser.get('/setup/site/')).headers.get('Location')).toBe(
      '/sign-in/?next=%2Fsetup%2Fsite%2F',
    );
  });
});
