// Invitations: links that programs make, and cards with codes that teachers print; and the list of who used which.

import { expect, test } from 'bun:test';
import { execute } from '#sql';
import { sweepInvitations } from '../../src/features/sign-in/invitation.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, type Site, siteOn } from '../support/site.ts';

const invitation = { VITRINE_SIGN_UP: 'invitation' };
const gallery = dump(adasLine, contributor(3, 'mo'), contributor(4, 'tess'));
const list = '/moderation/invitations/';
const ida = { username: 'ida', password: 'a quiet reading room' };
const refused = 'Invitation: This invitation is not valid: it was used, or it is too old.';
const day = 86_400_000_000;

/** The page with the cards. */
const print = async (teacher: Person, values: Record<string, string> = {}) =>
  readPage(await teacher.submit(list, 'Create invitations', values));

const codesOf = async (teacher: Person, values?: Record<string, string>) =>
  (await print(teacher, values)).textsOf('.card-code');

/** Whom the invitations are for, and what became of them; days change. */
async function rosterOf(teacher: Person) {
  const page = await teacher.open(list);
  const names = page.attributesOf('.rows input', 'value');
  return page
    .textsOf('.rows .byline')
    .map((line, index) => `${names[index]}: ${line.replace(/\d+ \w+ 20\d\d/g, 'DAY')}`);
}

const makeOlder = (site: Site, days: number) =>
  site.database.transaction(
    (transaction) => execute(transaction)`update invitation set expires = expires - ${days * day}`,
  );

