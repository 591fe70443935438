// /mine/: all of one's own projects in one list, with their states.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada, contributor, dump, project, siteOn } from '../support/site.ts';

const at = (day: number) => ({ modified: `2026-03-0${day}T10:00:00.000000+00:00` });
const gallery = dump(
  ada,
  contributor(2, 'bob'),
  project(1, { title: 'Open', ...at(1) }),
  project(2, { title: 'With the link', visibility: 'unlisted', ...at(5) }),
  project(3, { title: 'Only mine', visibility: 'private', ...at(4) }),
  project(4, { title: 'For the class', visibility: 'class', ...at(3) }),
  project(5, { title: 'Put away', status: 2, ...at(2) }),
  project(6, { title: 'Begun', status: 0, ...at(1) }),
  project(7, { title: 'Begun later', status: 0, ...at(2) }),
  project(8, { title: 'A shelf', content_type: 'collection', status: 5, ...at(6) }),
  project(9, { title: 'A word', content_type: 'comment', parent: 1 }),
  project(10, { title: 'Of Bob', contributor: 2 }),
);

onBothDatabases((kind) => {
  test('all own projects are in one list, drafts on top with a button to publish, with their states and counts', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { browser } = await person(site, 'ada');
    const { text, document } = await browser.open('/mine/');
    const textsOf = (selector: string) =>
      document.querySelectorAll(selector).map((element) => element.textContent.trim().replace(/\s+/g, ' '));
    expect(textsOf('.list-filters li')).toEqual([
      ...[
        'All 8',
        'Drafts 2',
        'Waiting 1',
        'Published 1',
        'For a class 1',
        'Only with the link 1',
        'Private 1',
      ],
      ...['Out of the lists 1', 'Comments 1', 'Trash'],
    ]);
    expect(textsOf('.card .name')).toEqual([
      ...['Begun later', 'Begun'],
      ...['A shelf', 'With the link', 'Only mine', 'For the class', 'Put away', 'Open'],
    ]);
    expect(textsOf('.card .badge')).toEqual([
      ...[
        'draft',
        'draft',
        'waiting to be checked',
        'only with the link',
        'private',
        'class',
        'out of the lists',
      ],
    ]);
    expect(text).not.toContain('Of Bob');

    const [form] = document.querySelectorAll('.card form');
    await browser.send(form?.getAttribute('action') ?? '', { status: '1' });
    expect((await browser.open('/mine/?show=drafts')).text).not.toContain('Begun later');
    expect((await browser.open('/mine/?show=published')).text).toContain('Begun later');
    expect((await browser.get('/mine/?show=nothing')).status).toBe(404);
  });
});
