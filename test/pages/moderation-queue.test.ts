// The queue of open reports: its order, its pages, and decisions to leave a project as it is.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Page, readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const reportPath = (id: number) => `${pathOf(id)}report/`;

const gallery = dump(
  adasLine,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Kite' }),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  project(2, { title: 'A boat', text: 'It floats.' }),
  project(3, { title: 'A word', content_type: 'comment', parent: 2, text: 'Boo.' }),
);

/** The number of open reports in the header. */
const reportCountOn = (page: Page) => page.textsOf('.badge')[0];
const locationOf = (response: Response) => response.headers.get('Location');

onBothDatabases((kind) => {
  test('the queue has each project once, the most reported first, with its reports', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, lu] = [await person(site, 'zoe'), await person(site, 'lu')];
    const mo = await person(site, 'mo', { role: 'moderator' });

    const emptyQueue = await mo.open('/moderation/');
    expect(reportCountOn(emptyQueue)).toBeUndefined();
    expect(emptyQueue.text).toContain('All clear, no open reports.');

    await zoe.send(reportPath(3), { reason: 'unkind', words: '<img src=x onerror=alert(1)> "\u202e' });
    await zoe.send(reportPath(2), { reason: 'spam' });
    await lu.send(reportPath(2), { reason: 'other', words: 'It sinks.' });
    const queue = await mo.open('/moderation/');
    expect(reportCountOn(queue)).toBe('3 to look at');
    expect(queue.textsOf('.types li:has(.badge)')).toEqual(['Queue 3 to look at']);
    expect(queue.text).toMatch(/A boat .*It floats.*It sinks\. .*lu.*A word .*It is not kind/);
    expect(queue.text).toContain('reported 2 times');
    expect(queue.text).toContain('no past decisions against the author');
    expect(queue.html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;');
    expect(queue.document.querySelectorAll('article[autofocus]')).toHaveLength(1);
  });

  test('a reported comment shows what it answers, and leads to its place in the thread', async () => {
    const thread = Array.from({ length: 21 }, (_, index) =>
      project(10 + index, {
        title: `C${index}`,
        content_type: 'comment',
        parent: 2,
        text: `Number ${index}.`,
      }),
    );
    const answer = project(40, { title: 'An answer', content_type: 'comment', parent: 30, text: 'Boo.' });
    const site = await siteOn(kind, { dump: `${gallery}${thread.join('\n')}\n${answer}\n` });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    for (const id of [3, 40]) await zoe.send(reportPath(id), { reason: 'unkind' });

    const queue = await mo.open('/moderation/');
    expect(queue.textsOf('.answered')).toEqual([
      'On A boat It floats. by Ada Lovelace',
      'On A boat Number 20. by Ada Lovelace',
    ]);
    const links = queue.document.querySelectorAll('.answered > p a').map((a) => a.getAttribute('href') ?? '');
    expect(links).toEqual([`${pathOf(2)}#comment-3`, `${pathOf(2)}?page=2#comment-40`]);
    for (const link of links) {
      const [path = '', anchor] = link.split('#');
      expect((await mo.open(path)).document.querySelectorAll(`#${anchor}`)).toHaveLength(1);
    }
  });

  test('only moderators see the queue and its reports', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const lu = await person(site, 'lu');
    await zoe.send(reportPath(2), { reason: 'spam' });
    await lu.send(reportPath(2), { reason: 'other', words: 'It sinks.' });

    expect((await visitor(site).get('/moderation/')).status).toBe(303);
    expect((await zoe.browser.get('/moderation/')).status).toBe(403);

    const page = await ada.open(pathOf(2));
    expect(reportCountOn(page)).toBeUndefined();
    expect(page.html).not.toMatch(/report|Zoë|sinks/i);
  });

  test('a decision to leave a project closes the reports that the moderator saw, and no later ones', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [zoe, lu] = [await person(site, 'zoe'), await person(site, 'lu')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(reportPath(2), { reason: 'spam' });
    await zoe.send(reportPath(3), { reason: 'unkind' });
    const queue = await mo.open('/moderation/');
    const [seen = ''] = queue.attributesOf('[name=seen]', 'value');
    const [next = ''] = queue.attributesOf('[name=next]', 'value');
    await lu.send(reportPath(2), { reason: 'unsafe' });

    const first = await mo.send('/moderation/', { project: '2', decision: 'leave', seen, next });
    expect(locationOf(first)).toBe('/moderation/?done=1#project-3');
    const queueAfter = await mo.open('/moderation/?done=1');
    expect(reportCountOn(queueAfter)).toBe('2 to look at');
    expect(queueAfter.text).toMatch(/mo closed the reports on A boat by ada .*Undo/);
    expect(queueAfter.text).toContain('It is not safe for children');

    const second = await mo.send('/moderation/', { project: '3', decision: 'leave' });
    expect(locationOf(second)).toBe('/moderation/?done=2');

    const repeated = await mo.send('/moderation/', { project: '3', decision: 'leave' });
    expect(repeated.status).toBe(400);
    expect((await readPage(repeated)).text).toContain('Somebody else has decided on this already.');
  });

  test('a long queue has pages, and a decision on one of them leads back to it', async () => {
    const many = Array.from({ length: 11 }, (_, index) => project(100 + index, { title: `Thing ${index}` }));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    for (let id = 100; id < 111; id++) await zoe.send(reportPath(id), { reason: 'spam' });
    await zoe.send(reportPath(2), { reason: 'spam' });

    const secondPage = await mo.open('/moderation/?page=2');
    expect(secondPage.text).toMatch(/Thing 10 .*A boat/);
    expect(secondPage.attributesOf('form', 'action')).toContain('/moderation/?page=2');

    const removal = { project: '110', decision: 'remove', reason: '' };
    const withoutReason = await mo.send('/moderation/?page=2', removal);
    expect(withoutReason.status).toBe(400);
    expect((await readPage(withoutReason)).hasLink('#d110-reason')).toBe(true);

    const unknownDecision = { project: '110', decision: 'constructor' };
    expect((await mo.send('/moderation/?page=2', unknownDecision)).status).toBe(400);

    const first = await mo.send('/moderation/?page=2', { project: '110', decision: 'leave', next: '2' });
    expect(locationOf(first)).toBe('/moderation/?done=1&page=2#project-2');

    const last = await mo.send('/moderation/?page=2', { project: '2', decision: 'leave' });
    expect(locationOf(last)).toBe('/moderation/?done=2');
  });

  test('what may be unsafe for children comes first, and a reason or a reporter can be chosen', async () => {
    const site = await siteOn(kind, { dump: gallery + dump(project(4, { title: 'A swing' })) });
    const [zoe, lu] = [await person(site, 'zoe'), await person(site, 'lu')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    for (const reporter of [zoe, lu]) await reporter.send(reportPath(2), { reason: 'spam' });
    await lu.send(reportPath(3), { reason: 'unkind' });
    await lu.send(reportPath(4), { reason: 'unsafe' });
    const titlesAt = async (query: string) => (await mo.open(`/moderation/${query}`)).textsOf('.reported h2');

    const queue = await mo.open('/moderation/');
    expect(queue.textsOf('.reported h2')).toEqual(['A swing', 'A boat', 'A word']);
    expect(queue.textsOf('[aria-label=Reasons] a')).toEqual([
      'Everything',
      'It is not kind 1',
      'It is not safe for children 1',
      'It is spam or advertising 1',
    ]);
    expect(await titlesAt('?reason=spam')).toEqual(['A boat']);
    expect(await titlesAt('?reporter=2')).toEqual(['A boat']);
    for (const query of ['?reason=boring', '?reporter=lu'])
      expect((await mo.browser.get(`/moderation/${query}`)).status).toBe(404);

    const removal = await mo.send('/moderation/', { project: '4', decision: 'remove', because: 'unsafe' });
    expect(locationOf(removal)).toBe('/moderation/?done=1');
    expect((await mo.open('/moderation/?done=1')).text).toContain('It is not safe for children.');

    expect((await mo.open('/moderation/?reporter=4')).text).toContain('Reported by lu : 2. See all reports');
    const ofLu = await mo.submit('/moderation/?reporter=4', 'Leave all of it as it is');
    expect(locationOf(ofLu)).toBe('/moderation/?left');
    const left = await mo.open('/moderation/?left');
    expect([left.notices, left.textsOf('.reported h2')]).toEqual([
      ['Their reports are closed; what they reported stays. See each decision'],
      ['A boat'],
    ]);
    expect(left.textsOf('.reasons')).toEqual([expect.stringContaining('Zoë')]);
    expect((await mo.open('/moderation/log/')).textsOf('.rows li')).toHaveLength(3);
    // Twice at once, as two moderators may press it.
    await lu.post('/api/v1/projects/3/report/', { reason: 'spam' });
    const leave = () => mo.send('/moderation/reporters/4/leave/', { seen: '9000000000000000' });
    const both = await Promise.all([leave(), leave()]);
    expect(both.map(locationOf)).toEqual(['/moderation/?left', '/moderation/?left']);
    const refused = await zoe.send('/moderation/reporters/4/leave/', { seen: '9000000000000000' });
    expect(refused.status).toBe(403);
  });
});