onBothDatabases((kind) => {
  test('the link of a program is a sign-up form that contains it, once', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });

    const made = (await (await mo.post('/api/v1/auth/invitations/', {})).json()) as { invitation: string };
    const path = `/sign-up/?invitation=${made.invitation}`;
    const form = await visitor(site).open(path);
    expect(form.text).toContain('You’re invited to Vitrine');
    expect(form.document.querySelector('input[name=invitation]')?.attributes).toEqual({
      type: 'hidden',
      name: 'invitation',
      value: made.invitation,
    });

    const mistake = await visitor(site).submit(path, 'Sign up', { ...ida, password: 'short' });
    expect((await readPage(mistake)).fields.invitation).toBe(made.invitation);
    expect((await visitor(site).submit(path, 'Sign up', ida)).status).toBe(303);
    expect((await visitor(site).open(path)).errors).toEqual([refused]);
  });

  test('a class gets its cards at once: each name one, and some without a name', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });

    const page = await print(mo, { 'Names (optional)': ' Åsa \r\n\r\nBo & co\r\n', 'How many': '25' });
    const codes = page.textsOf('.card-code');
    expect([codes.length, new Set(codes).size]).toEqual([25, 25]);
    expect(
      codes.filter((code) => !/^[2-9CDFGHJKLMNPQRTVWXY]{4}-[2-9CDFGHJKLMNPQRTVWXY]{4}$/.test(code)),
    ).toEqual([]);
    expect(
      page
        .textsOf('.cards-to-print > li')
        .slice(0, 3)
        .map((card) => card.replace(/\S{4}-\S{4}/, 'CODE')),
    ).toEqual(
      ['Åsa', 'Bo & co', ''].map((name) =>
        `Vitrine CODE Scan the square, or open http://gallery.example/code and type the code. Choose a username, and a password that you tell nobody. Write your username on this card, and keep it. Name ${name} Username`.replace(
          '  ',
          ' ',
        ),
      ),
    );
    expect(page.document.querySelectorAll('.cards-to-print svg.logo-image, .printed-code svg').length).toBe(
      50,
    );
    expect((await mo.open(list)).text).not.toContain(codes[0] ?? '-');
  });

  test('nonsense in the form for invitations is refused in a sentence, and nothing is made', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const errorsOf = async (values: Record<string, string>) => {
      const response = await mo.send(list, { count: '1', ...values });
      return [response.status, ...(await readPage(response)).errors];
    };
    expect(await errorsOf({ count: '51' })).toEqual([
      400,
      'How many: Ensure this value is less than or equal to 50.',
    ]);
    expect(await errorsOf({ count: 'many' })).toEqual([400, 'How many: A valid integer is required.']);
    expect(await errorsOf({ names: 'x\n'.repeat(51) })).toEqual([
      400,
      'Names (optional): One for each person, up to 50 at a time.',
    ]);
    expect(await errorsOf({ names: 'x'.repeat(101) })).toEqual([
      400,
      'Names (optional): Please use at most 100 characters.',
    ]);
    expect(await rosterOf(mo)).toEqual([]);
    expect((await (await person(site, 'ada')).browser.get(list)).status).toBe(403);
    expect((await visitor(site).get(list)).status).toBe(303);
  });

  test.each(['closed', 'invitation', 'open'])(
    'where sign-up is %s, a code lets one person in, in whatever way it is typed',
    async (policy) => {
      const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: policy } });
      const mo = await person(site, 'mo', { role: 'moderator' });
      const [code = ''] = await codesOf(mo);

      expect((await visitor(site).open('/sign-in/')).hasLink('/code/')).toBe(true);
      const lookAlikes = { L: 'i', 2: 'z', 5: 's', 8: 'b', V: 'u' } as Record<string, string>;
      const typed = ` ${code.toLowerCase().replace('-', ' – ')}. `.replace(
        /[l258v]/g,
        (sign) => lookAlikes[sign.toUpperCase()] ?? sign,
      );
      const found = await visitor(site).submit('/code/', 'Next', { Code: typed });
      expect([found.status, found.headers.get('Location')]).toEqual([303, `/sign-up/?invitation=${code}`]);
      const path = `/sign-up/?invitation=${code}`;
      expect((await visitor(site).open(path)).text).toContain('You’re invited to Vitrine');
      expect((await visitor(site).submit(path, 'Sign up', { ...ida, password: 'short' })).status).toBe(400);
      expect((await visitor(site).submit(path, 'Sign up', ida)).status).toBe(303);

      const used = await visitor(site).submit('/code/', 'Next', { Code: code });
      expect([used.status, ...(await readPage(used)).errors]).toEqual([
        400,
        'Code: No open invitation has this code. Compare each sign with your card; a code works once.',
      ]);
      const body = { ...ida, username: 'eve', invitation: code };
      const again = await visitor(site).post('/api/v1/auth/sign-up/', body);
      expect(again.status).toBe(policy === 'open' ? 201 : 400);
      expect(await rosterOf(mo)).toEqual([': used by ida on DAY']);
    },
  );

  test('a code that was used meanwhile is refused by the form that has it', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const [code = ''] = await codesOf(await person(site, 'mo', { role: 'moderator' }));
    const path = `/sign-up/?invitation=${code}`;
    await visitor(site).submit(path, 'Sign up', ida);
    const late = await visitor(site).submit(path, 'Sign up', { ...ida, username: 'eve' });
    expect([late.status, ...(await readPage(late)).errors]).toEqual([400, refused]);
  });

  test('wrong codes are limited for an address and for all, right ones are not', async () => {
    const environment = { ...invitation, VITRINE_SIGN_IN_LIMIT: '1' };
    const site = await siteOn(kind, { dump: gallery, environment, peer: '192.0.2.1' });
    const [code = ''] = await codesOf(await person(site, 'mo', { role: 'moderator' }));
    const statusOf = async (typed: string) => (await visitor(site).send('/code/', { code: typed })).status;

    for (let count = 0; count < 12; count++) expect(await statusOf(code)).toBe(303);
    // What cannot be a code is no try.
    for (let count = 0; count < 12; count++) expect(await statusOf('hello')).toBe(400);
    for (let count = 0; count < 10; count++) expect(await statusOf('2222-2222')).toBe(400);
    expect(await statusOf('2222-2222')).toBe(429);
    expect(await statusOf(code)).toBe(429);
    const limited = await visitor(site).post('/api/v1/auth/sign-up/', { ...ida, invitation: code });
    expect([limited.status, limited.headers.has('Retry-After')]).toEqual([429, true]);
  });

  test('the list says who used which, and is for who made them and for admins', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const tess = await person(site, 'tess', { role: 'moderator' });
    const ada = await person(site, 'ada', { role: 'admin' });
    const [code = ''] = await codesOf(mo, { 'Names (optional)': 'Bo\nÅsa\nCleo' });
    await codesOf(tess, { 'Names (optional)': 'Dan' });
    await visitor(site).submit(`/sign-up/?invitation=${code}`, 'Sign up', ida);

    const open = 'open until DAY';
    const used = 'used by ida on DAY';
    expect(await rosterOf(mo)).toEqual([`Bo: ${used}`, `Cleo: ${open}`, `Åsa: ${open}`]);
    expect(await rosterOf(tess)).toEqual([`Dan: ${open}`]);
    expect(await rosterOf(ada)).toEqual([
      `Dan: ${open} · tess`,
      `Bo: ${used} · mo`,
      `Cleo: ${open} · mo`,
      `Åsa: ${open} · mo`,
    ]);

    const [bo = '', cleo = ''] = (await mo.open(list)).attributesOf('.rows input', 'name');
    const renamed = await mo.submit(list, 'Save names', { [cleo]: ' Chloë ' });
    expect([renamed.status, renamed.headers.get('Location')]).toEqual([
      303,
      '/moderation/invitations/?page=1',
    ]);
    expect(await rosterOf(mo)).toEqual([`Bo: ${used}`, `Chloë: ${open}`, `Åsa: ${open}`]);
    const long = await mo.submit(list, 'Save names', { [cleo]: 'x'.repeat(101) });
    expect([long.status, ...(await readPage(long)).errors]).toEqual([
      400,
      'Please use at most 100 characters.',
    ]);

    for (const wrong of ['\0', 'a\0', 'x', 'f'.repeat(63)])
      expect((await mo.send('/moderation/invitations/list/', { end: wrong })).status).toBe(404);
    const end = cleo.replace('name_', '');
    const notMine = await tess.send('/moderation/invitations/list/', { [cleo]: 'Mine', end });
    expect(notMine.status).toBe(404);
    expect((await mo.send('/moderation/invitations/list/', { end: bo.replace('name_', '') })).status).toBe(
      303,
    );
    expect((await mo.send('/moderation/invitations/list/', { end })).status).toBe(303);
    expect(await rosterOf(mo)).toEqual([`Bo: ${used}`, 'Chloë: ended DAY', `Åsa: ${open}`]);
    expect(site.logged.filter((line) => line.includes('invitation revoked')).length).toBe(1);
  });

  test('one that was taken back, or is too old, lets nobody in, and leaves the list after half a year', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const [code = ''] = await codesOf(mo);
    await mo.submit(list, 'Take back');
    expect((await visitor(site).send('/code/', { code })).status).toBe(400);

    const [other = ''] = await codesOf(mo);
    await makeOlder(site, 15);
    expect((await visitor(site).send('/code/', { code: other })).status).toBe(400);
    await sweepInvitations(site.database);
    expect((await rosterOf(mo)).length).toBe(2);
    await makeOlder(site, 180);
    await sweepInvitations(site.database);
    expect(await rosterOf(mo)).toEqual([]);
  });

  test('the names are gone with the account that used the invitation, and with that which made it', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const [code = ''] = await codesOf(mo, { 'Names (optional)': 'Bo\nCleo' });
    const bo = visitor(site);
    await bo.submit(`/sign-up/?invitation=${code}`, 'Sign up', ida);
    const leave = { items: 'delete', password: ida.password };
    expect((await bo.send('/account/leave/', leave)).status).toBe(303);
    expect(await rosterOf(mo)).toEqual(['Cleo: open until DAY']);

    const left = await mo.send('/account/leave/', { items: 'delete' });
    expect([left.status, ...(await readPage(left)).errors]).toEqual([303]);
    expect(await rosterOf(await person(site, 'ada', { role: 'admin' }))).toEqual([]);
  });

  test('where sign-up is closed, a used invitation says so', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const response = await visitor(site).get('/sign-up/?invitation=used');
    expect([response.status, (await readPage(response)).text]).toEqual([
      403,
      expect.stringContaining('This invitation is not valid: it was used, or it is too old.'),
    ]);
    const sent = { ...ida, invitation: 'used' };
    expect((await visitor(site).send('/sign-up/', sent)).status).toBe(403);
    const without = await visitor(site).send('/sign-up/', { username: 'x' });
    expect([without.status, (await readPage(without)).text]).toEqual([
      403,
      expect.stringContaining('Sign-up is closed'),
    ]);
  });
});
