// Names in texts: which are links, for whom, and who is notified.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { contributor, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  contributor(3, 'klaus_werkt'),
  contributor(4, 'shy'),
  contributor(5, 'mo'),
  contributor(6, 'Ünal.k'),
  project(1, { title: 'A lamp' }),
  ...[2, 3, 6].map((maker) => project(maker, { title: 'A thing', contributor: maker })),
  project(4, { title: 'Secret', contributor: 4, visibility: 'private' }),
);

/** Such as "ada mentioned A raft", newest first. */
async function notifications(owner: Person): Promise<string[]> {
  const { results } = await owner.json<{
    results: { kind: string; title: string; contributor_name: string }[];
  }>('/api/v1/me/notifications/');
  return results.map(({ kind, title, contributor_name }) => `${contributor_name} ${kind} ${title}`);
}

const idOf = async (response: Response) => ((await response.json()) as { id: number }).id;
const publish = async (maker: Person, title: string, text: string, more: object = {}) =>
  idOf(await maker.post('/api/v1/projects/', { title, text, ...more }));
const comment = async (author: Person, text: string, on = 1) =>
  idOf(await author.post(`/api/v1/projects/${on}/comments/`, { text }));

onBothDatabases((kind) => {
  const peopleOf = async (site: Site) => {
    const [ada, bob, klaus, shy] = await Promise.all(
      ['ada', 'bob', 'klaus_werkt', 'shy'].map((name) => person(site, name)),
    );
    if (!ada || !bob || !klaus || !shy) throw new Error('somebody is missing');
    return { ada, bob, klaus, shy, mo: await person(site, 'mo', { role: 'moderator' }) };
  };

  test('a name in a text is a link to the person, and an address, code or a link stays as it is', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada } = await peopleOf(site);
    const show = async (text: string) => {
      await ada.patch('/api/v1/projects/1/', { text });
      const html = await (await site.get(pathOf(1))).text();
      const [, shown = ''] = /<div class="text e-content"[^>]*>([\s\S]*?)<\/div>/.exec(html) ?? [];
      return shown.replace(/<a href="\/contributors\/(\d)-[^"]*">(.*?)<\/a>/g, '[$1 $2]').trim();
    };
    const cases = [
      ['By @bob, @BOB and *@klaus_werkt*.', 'By [2 @bob], [2 @BOB] and <em>[3 @klaus_werkt]</em>.'],
      ['(@bob) "@ünal.k." @ada', '([2 @bob]) "[6 @ünal.k]." [1 @ada]'.replaceAll('"', '&quot;')],
      [
        'bob@bob.example a@bob x/@bob @bob@bob \\@bob @ @@bob',
        'bob@bob.example a@bob x/@bob @bob@bob @bob @ @@bob',
      ],
      ['`@bob` and ``@bob``', '<code>@bob</code> and <code>@bob</code>'],
      ['```\n@bob\n```', '<pre><code>@bob\n</code></pre>'],
      ['@bobby @shy @nobody', '@bobby @shy @nobody'],
    ] as const;
    for (const [text, expected] of cases)
      expect([text, await show(text)]).toEqual([
        text,
        expected.startsWith('<pre>') ? expected : `<p>${expected}</p>`,
      ]);
    const inLinks = 'https://x.example/@bob [@bob](https://x.example) <https://x.example/?@bob> @bob';
    expect((await show(inLinks)).match(/\[\d/g)).toEqual(['[2']);
    const many = Array.from({ length: 10 }, (_, number) => `@x${number}`).join(' ');
    expect(await show(`${many} @bob`)).not.toContain('[');
    expect(await show(`@bob ${many} @bob`)).toMatch(/^<p>\[2 @bob\].*\[2 @bob\]<\/p>$/);
    expect(await ada.json<{ text: string }>('/api/v1/projects/1/')).toMatchObject({
      text: `@bob ${many} @bob`,
    });
  });

  test('a link says nothing of who may not be found: only moderators, and the person, see one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob, shy, mo } = await peopleOf(site);
    await ada.patch('/api/v1/projects/1/', { text: 'Thanks, @shy!' });
    await comment(bob, 'And @shy helped.');
    const linksFor = async (viewer: Person) =>
      (await viewer.open(pathOf(1))).attributesOf('.text a[href^="/contributors/4"]', 'href');
    for (const viewer of [visitor(site), ada, bob]) expect(await linksFor(viewer)).toEqual([]);
    for (const viewer of [shy, mo])
      expect(await linksFor(viewer)).toEqual(['/contributors/4-shy/', '/contributors/4-shy/']);
    expect(await notifications(shy)).toEqual([]);

    await shy.patch('/api/v1/projects/4/', { visibility: 'public' });
    expect(await linksFor(visitor(site))).toEqual(['/contributors/4-shy/', '/contributors/4-shy/']);
    await shy.patch('/api/v1/projects/4/', { visibility: 'private' });
    expect(await linksFor(visitor(site))).toEqual([]);
  });

  test('whoever is named is notified once of a text, when it is public', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob, klaus } = await peopleOf(site);
    const raft = await publish(ada, 'A raft', 'With @bob, `@klaus_werkt` and @ada', {
      visibility: 'private',
    });
    expect(await notifications(bob)).toEqual([]);
    await ada.patch(`/api/v1/projects/${raft}/`, { visibility: 'public' });
    expect(await notifications(bob)).toEqual(['ada mentioned A raft']);
    expect(await notifications(klaus)).toEqual([]);
    expect(await notifications(ada)).toEqual([]);

    for (const text of ['With nobody', 'With @bob.', 'With @bob and @klaus_werkt'])
      await ada.patch(`/api/v1/projects/${raft}/`, { text });
    expect(await notifications(bob)).toEqual(['ada mentioned A raft']);
    expect(await notifications(klaus)).toEqual(['ada mentioned A raft']);
    await ada.patch(`/api/v1/projects/${raft}/`, { visibility: 'private' });
    expect(await notifications(bob)).toEqual([]);

    await publish(ada, 'A draft', 'With @bob', { status: 0 });
    await publish(ada, 'A list', `${'@x @y @z @x1 @x2 @x3 @x4 @x5 @x6 @x7'} @bob`);
    expect(await notifications(bob)).toEqual([]);
  });

  test('a comment notifies whom it names, and nobody twice', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob, klaus } = await peopleOf(site);
    const first = await comment(bob, 'Nice, @ada and @klaus_werkt!');
    expect(await notifications(ada)).toEqual(['bob commented A lamp']);
    expect(await notifications(klaus)).toEqual(['bob mentioned A lamp']);
    const second = await comment(bob, 'Bright.');
    await bob.patch(`/api/v1/projects/${second}/`, { text: 'Bright, @ada.' });
    expect(await notifications(ada)).toEqual(['bob commented A lamp', 'bob commented A lamp']);
    await comment(klaus, 'I think so, @bob.', first);
    expect(await notifications(bob)).toEqual(['klaus_werkt answered A lamp']);

    await ada.patch('/api/v1/projects/1/', { visibility: 'private' });
    expect(await notifications(klaus)).toEqual([]);
    await comment(ada, 'Now between us, @klaus_werkt.');
    expect(await notifications(klaus)).toEqual([]);
  });

  test('names count with all links of a text: after so many, they are text', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada } = await peopleOf(site);
    await ada.patch('/api/v1/projects/1/', { text: '@bob '.repeat(15_000) });
    const page = await visitor(site).open(pathOf(1));
    const links = page.document.querySelectorAll('.text a').length;
    expect(links).toBe(200_000 / '/contributors/2-bob/'.length);
  });

  test('somebody who does not want to hear of it does not', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, bob } = await peopleOf(site);
    await bob.send('/account/notifications/settings/', { commented: 'on' });
    await publish(ada, 'A raft', 'With @bob');
    expect(await notifications(bob)).toEqual([]);
    await bob.send('/account/notifications/settings/', { mentioned: 'on' });
    await publish(ada, 'A boat', 'With @bob');
    expect(await notifications(bob)).toEqual(['ada mentioned A boat']);
    expect((await bob.open('/account/notifications/')).textsOf('.rows li')[0]).toMatch(
      /^New ada mentioned you in A boat/,
    );
  });
});
