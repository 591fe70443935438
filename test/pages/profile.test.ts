// The profiles of people on their pages: words, links and pinned projects.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, exportAll, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'Kite' }),
  project(2, { title: 'Robot' }),
  project(3, { title: 'Secret', visibility: 'private' }),
  project(4, { title: 'Lamp', contributor: 2 }),
);
const formPath = '/account/profile/';
const adasPage = '/contributors/1-ada/';
const profile = {
  about: 'I build kites.\nSee https://kites.example/how?a=1&b=2.',
  links: 'https://ada.example\nhttps://code.example/ada',
  pinned: `http://gallery.example${pathOf(2)}\n${pathOf(3)}`,
};

onBothDatabases((kind) => {
  test('words, links and pinned projects stand first on the page', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    const saved = await ada.send(formPath, profile);
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, adasPage]);

    const page = await visitor(site).open(adasPage);
    expect(page.textsOf('.about')).toEqual(['I build kites. See https://kites.example/how?a=1&b=2 .']);
    expect(page.textsOf('.about a')).toEqual(['https://kites.example/how?a=1&b=2']);
    expect(page.textsOf('ul.links a')).toEqual(['ada.example', 'code.example/ada']);
    expect(page.textsOf('h2#pinned')).toEqual(['Pinned']);
    // Nobody but ada sees the private project, and it is in no list of hers either.
    expect(page.textsOf('[aria-labelledby=pinned] .name')).toEqual(['Robot']);
    expect((await visitor(site).open(`${adasPage}?content_type=text`)).textsOf('#pinned')).toEqual([]);

    // Those that are pinned stand first in the list, in their order. Only public ones can be added.
    const form = await ada.open(formPath);
    expect(form.textsOf('#f-pinned label')).toEqual(['Robot', 'Secret', 'Kite']);
    expect(form.attributesOf('#f-pinned [checked]', 'value')).toEqual([pathOf(2), pathOf(3)]);
    expect(form.textsOf('#f-pinned .help')).toEqual([
      'Choose up to four projects that come first on your page.',
    ]);
    await ada.send(formPath, { about: ' ', links: '', pinned: '' });
    expect((await visitor(site).open(adasPage)).textsOf('.about, ul.links, #pinned')).toEqual([]);
  });

  test('a project is pinned and unpinned on its own page, at most four of them', async () => {
    const more = [5, 6, 7].map((id) => project(id, { title: `Kite ${id}` }));
    const site = await siteOn(kind, { dump: dump(gallery.trimEnd(), ...more) });
    const ada = await person(site, 'ada');
    const pin = async (id: number, button = 'Pin to my page') => {
      const response = await ada.submit(pathOf(id), button);
      return [response.status, response.headers.get('Location')];
    };
    const pinnedTitles = async () => (await ada.open(adasPage)).textsOf('[aria-labelledby=pinned] .name');

    await ada.send(formPath, { about: 'I build kites.', links: '', pinned: pathOf(2) });
    expect(await pin(1)).toEqual([303, `${pathOf(1)}#pin`]);
    expect(await pinnedTitles()).toEqual(['Robot', 'Kite']);
    await pin(2, 'Unpin from my page');
    await Promise.all([pin(5), pin(6), pin(2)]);
    expect((await pinnedTitles()).toSorted()).toEqual(['Kite', 'Kite 5', 'Kite 6', 'Robot']);
    expect((await ada.open(adasPage)).textsOf('.about')).toEqual(['I build kites.']);

    const full = await ada.open(pathOf(7));
    expect(full.textsOf('#pin')).toEqual([
      'You have pinned 4 projects, and there is no room for more. Unpin one first. See your page .',
    ]);
    expect((await ada.send(`${pathOf(7)}pin/`, { pinned: 'yes' })).status).toBe(400);
    expect((await ada.open(pathOf(4))).textsOf('#pin')).toEqual([]);
    expect((await ada.send(`${pathOf(4)}pin/`, { pinned: 'yes' })).status).toBe(403);

    const many = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? ada.send(`${pathOf(2)}pin/`, { pinned: 'yes' })
        : ada.send(formPath, { about: `Version ${index}`, links: '', pinned: pathOf(1) }),
    );
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(30).fill(303));
  });

  test('the form says what is wrong, and keeps what was typed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const errorsOf = async (values: Record<string, string>) => {
      const response = await ada.send(formPath, values);
      const html = await response.text();
      const errors = [...html.matchAll(/class="field-error"[^>]*>(?:<[^>]+>)*([^<]+)</g)];
      return [response.status, ...errors.map(([, text]) => text)];
    };

    const wrongLink = 'Enter addresses that begin with https://. This is wrong: ';
    expect(await errorsOf({ links: 'http://ada.example' })).toEqual([400, `${wrongLink}http://ada.example`]);
    expect(await errorsOf({ links: 'javascript:alert(1)' })).toEqual([
      400,
      `${wrongLink}javascript:alert(1)`,
    ]);
    const five = [1, 2, 3, 4, 5].map((number) => `https://a.example/${number}`).join('\n');
    expect(await errorsOf({ links: five })).toEqual([400, 'Enter at most 4.']);
    expect(await errorsOf({ about: 'x'.repeat(501) })).toEqual([400, 'Please use at most 500 characters.']);
    expect((await errorsOf({ pinned: pathOf(4) }))[0]).toBe(400);
    expect((await errorsOf({ pinned: '/tags/' }))[0]).toBe(400);

    // A browser sends each checkbox that is checked.
    const { csrfmiddlewaretoken = '' } = (await ada.open(formPath)).fields;
    const pin = (...paths: string[]) =>
      site.request(formPath, {
        method: 'POST',
        headers: { ...ada.browser.headers, Origin: 'http://gallery.example' },
        body: new URLSearchParams([
          ['csrfmiddlewaretoken', csrfmiddlewaretoken],
          ...paths.map((path) => ['pinned', path]),
        ]),
      });
    expect((await pin(pathOf(2), pathOf(1))).status).toBe(303);
    const tooMany = await pin(...[1, 2, 3, 8, 9].map((id) => pathOf(id)));
    expect(tooMany.status).toBe(400);
    const refused = await readPage(tooMany);
    expect(refused.errors).toEqual(['Pinned projects: Enter at most 4.']);
    expect(refused.attributesOf('#f-pinned [checked]', 'value')).toEqual([pathOf(2), pathOf(1)]);
    expect((await visitor(site).send(formPath, profile)).status).toBe(303);
    expect((await visitor(site).open(adasPage)).textsOf('.about')).toEqual([]);
  });

  test('a moderator removes them, and the log says so', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob', { role: 'moderator' });
    await ada.send(formPath, profile);
    const removal = { contributor: '1', reason: 'An advertisement.' };

    expect((await ada.send('/moderation/people/profile/', removal)).status).toBe(403);
    const person1 = '/moderation/people/?username=ada';
    const removed = await bob.submit(person1, 'Remove words, links and pins', { reason: removal.reason });
    expect([removed.status, removed.headers.get('Location')]).toEqual([303, person1]);

    expect((await visitor(site).open(adasPage)).textsOf('.about, ul.links, #pinned')).toEqual([]);
    const log = await (await bob.browser.get('/moderation/log/')).text();
    expect(log).toContain('<b>removed something from the profile of</b>');
    expect(log).toContain('An advertisement.');
  });

  test('dumps and the download of one’s own data have them, and leaving deletes them', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.send(formPath, profile);

    const line =
      '{"type":"profile","contributor":1,"about":"I build kites.\\nSee https://kites.example/how?a=1&b=2.",' +
      '"links":["https://ada.example/","https://code.example/ada"],' +
      '"pinned":["uuid000000000000000002","uuid000000000000000003"]}';
    const exported = await exportAll(site);
    expect(exported).toContain(line);
    expect(await (await ada.get('/api/v1/me/dump/?format=ndjson')).text()).toContain(line);
    expect(await exportAll(await siteOn(kind, { dump: exported }))).toContain(line);

    await ada.send('/account/leave/', { items: 'keep' });
    expect(await exportAll(site)).not.toContain('kites.example');
  });
});
