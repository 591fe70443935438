// The same page for different viewers: an anonymous one, the owner, another contributor and a moderator.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const longText = `${'Word. '.repeat(500)}The end.`;
const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { title: 'Kite' }),
  project(2, { title: 'Secret', visibility: 'private' }),
  project(3, { title: 'Draft', status: 0 }),
  project(4, { title: 'Removed, of the moderator', status: 3, contributor: 3 }),
  project(5, { title: 'Of another', contributor: 2 }),
  ...[9, 40].map((count) =>
    project(count, { tags: Array.from({ length: count }, (_, index) => `t${index}`) }),
  ),
  project(6, { title: 'Removed', status: 3 }),
  project(7, { title: 'A comment', content_type: 'comment', parent: 5, text: longText }),
);

onOneDatabase((kind) => {
  test('private projects and drafts have no address to share, and no card for other sites', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const sharing = async (id: number) => {
      const { html } = await ada.open(pathOf(id));
      return { address: html.includes('>Link</label>'), card: html.includes('Embed code') };
    };

    expect(await sharing(1)).toEqual({ address: true, card: true });
    expect(await sharing(2)).toEqual({ address: false, card: false });
    expect(await sharing(3)).toEqual({ address: false, card: false });
  });

  test('a project has a link to report it, except for its owner', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const report = `${pathOf(1)}report/`;

    expect((await visitor(site).open(pathOf(1))).hasLink(report)).toBe(true);
    expect((await zoe.open(pathOf(1))).hasLink(report)).toBe(true);
    expect((await ada.open(pathOf(1))).hasLink(report)).toBe(false);
  });

  test('of many tags, eight are in sight, and the others behind a button', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [few, many] = [await visitor(site).open(pathOf(9)), await visitor(site).open(pathOf(40))];
    expect([few.textsOf('.p-category').length, few.textsOf('.more-tags')]).toEqual([9, []]);
    expect(many.textsOf('nav > .tags .p-category')).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']);
    expect(many.textsOf('.more-tags summary')).toEqual(['32 more']);
    expect(many.textsOf('.more-tags .p-category')).toHaveLength(32);
  });

  test('the trash of a moderator has only their own projects, the trash for moderators all', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });

    await zoe.send(`${pathOf(5)}trash/`);
    expect((await zoe.open('/mine/?show=trash')).html).toContain('Of another');
    expect((await mo.open('/mine/?show=trash')).html).not.toContain('Of another');
    expect((await mo.open('/moderation/trash/')).html).toContain('Of another');
  });

  test('deleting a project redirects its owner to their projects, and a moderator to the queue', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });

    const byOwner = await zoe.send(`${pathOf(5)}trash/`);
    expect(byOwner.headers.get('Location')).toBe('/mine/?deleted=5');

    await mo.send('/moderation/trash/', { project: '5' });
    const byModerator = await mo.send(`${pathOf(5)}trash/`);
    expect(byModerator.headers.get('Location')).toBe('/moderation/');
  });

  test('moderators see all removed projects, and restore those of others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const mo = await person(site, 'mo', { role: 'moderator' });

    const page = await mo.open('/moderation/removed/');
    expect([page.hasLink(pathOf(4)), page.hasLink(pathOf(6))]).toEqual([true, true]);
    expect(page.attributesOf('[name=project]', 'value')).toEqual(['6']);
  });

  test('a long comment is cut below its project, and whole on its own page', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const project = await visitor(site).open(pathOf(5));
    expect(project.text).toContain('Read more');
    expect(project.html).not.toContain('The end.');

    const comment = await visitor(site).open(pathOf(7));
    expect(comment.text).toContain('The end.');
  });
});
