// What readers and moderators do on the pages, as a browser without script sends it.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const path = (id: number) => `/content/${uuid(id)}/a-thing/`;

const gallery = dump(
  ada,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Kite' }),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  contributor(5, 'alma'),
  project(1, { title: 'A lamp', status: 2 }),
  project(2, { title: 'A boat', text: 'It floats.' }),
  project(3, { title: 'A word', content_type: 'comment', parent: 2, text: 'Boo.' }),
  project(4, { title: 'A secret', visibility: 'private' }),
);

interface Person {
  page(path: string): Promise<string>;
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
}

async function browserOf(
  site: Site,
  name: string,
  role: 'contributor' | 'moderator' | 'admin' = 'contributor',
): Promise<Person> {
  const { 'X-CSRFToken': token = '', ...cookie } = await site.signIn(name, { role });
  return {
    page: async (path) => (await site.get(path, cookie)).text(),
    post: (path, fields = {}, headers = {}) =>
      site.request(path, {
        method: 'POST',
        headers: { ...cookie, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ csrfmiddlewaretoken: token, ...fields }).toString(),
      }),
  };
}

const wordsOf = (html: string) =>
  html
    .replace(/<(head|header class="site-header"|footer)[\s>].*?<\/(head|header|footer)>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const openOf = (html: string) => /class="badge">(\d+)/.exec(html)?.[1];
const valuesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value);
const statusOf = async (site: Site, id: number) =>
  (await site.database.first<{ status: number }>(sql`select status from project where id = ${id}`))?.status;

