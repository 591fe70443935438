// The end of a project's page: more by the same person, and projects with the same tags. Both lead on, and show nothing that
// the viewer may not find.

import { expect, test } from 'bun:test';
import { onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const bobs = (id: number, title: string, members: Record<string, unknown> = {}) =>
  project(id, { title, contributor: 2, tags: ['kites'], ...members });

const gallery = dump(
  ada,
  contributor(2, 'bob'),
  project(1, { title: 'A kite', tags: ['Kites', 'wind'] }),
  project(2, { title: 'A lamp' }),
  project(3, { title: 'Her diary', visibility: 'private' }),
  bobs(4, 'One tag'),
  bobs(5, 'Two tags', { tags: ['WIND', 'kites'] }),
  bobs(6, 'His secret kite', { visibility: 'private' }),
  bobs(7, 'An unlisted kite', { visibility: 'unlisted' }),
  bobs(8, 'A removed kite', { status: 3 }),
  bobs(9, 'A remix of the kite', { copied_from: 1 }),
  bobs(10, 'Another thing', { tags: ['lamps'] }),
);

onBothDatabases((kind) => {
  test('a project leads to more of its maker, and to those that share most tags with it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const sections = async (who: Awaited<ReturnType<typeof person>>, id: number) => {
      const page = await who.open(pathOf(id));
      return [page.textsOf('.more-projects h2'), page.textsOf('.more-projects h3')];
    };

    const anybody = visitor(site);
    expect(await sections(anybody, 1)).toEqual([
      ['More by Ada Lovelace', 'Similar projects'],
      ['A lamp', 'Two tags', 'One tag'],
    ]);
    expect(await sections(anybody, 10)).toEqual([
      ['More by bob'],
      ['A remix of the kite', 'Two tags', 'One tag'],
    ]);
    expect(await sections(await person(site, 'ada'), 2)).toEqual([['More by Ada Lovelace'], ['A kite']]);
  });
});

onOneDatabase((kind) => {
  test('what only people with an account do leads a visitor to signing in, and from there back', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const leadsOf = async (path: string) =>
      (await visitor(site).open(path)).textsOf('main a.button[href^="/sign-in/"]');
    expect(await leadsOf(pathOf(1))).toEqual(['Remix this', 'Bookmark', 'Follow Ada Lovelace']);
    expect(await leadsOf('/contributors/2-bob/')).toEqual(['Follow bob']);
    expect(await leadsOf('/?tags=kites')).toEqual(['Follow kites']);

    const Referer = `http://gallery.example${pathOf(1)}`;
    const signIn = await readPage(await site.get('/sign-in/?remix', { Referer }));
    expect(signIn.fields.next).toBe(pathOf(1));
    expect(signIn.text).toContain('Sign in to remix ');
    const nowhere = await readPage(
      await site.get('/sign-in/?remix', { Referer: 'http://gallery.example/content/nothing/x/' }),
    );
    expect(nowhere.text).not.toContain('to remix');
  });
});
