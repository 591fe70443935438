// Reports and decisions on the pages, as a browser without scripts sends them.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count as countRows, select } from '../../src/database/query.ts';
import { projectTable } from '../../src/database/schema.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Page, readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const path = (id: number) => `/content/${uuid(id)}/a-thing/`;

const gallery = dump(
  adasLine,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Kite' }),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  contributor(5, 'alma'),
  project(1, { title: 'A lamp', status: 2 }),
  project(2, { title: 'A boat', text: 'It floats.' }),
  project(3, { title: 'A word', content_type: 'comment', parent: 2, text: 'Boo.' }),
  project(4, { title: 'A secret', visibility: 'private' }),
);

/** How many reports are open, as the page's header says. */
const waitingOn = (page: Page) => page.textsOf('.badge')[0];
const statusOf = async (site: Site, id: number) =>
  (await site.database.first(select(projectTable.columns, sql`from project where id = ${id}`)))?.status;
const location = (response: Response) => response.headers.get('Location');

onBothDatabases((kind) => {
  test('a contributor reports a project and reads what happens next', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const project = await zoe.open(path(2));
    expect(project.hasLink(`${path(2)}report/`)).toBe(true);
    // The comment has a link of its own.
    expect(project.hasLink(`${path(3)}report/`)).toBe(true);

    const form = await zoe.open(`${path(2)}report/`);
    expect(form.text).toContain('It is not safe for children');

    const wrong = await zoe.send(`${path(2)}report/`, {
      reason: 'other',
      words: '"><script>alert(1)</script>\0',
    });
    const wrongPage = await readPage(wrong);
    expect(wrong.status).toBe(400);
    expect(wrongPage.html).toContain('&lt;script&gt;alert(1)');
    expect(wrongPage.html).not.toContain('<script>alert');

    const wordless = await zoe.send(`${path(2)}report/`, { reason: 'other' });
    expect(wordless.status).toBe(400);
    expect((await readPage(wordless)).text).toContain('In your words: Say what it is.');

    const empty = await zoe.send(`${path(2)}report/`);
    expect(empty.status).toBe(400);
    expect((await readPage(empty)).text).toContain('Reason: This field is required.');

    const sent = await zoe.send(`${path(2)}report/`, { reason: 'unkind', words: 'Look.' });
    expect([sent.status, location(sent)]).toEqual([303, `${path(2)}report/sent/`]);
    const thanks = await zoe.open(location(sent) ?? '');
    expect(thanks.text).toContain('Thank you Your report of A boat is with the moderators.');

    const again = await zoe.open(`${path(2)}report/`);
    expect(again.text).toContain('You reported this on');
    expect(again.fields.reason).toBe('unkind');
  });

  test('a visitor is asked to sign in, and nobody reports their own project or one they do not see', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const asked = await visitor(site).get(`${path(2)}report/`);
    const signIn = `/sign-in/?next=${encodeURIComponent(`${path(2)}report/`)}`;
    expect([asked.status, location(asked)]).toEqual([303, signIn]);

    expect((await ada.send(`${path(2)}report/`, { reason: 'spam' })).status).toBe(403);
    expect((await zoe.send(`${path(4)}report/`, { reason: 'spam' })).status).toBe(404);
    const forged = { reason: 'spam', csrfmiddlewaretoken: 'guessed' };
    expect((await zoe.send(`${path(2)}report/`, forged)).status).toBe(403);
    expect((await ada.open(path(2))).hasLink(`${path(2)}report/`)).toBe(false);
    expect(await countRows(site.database, sql`from report`)).toBe(0);
  });

  test('the queue has each project once, the most reported first, with what was said and by whom', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe, lu] = [await person(site, 'ada'), await person(site, 'zoe'), await person(site, 'lu')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    const empty = await mo.open('/moderation/');
    expect(waitingOn(empty)).toBeUndefined();
    expect(empty.text).toContain('Nothing is reported that nobody has decided on.');

    await zoe.send(`${path(3)}report/`, { reason: 'unkind', words: '<img src=x onerror=alert(1)> "\u202e' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    await lu.send(`${path(2)}report/`, { reason: 'other', words: 'It sinks.' });
    const queue = await mo.open('/moderation/');
    expect(waitingOn(queue)).toBe('3 open reports');
    expect(queue.text).toMatch(/A boat .*It floats.*It sinks\. .*lu.*A word .*It is not kind/);
    expect(queue.text).toContain('reported 2 times');
    expect(queue.text).toContain('never decided against');
    expect(queue.html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;');
    expect(queue.document.querySelectorAll('article[autofocus]')).toHaveLength(1);

    expect((await visitor(site).get('/moderation/')).status).toBe(303);
    expect((await zoe.browser.get('/moderation/')).status).toBe(403);
    const authors = await ada.open(path(2));
    expect(waitingOn(authors)).toBeUndefined();
    expect(authors.html).not.toMatch(/report|Zoë|sinks/i);
  });

  test('a decision to leave a project closes the reports that the moderator saw, and no later ones', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, lu] = [await person(site, 'zoe'), await person(site, 'lu')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    await zoe.send(`${path(3)}report/`, { reason: 'unkind' });
    const queue = await mo.open('/moderation/');
    const [seen = ''] = queue.attributesOf('[name=seen]', 'value');
    const [next = ''] = queue.attributesOf('[name=next]', 'value');
    await lu.send(`${path(2)}report/`, { reason: 'unsafe' });
    const first = await mo.send('/moderation/', { project: '2', decision: 'leave', seen, next });
    expect(location(first)).toBe('/moderation/?done=1#thing-3');

    const after = await mo.open('/moderation/?done=1');
    expect(waitingOn(after)).toBe('2 open reports');
    expect(after.text).toMatch(/mo left A boat of ada .*Take it back/);
    expect(after.text).toContain('It is not safe for children');

    const second = await mo.send('/moderation/', { project: '3', decision: 'leave' });
    expect(location(second)).toBe('/moderation/?done=2');
    const late = await mo.send('/moderation/', { project: '3', decision: 'leave' });
    expect(late.status).toBe(400);
    expect((await readPage(late)).text).toContain('Somebody else has decided on this already.');
  });

  test('a long queue has pages, and a decision on one of them leads back to it', async () => {
    const many = Array.from({ length: 11 }, (_, index) => project(100 + index, { title: `Thing ${index}` }));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    for (let id = 100; id < 111; id++) await zoe.send(`${path(id)}report/`, { reason: 'spam' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    const queue = await mo.open('/moderation/?page=2');
    expect(queue.text).toMatch(/Thing 10 .*A boat/);
    expect(queue.attributesOf('form', 'action')).toContain('/moderation/?page=2');

    const values = { project: '110', decision: 'remove', reason: '' };
    const withoutReason = await mo.send('/moderation/?page=2', values);
    expect(withoutReason.status).toBe(400);
    expect((await readPage(withoutReason)).hasLink('#d110-reason')).toBe(true);

    const unknown = await mo.send('/moderation/?page=2', { project: '110', decision: 'constructor' });
    expect(unknown.status).toBe(400);

    const done = await mo.send('/moderation/?page=2', { project: '110', decision: 'leave', next: '2' });
    expect(location(done)).toBe('/moderation/?done=1&page=2#thing-2');
    const last = await mo.send('/moderation/?page=2', { project: '2', decision: 'leave' });
    expect(location(last)).toBe('/moderation/?done=2');
  });

  test('the owner of a removed project reads why, and nobody reads who reported it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, ada] = [await person(site, 'zoe'), await person(site, 'ada')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(`${path(1)}report/`, { reason: 'other', words: 'Too bright.' });
    const blank = await mo.send('/moderation/', { project: '1', decision: 'remove', reason: ' ' });
    expect(blank.status).toBe(400);
    expect((await readPage(blank)).text).toContain('Reason: This field may not be blank.');

    const removal = { project: '1', decision: 'remove', reason: 'It <b>burns</b>.' };
    expect((await mo.send('/moderation/', removal)).status).toBe(303);
    expect((await zoe.browser.get(path(1))).status).toBe(404);
    for (const page of [await ada.open(path(1)), await ada.open('/mine/?show=removed')]) {
      expect(page.html).toContain('Why it was removed: It &lt;b&gt;burns&lt;/b&gt;.');
      expect(page.html).not.toMatch(/Too bright|Zoë|zoe|\bmo\b/);
    }
    const data = await (await ada.get('/api/v1/me/dump/')).text();
    expect(data).not.toMatch(/Too bright|"contributor":2/);
    expect((await mo.open('/moderation/removed/')).text).toContain('A lamp');
    expect((await mo.send('/moderation/', { ...removal, reason: 'Again.' })).status).toBe(400);

    const restoration = { project: '1', reason: 'It does not.' };
    expect((await mo.send('/moderation/removed/', restoration)).status).toBe(303);
    expect(await statusOf(site, 1)).toBe(2);
    expect((await mo.send('/moderation/removed/', { project: '1' })).status).toBe(400);
    expect((await mo.open('/moderation/log/')).text).toMatch(
      /mo restored A lamp of ada It does not\..*mo removed A lamp .*taken back/,
    );
    expect((await ada.open(path(1))).html).not.toContain('burns');
  });

  test('a decision that is taken back opens its reports again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const alma = await person(site, 'alma', { role: 'admin' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    expect(waitingOn(await mo.open('/moderation/'))).toBeUndefined();

    const referer = { Referer: 'http://gallery.example/moderation/log/?page=1' };
    await alma.send('/moderation/log/1/undo/', {}, referer);
    expect(waitingOn(await mo.open('/moderation/'))).toBe('1 open report');

    await mo.send('/moderation/', { project: '2', decision: 'leave' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam', words: 'Anew.' });
    const undone = await mo.send('/moderation/log/3/undo/');
    expect([undone.status, location(undone)]).toEqual([303, '/moderation/log/']);

    // The new report counts; the earlier one stays closed.
    const queue = await mo.open('/moderation/');
    expect(waitingOn(queue)).toBe('1 open report');
    expect(queue.text).toContain('Anew.');

    expect((await mo.send('/moderation/log/3/undo/')).status).toBe(400);
    expect((await zoe.send('/moderation/log/3/undo/')).status).toBe(403);
    expect(await statusOf(site, 2)).toBe(1);
  });

  test('the log is filtered by moderator and by project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const alma = await person(site, 'alma', { role: 'admin' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    await alma.send('/moderation/log/1/undo/');
    const filtered = await mo.open(`/moderation/log/?moderator=alma&thing=${encodeURIComponent(path(2))}`);
    expect(filtered.text).toContain('alma restored A boat of ada');
    expect(filtered.text).not.toContain('mo removed');

    const missing = await mo.open('/moderation/log/?moderator=nobody&thing=/content/none/x/');
    expect(missing.text).toContain('Moderator: Nobody is called that.');
    expect(missing.text).toContain('Thing: There is nothing at that address.');
  });

  test('a moderator restores a project from its owner’s trash', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, ada] = [await person(site, 'zoe'), await person(site, 'ada')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    await ada.send(`${path(2)}away/`);
    const queue = await mo.open('/moderation/');
    expect(queue.text).toContain('Whoever made it has taken it away');
    expect(queue.attributesOf('[value]', 'value')).not.toContain('remove');
    expect((await mo.open('/moderation/trash/')).text).toContain('A boat');

    const restored = await mo.send('/moderation/trash/', { project: '2' });
    expect([location(restored), await statusOf(site, 2)]).toEqual(['/moderation/trash/', 1]);
    expect((await mo.open('/moderation/log/')).text).toContain('mo brought back A boat of ada');
    expect((await zoe.send('/moderation/trash/', { project: '2' })).status).toBe(403);
  });

  test('moderators neither see nor decide reports of their own projects', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const ada = await person(site, 'ada', { role: 'moderator' });
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(`${path(2)}report/`, { reason: 'spam' });
    expect(waitingOn(await ada.open('/moderation/'))).toBeUndefined();
    expect(waitingOn(await mo.open('/moderation/'))).toBe('1 open report');
    expect(await ada.json('/api/v1/reports/')).toMatchObject({ count: 0 });
    expect((await ada.get('/api/v1/reports/1/')).status).toBe(404);
    expect((await ada.send('/moderation/', { project: '2', decision: 'leave' })).status).toBe(403);

    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    const log = await ada.open('/moderation/log/');
    expect(log.text).toContain('mo removed A boat');
    expect(log.hasButton('Take it back')).toBe(false);
    expect(log.html).not.toContain('Take it back');
    expect((await ada.send('/moderation/log/1/undo/')).status).toBe(403);
    expect((await ada.send('/moderation/removed/', { project: '2' })).status).toBe(403);
    expect((await ada.patch('/api/v1/projects/2/', { status: 1 })).status).toBe(403);
  });

  test('an account is looked up, disabled and enabled, and its projects stay as they are', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'invitation' } });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const ada = await person(site, 'ada');
    const known = await mo.open('/moderation/people/?username=ADA');
    expect(known.text).toContain('Role contributor');
    expect(known.text).toContain('Projects 3 Comments 1 Removed 0 Reports made 0');
    const unknown = await mo.open('/moderation/people/?username=nobody');
    expect(unknown.text).toContain('Nobody is called that.');
    const self = await mo.open('/moderation/people/?username=mo');
    expect(self.html).not.toContain('Disable the account');

    const disabling = { contributor: '1', state: 'disabled', reason: 'Why not.' };
    const disabled = await mo.send('/moderation/people/', disabling);
    expect(disabled.status).toBe(303);
    expect((await ada.browser.get('/account/')).status).toBe(303);
    expect((await visitor(site).get(path(2))).status).toBe(200);
    expect((await mo.open(location(disabled) ?? '')).text).toMatch(
      /disabled on .*Enable the account.*mo disabled the account of ada Why not\./,
    );

    await mo.send('/moderation/people/', { contributor: '1', state: 'open' });
    expect((await mo.open('/moderation/people/?username=ada')).text).toMatch(
      /may sign in .*mo enabled the account of ada/,
    );
    const own = await mo.send('/moderation/people/', { contributor: '3', state: 'disabled' });
    expect(own.status).toBe(403);
  });

  test('an invitation leads to a form that holds it', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'invitation' } });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const invited = await readPage(await mo.send('/moderation/people/invitation/'));
    const [, address = ''] =
      /http:\/\/gallery\.example(\/sign-up\/\?invitation=[\w-]+)/.exec(invited.text) ?? [];
    const form = await visitor(site).open(address);
    expect(form.fields.invitation).toBe(
      new URLSearchParams(address.split('?')[1]).get('invitation') ?? 'none',
    );
  });

  test('there are no invitations where nobody needs one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const mo = await person(site, 'mo', { role: 'moderator' });
    expect((await mo.send('/moderation/people/invitation/')).status).toBe(404);
    expect((await mo.open('/moderation/people/')).html).not.toContain('invitation');
  });

  test('nobody has more than fifty open reports', async () => {
    const many = Array.from({ length: 51 }, (_, index) => project(100 + index));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await person(site, 'zoe');
    for (let id = 100; id < 150; id++) await zoe.send(`${path(id)}report/`, { reason: 'spam' });
    const refused = await zoe.send(`${path(150)}report/`, { reason: 'spam' });
    expect(refused.status).toBe(400);
    expect((await readPage(refused)).text).toContain('You have 50 reports that nobody has decided on yet');

    const changed = await zoe.send(`${path(100)}report/`, { reason: 'unkind' });
    expect(changed.status).toBe(303);
  });
});