onBothDatabases((kind) => {
  test('a reader reports what they see, and hears what happens next', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await browserOf(site, 'zoe');
    const shown = await zoe.page(path(2));
    const form = await zoe.page(`${path(2)}report/`);
    const wrong = await zoe.post(`${path(2)}report/`, {
      reason: 'other',
      words: '"><script>alert(1)</script>\0',
    });
    const unsaid = await zoe.post(`${path(2)}report/`, { reason: 'other' });
    const nothing = await zoe.post(`${path(2)}report/`);
    const sent = await zoe.post(`${path(2)}report/`, { reason: 'unkind', words: 'Look.' });
    const thanks = await zoe.page(sent.headers.get('Location') ?? '');
    const again = await zoe.page(`${path(2)}report/`);
    const texts = [await wrong.text(), await unsaid.text(), await nothing.text()];
    await site.close();

    expect(shown).toContain(`href="${path(2)}report/"`);
    // The comment has a link of its own.
    expect(shown).toContain(`href="${path(3)}report/"`);
    expect(wordsOf(form)).toContain('It is not safe for children');
    expect([wrong.status, unsaid.status, nothing.status]).toEqual([400, 400, 400]);
    expect(texts[0]).toContain('&lt;script&gt;alert(1)');
    expect(texts[0]).not.toContain('<script>alert');
    expect(texts[1]).toContain('In your words: Say what it is.');
    expect(texts[2]).toContain('Reason: This field is required.');
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, `${path(2)}report/sent/`]);
    expect(wordsOf(thanks)).toContain('Thank you Your report of A boat is with the moderators.');
    expect(wordsOf(again)).toContain('You reported this on');
    expect(again).toContain('value="unkind" required="" checked=""');
  });

  test('visitors are asked to sign in, and nobody reports their own or what they do not see', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [adas, zoe] = [await browserOf(site, 'ada'), await browserOf(site, 'zoe')];
    const asked = await site.get(`${path(2)}report/`);
    const own = await adas.post(`${path(2)}report/`, { reason: 'spam' });
    const hidden = await zoe.post(`${path(4)}report/`, { reason: 'spam' });
    const forged = await zoe.post(`${path(2)}report/`, { reason: 'spam', csrfmiddlewaretoken: 'guessed' });
    const shown = await adas.page(path(2));
    const count = await site.database.first<{ count: number }>(sql`select count(*) as count from report`);
    await site.close();

    expect([asked.status, asked.headers.get('Location')]).toEqual([
      303,
      `/sign-in/?next=${encodeURIComponent(`${path(2)}report/`)}`,
    ]);
    expect([own.status, hidden.status, forged.status]).toEqual([403, 404, 403]);
    expect(shown).not.toContain(`href="${path(2)}report/"`);
    expect(count).toEqual({ count: 0 });
  });

  test('the queue has each thing once, the most reported first, with what was said and by whom', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, lu] = [await browserOf(site, 'zoe'), await browserOf(site, 'lu')];
    const mo = await browserOf(site, 'mo', 'moderator');
    const empty = await mo.page('/moderation/');
    await zoe.post(`${path(3)}report/`, { reason: 'unkind', words: '<img src=x onerror=alert(1)> "\u202e' });
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    await lu.post(`${path(2)}report/`, { reason: 'other', words: 'It sinks.' });
    const queue = await mo.page('/moderation/');
    const others = [
      await site.get('/moderation/'),
      await site.get('/moderation/', await site.signIn('zoe')),
    ].map(({ status }) => status);
    const author = await (await browserOf(site, 'ada')).page(path(2));
    await site.close();

    expect([openOf(empty), openOf(queue), openOf(author)]).toEqual([undefined, '3', undefined]);
    expect(wordsOf(empty)).toContain('Nothing is reported that nobody has decided on.');
    expect(wordsOf(queue)).toMatch(/A boat .*It floats.*It sinks\. .*lu.*A word .*It is not kind/);
    expect(wordsOf(queue)).toContain('reported 2 times');
    expect(wordsOf(queue)).toContain('never decided against');
    expect(queue).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;');
    expect(queue.match(/<article[^>]*autofocus/g)?.length).toBe(1);
    expect(others).toEqual([303, 403]);
    expect(author).not.toMatch(/report|Zoë|sinks/i);
  });

  test('what is left leaves the queue, but for what was said since the moderator looked', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, lu] = [await browserOf(site, 'zoe'), await browserOf(site, 'lu')];
    const mo = await browserOf(site, 'mo', 'moderator');
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    await zoe.post(`${path(3)}report/`, { reason: 'unkind' });
    const queue = await mo.page('/moderation/');
    const [seen = '', next = ''] = [...valuesOf(queue, 'seen').slice(0, 1), ...valuesOf(queue, 'next')];
    await lu.post(`${path(2)}report/`, { reason: 'unsafe' });
    const first = await mo.post('/moderation/', {
      project: '2',
      decision: 'leave',
      seen: String(seen),
      next: String(next),
    });
    const after = await mo.page('/moderation/?done=1');
    const second = await mo.post('/moderation/', { project: '3', decision: 'leave' });
    const late = await mo.post('/moderation/', { project: '3', decision: 'leave' });
    const told = wordsOf(await late.text());
    await site.close();

    expect(first.headers.get('Location')).toBe('/moderation/?done=1#thing-3');
    expect(openOf(after)).toBe('2');
    expect(wordsOf(after)).toMatch(/mo left A boat of ada .*Take it back/);
    expect(wordsOf(after)).toContain('It is not safe for children');
    expect(second.headers.get('Location')).toBe('/moderation/?done=2');
    expect([late.status, told.includes('Somebody else has decided on this already.')]).toEqual([400, true]);
  });

  test('a long queue has pages, and what is decided on one leads back to it', async () => {
    const many = Array.from({ length: 11 }, (_, index) => project(100 + index, { title: `Thing ${index}` }));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await browserOf(site, 'zoe');
    const mo = await browserOf(site, 'mo', 'moderator');
    for (let id = 100; id < 111; id++) await zoe.post(`${path(id)}report/`, { reason: 'spam' });
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    const queue = await mo.page('/moderation/?page=2');
    const unsaid = await mo.post('/moderation/?page=2', { project: '110', decision: 'remove', reason: '' });
    const told = await unsaid.text();
    const nothing = await mo.post('/moderation/?page=2', { project: '110', decision: 'constructor' });
    const done = await mo.post('/moderation/?page=2', { project: '110', decision: 'leave', next: '2' });
    const last = await mo.post('/moderation/?page=2', { project: '2', decision: 'leave' });
    await site.close();

    expect(wordsOf(queue)).toMatch(/Thing 10 .*A boat/);
    expect(queue).toContain('action="/moderation/?page=2"');
    expect([unsaid.status, nothing.status]).toEqual([400, 400]);
    expect(told).toContain('href="#d110-reason"');
    expect(done.headers.get('Location')).toBe('/moderation/?done=1&page=2#thing-2');
    expect(last.headers.get('Location')).toBe('/moderation/?done=2');
  });

  test('whoever made what is removed reads why, and nobody reads who reported it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, adas] = [await browserOf(site, 'zoe'), await browserOf(site, 'ada')];
    const mo = await browserOf(site, 'mo', 'moderator');
    await zoe.post(`${path(1)}report/`, { reason: 'other', words: 'Too bright.' });
    const unsaid = await mo.post('/moderation/', { project: '1', decision: 'remove', reason: ' ' });
    const done = await mo.post('/moderation/', {
      project: '1',
      decision: 'remove',
      reason: 'It <b>burns</b>.',
    });
    const [own, mine, others] = [
      await adas.page(path(1)),
      await adas.page('/mine/?show=removed'),
      await site.get(path(1), await site.signIn('zoe')),
    ];
    const data = await (await site.get('/api/v1/me/dump/', await site.key('ada'))).text();
    const removed = await mo.page('/moderation/removed/');
    const again = await mo.post('/moderation/', { project: '1', decision: 'remove', reason: 'Again.' });
    const restored = await mo.post('/moderation/removed/', { project: '1', reason: 'It does not.' });
    const status = await statusOf(site, 1);
    const twice = await mo.post('/moderation/removed/', { project: '1' });
    const log = await mo.page('/moderation/log/');
    const back = await adas.page(path(1));
    await site.close();

    expect([unsaid.status, done.status, others.status]).toEqual([400, 303, 404]);
    expect(await unsaid.text()).toContain('Reason: This field may not be blank.');
    for (const page of [own, mine]) {
      expect(page).toContain('Why it was removed: It &lt;b&gt;burns&lt;/b&gt;.');
      expect(page).not.toMatch(/Too bright|Zoë|zoe|\bmo\b/);
    }
    expect(data).not.toMatch(/Too bright|"contributor":2/);
    expect(wordsOf(removed)).toContain('A lamp');
    expect([again.status, restored.status, status, twice.status]).toEqual([400, 303, 2, 400]);
    expect(wordsOf(log)).toMatch(/mo restored A lamp of ada It does not\..*mo removed A lamp .*taken back/);
    expect(back).not.toContain('burns');
  });

  test('a decision is taken back from the log, and what was reported is open again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await browserOf(site, 'zoe');
    const mo = await browserOf(site, 'mo', 'moderator');
    const alma = await browserOf(site, 'alma', 'admin');
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    await mo.post('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    const against = [openOf(await mo.page('/moderation/'))];
    await alma.post(
      '/moderation/log/1/undo/',
      {},
      { Referer: 'http://gallery.example/moderation/log/?page=1' },
    );
    against.push(openOf(await mo.page('/moderation/')));
    await mo.post('/moderation/', { project: '2', decision: 'leave' });
    await zoe.post(`${path(2)}report/`, { reason: 'spam', words: 'Anew.' });
    const undone = await mo.post('/moderation/log/3/undo/');
    const queue = await mo.page('/moderation/');
    const refused = await mo.post('/moderation/log/3/undo/');
    const filtered = await mo.page(`/moderation/log/?moderator=alma&thing=${encodeURIComponent(path(2))}`);
    const missing = await mo.page('/moderation/log/?moderator=nobody&thing=/content/none/x/');
    const contributors = await zoe.post('/moderation/log/3/undo/');
    const status = await statusOf(site, 2);
    await site.close();

    expect(against).toEqual([undefined, '1']);
    expect([undone.status, undone.headers.get('Location'), refused.status]).toEqual([
      303,
      '/moderation/log/',
      400,
    ]);
    // What was said anew counts; what was said before stays closed.
    expect([openOf(queue), wordsOf(queue).includes('Anew.')]).toEqual(['1', true]);
    expect(wordsOf(filtered)).toContain('alma restored A boat of ada');
    expect(wordsOf(filtered)).not.toContain('mo removed');
    expect(wordsOf(missing)).toContain('Moderator: Nobody is called that.');
    expect(wordsOf(missing)).toContain('Thing: There is nothing at that address.');
    expect([contributors.status, status]).toEqual([403, 1]);
  });

  test('what was thrown away comes back, by a moderator too', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, adas] = [await browserOf(site, 'zoe'), await browserOf(site, 'ada')];
    const mo = await browserOf(site, 'mo', 'moderator');
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    await adas.post(`${path(2)}away/`);
    const queue = await mo.page('/moderation/');
    const trash = await mo.page('/moderation/trash/');
    const back = await mo.post('/moderation/trash/', { project: '2' });
    const log = await mo.page('/moderation/log/');
    const status = await statusOf(site, 2);
    const others = await zoe.post('/moderation/trash/', { project: '2' });
    await site.close();

    expect(wordsOf(queue)).toContain('Whoever made it has taken it away');
    expect(queue).not.toContain('value="remove"');
    expect(wordsOf(trash)).toContain('A boat');
    expect([back.headers.get('Location'), status, others.status]).toEqual(['/moderation/trash/', 1, 403]);
    expect(wordsOf(log)).toContain('mo brought back A boat of ada');
  });

  test('what was reported of a moderator’s is for the others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await browserOf(site, 'zoe');
    const adas = await browserOf(site, 'ada', 'moderator');
    const mo = await browserOf(site, 'mo', 'moderator');
    await zoe.post(`${path(2)}report/`, { reason: 'spam' });
    const [own, others] = [await adas.page('/moderation/'), await mo.page('/moderation/')];
    const listed = (await site.json('/api/v1/reports/', await site.key('ada'))) as { count: number };
    const one = await site.get('/api/v1/reports/1/', await site.key('ada'));
    const left = await adas.post('/moderation/', { project: '2', decision: 'leave' });
    await mo.post('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    const log = await adas.page('/moderation/log/');
    const undone = await adas.post('/moderation/log/1/undo/');
    const restored = await adas.post('/moderation/removed/', { project: '2' });
    const key = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
    const patched = await site.request('/api/v1/projects/2/', {
      method: 'PATCH',
      headers: key,
      body: '{"status":1}',
    });
    await site.close();

    expect([openOf(own), openOf(others), listed.count, one.status]).toEqual([undefined, '1', 0, 404]);
    expect([left, undone, restored, patched].map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(wordsOf(log)).toContain('mo removed A boat');
    expect(log).not.toContain('Take it back');
  });

  test('an account is looked up, disabled and enabled, and its things stay as they are', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'invitation' } });
    const mo = await browserOf(site, 'mo', 'moderator');
    const adas = await site.signIn('ada');
    const known = await mo.page('/moderation/people/?username=ADA');
    const unknown = await mo.page('/moderation/people/?username=nobody');
    const self = await mo.page('/moderation/people/?username=mo');
    const disabled = await mo.post('/moderation/people/', {
      contributor: '1',
      state: 'disabled',
      reason: 'Why not.',
    });
    const shut = await site.get('/account/', adas);
    const things = await site.get(path(2));
    const after = await mo.page(disabled.headers.get('Location') ?? '');
    await mo.post('/moderation/people/', { contributor: '1', state: 'open' });
    const opened = await mo.page('/moderation/people/?username=ada');
    const own = await mo.post('/moderation/people/', { contributor: '3', state: 'disabled' });
    const invited = await (await mo.post('/moderation/people/invitation/')).text();
    const address = /http:\/\/gallery\.example(\/sign-up\/\?invitation=[\w-]+)/.exec(invited)?.[1] ?? '';
    const form = await (await site.get(address)).text();
    await site.close();

    expect(wordsOf(known)).toContain('Role contributor');
    expect(wordsOf(known)).toContain('Projects 3 Comments 1 Removed 0 Reports made 0');
    expect(wordsOf(unknown)).toContain('Nobody is called that.');
    expect(self).not.toContain('Disable the account');
    expect([disabled.status, shut.status, things.status]).toEqual([303, 303, 200]);
    expect(wordsOf(after)).toMatch(
      /disabled on .*Enable the account.*mo disabled the account of ada Why not\./,
    );
    expect(wordsOf(opened)).toMatch(/may sign in .*mo enabled the account of ada/);
    expect(own.status).toBe(403);
    expect(form).toContain(`value="${new URLSearchParams(address.split('?')[1]).get('invitation')}"`);
  });

  test('there is no invitation where nobody needs one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const mo = await browserOf(site, 'mo', 'moderator');
    const refused = await mo.post('/moderation/people/invitation/');
    const page = await mo.page('/moderation/people/');
    await site.close();

    expect([refused.status, page.includes('invitation')]).toEqual([404, false]);
  });

  test('nobody has more than fifty reports open', async () => {
    const many = Array.from({ length: 51 }, (_, index) => project(100 + index));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await browserOf(site, 'zoe');
    for (let id = 100; id < 150; id++) await zoe.post(`${path(id)}report/`, { reason: 'spam' });
    const refused = await zoe.post(`${path(150)}report/`, { reason: 'spam' });
    const changed = await zoe.post(`${path(100)}report/`, { reason: 'unkind' });
    const text = wordsOf(await refused.text());
    await site.close();

    expect([refused.status, changed.status]).toEqual([400, 303]);
    expect(text).toContain('You have 50 reports that nobody has decided on yet');
  });
});
