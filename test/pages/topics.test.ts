// What moderators say about a tag, above its projects and in previews of the page.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { contributor, dump, exportAll, importInto, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'mo'),
  project(1, { title: 'Kite', slug: 'kite', tags: ['Air', 'paper'] }),
  project(2, { title: 'Lamp', slug: 'lamp', tags: ['light'] }),
  project(3, { title: 'Words', slug: 'words', tags: ['air'] }),
);

const list = '/?tags=Air';
const form = '/tags/topic/?tag=air';

/** The sentence, the picture's project and the preview. */
async function topicFor(who: Person, path = list) {
  const page = await who.open(path);
  const meta = (name: string) => page.attributesOf(`meta[property="og:${name}"]`, 'content');
  const isSitePreview = meta('image')[0]?.includes('/preview-') === true;
  return [...page.textsOf('.topic > p'), ...meta('description'), isSitePreview];
}

onBothDatabases((kind) => {
  test('moderators give a tag a sentence and the picture of a project that everybody sees', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const anybody = visitor(site);
    for (const id of [1, 2]) {
      const body = new FormData();
      body.set('file', new File([new Uint8Array(png(40, 40))], 'a.png'));
      expect((await ada.post(`/api/v1/projects/${id}/media/`, body)).status).toBe(201);
    }
    expect([await topicFor(anybody), await topicFor(mo)]).toEqual([[true], [true]]);
    expect((await ada.browser.get(form)).status).toBe(403);
    expect((await ada.send(form, { text: 'Mine.' })).status).toBe(403);
    expect((await mo.open(list)).hasLink(form.replace('air', 'Air'))).toBe(true);
    for (const picture of ['lamp', 'words', 'nothing', pathOf(2, 'lamp')])
      expect([picture, (await mo.send(form, { text: 'Up.', picture })).status]).toEqual([picture, 400]);
    for (const tag of ['', 'a,b', 'x'.repeat(51)])
      expect((await mo.browser.get(`/tags/topic/?tag=${tag}`)).status).toBe(404);
    expect((await mo.send(form, { text: 'x'.repeat(301) })).status).toBe(400);

    const saved = await mo.submit(form, 'Save', { text: 'All that flies.', picture: pathOf(1, 'kite') });
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/?tags=air']);
    expect(await topicFor(anybody)).toEqual(['All that flies. Kite', 'All that flies.', false]);
    expect((await anybody.open(list)).attributesOf('meta[name=description]', 'content')).toEqual([
      'All that flies.',
    ]);
    for (const path of ['/?tags=paper', '/?tags=air,paper', '/?tags=air&search=kite', '/'])
      expect([path, await topicFor(anybody, path)]).toEqual([path, [true]]);
    expect((await mo.open('/moderation/log/')).textsOf('main ol > li').join()).toContain(
      'mo wrote about a tag air: All that flies.',
    );

    const before = await exportAll(site);
    expect(before).toContain('{"type":"topic","tag_key":"air","text":"All that flies.","picture":1}');
    const other = await siteOn(kind, { dump: '' });
    await importInto(other, before);
    expect((await topicFor(visitor(other)))[0]).toBe('All that flies. Kite');

    await ada.patch('/api/v1/projects/1/', { visibility: 'unlisted' });
    expect(await topicFor(anybody)).toEqual(['All that flies.', 'All that flies.', true]);
    expect((await mo.open(form)).fields).toMatchObject({ text: 'All that flies.', picture: '' });
    await ada.patch('/api/v1/projects/1/', { visibility: 'public', tags: 'paper' });
    expect(await topicFor(anybody)).toEqual(['All that flies.', 'All that flies.', true]);
    await mo.submit(form, 'Save', { text: '' });
    expect(await topicFor(anybody)).toEqual([true]);
    expect(await exportAll(site)).not.toContain('{"type":"topic"');
  });
});
