// Feeds, cards for other sites, data for search engines, and the sitemap.

import { expect, test } from 'bun:test';
import { SitemapRanges } from '../../src/gallery/projects/id-ranges.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { childrenOf, type Element, parseXml } from '../support/xml.ts';

const here = 'http://gallery.example';
const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const moment = (id: number) => `2024-01-01T00:00:0${id}.000001+00:00`;

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  project(1, { title: 'Kite', tags: ['paper', 'wind'], text: 'A *kite*.', rating_count: 2, rating_sum: 9 }),
  project(2, { title: 'Kite again', contributor: 2, copied_from: 1, tags: ['paper'], modified: moment(9) }),
  project(3, { title: 'Vexillum', visibility: 'unlisted', tags: ['paper'] }),
  project(4, { title: 'Vexillum', visibility: 'private', tags: ['paper'] }),
  project(5, { title: 'Vexillum', status: 0, tags: ['paper'] }),
  project(6, { title: 'Where to', content_type: 'link', link: 'https://a.example/?a=1&b=2' }),
  project(7, { title: 'Embed', slug: 'embed' }),
);

const text = async (site: Site, path: string) => (await site.get(path)).text();
const first = (element: Element, name: string) => childrenOf(element, name)[0]?.text;
const links = (element: Element) =>
  Object.fromEntries(
    childrenOf(element, 'link').map(({ attributes: { rel = '', href = '' } }) => [rel, href]),
  );

onBothDatabases((kind) => {
  test('a list, a tag and a contributor have an Atom feed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const response = await site.get('/feed.atom?tags=paper&unknown=1');
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    const feed = parseXml(await response.text());
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(links(feed)).toEqual({
      self: `${here}/feed.atom?tags=paper`,
      alternate: `${here}/?tags=paper`,
    });
    expect(first(feed, 'updated')).toBe(moment(9));
    const [second, original] = childrenOf(feed, 'entry');
    if (!second || !original) throw new Error('there are two');
    expect([first(second, 'title'), first(original, 'title')]).toEqual(['Kite again', 'Kite']);
    expect(links(second)).toEqual({
      alternate: `${here}/content/${uuid(2)}/a-thing/`,
      via: `${here}/content/${uuid(1)}/a-thing/`,
    });
    expect(first(original, 'id')).toBe(`${here}/content/${uuid(1)}/`);
    expect(first(original, 'content')).toBe('<p>A <em>kite</em>.</p>\n');
    expect(childrenOf(original, 'category').map(({ attributes }) => attributes.term)).toEqual([
      'paper',
      'wind',
    ]);

    const person = parseXml(await text(site, '/contributors/2-zoe/feed.atom'));
    expect(childrenOf(person, 'entry').map((entry) => first(entry, 'title'))).toEqual(['Kite again']);
    expect((await site.get('/contributors/2-old/feed.atom')).headers.get('Location')).toBe(
      `${here}/contributors/2-zoe/feed.atom`,
    );
    expect(childrenOf(parseXml(await text(site, '/feed.atom?search=nothing')), 'entry')).toEqual([]);
  });

  test('the same as JSON Feed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const response = await site.get('/feed.json?content_type=link');
    expect(response.headers.get('Content-Type')).toBe('application/feed+json; charset=utf-8');
    expect(await response.json()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Gallery – Vitrine',
      home_page_url: `${here}/?content_type=link`,
      feed_url: `${here}/feed.json?content_type=link`,
      items: [
        {
          id: `${here}/content/${uuid(6)}/`,
          url: `${here}/content/${uuid(6)}/a-thing/`,
          external_url: 'https://a.example/?a=1&b=2',
          title: 'Where to',
          content_html: '',
          summary: '',
          date_published: moment(6),
          date_modified: moment(6),
          tags: [],
          authors: [{ name: 'Ada Lovelace', url: `${here}/contributors/1-ada/` }],
        },
      ],
    });
    const { items } = (await site.json('/contributors/2-zoe/feed.json')) as {
      items: { _source?: unknown }[];
    };
    expect(items[0]?._source).toEqual({ url: `${here}/content/${uuid(1)}/a-thing/`, author: 'Ada Lovelace' });
  });

  test('oEmbed describes a card of a project, which other sites may frame, and nothing else', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const oembedPath = (id: number, more = {}) =>
      `/oembed?${new URLSearchParams({ url: `${here}/content/${uuid(id)}/a-thing/`, ...more })}`;
    const card = await site.json(oembedPath(1, { maxwidth: '300' }));
    expect(card).toEqual({
      type: 'rich',
      version: '1.0',
      title: 'Kite',
      author_name: 'Ada Lovelace',
      author_url: `${here}/contributors/1-ada/`,
      provider_name: 'Vitrine',
      provider_url: `${here}/`,
      width: 300,
      height: 320,
      html: expect.stringContaining(`src="${here}/content/${uuid(1)}/embed/" title="Kite" width="300"`),
    });
    const framing = async (path: string) =>
      /frame-ancestors ([^;]*)/.exec(
        (await site.get(path)).headers.get('Content-Security-Policy') ?? '',
      )?.[1];
    expect(await framing(`/content/${uuid(1)}/embed/`)).toBe('*');
    expect(await framing(`/content/${uuid(1)}/a-thing/`)).toBe("'none'");
    // The path of this project looks like that of a card.
    expect(await framing(`/content/${uuid(7)}/embed/`)).toBe("'none'");
    expect(await framing(`/content/${uuid(7)}/embed/embed/`)).toBe('*');
    const refused = [
      ...[3, 4, 5, 99].map((id) => oembedPath(id)),
      '/oembed?url=http://other.example/content/x/y/',
      '/oembed?url=nonsense',
      ...[3, 4, 5].map((id) => `/content/${uuid(id)}/embed/`),
    ];
    for (const path of refused) expect([path, (await site.get(path)).status]).toEqual([path, 404]);
    expect((await site.get('/oembed')).status).toBe(400);
    expect((await site.get(oembedPath(1, { format: 'yaml' }))).status).toBe(400);
  });

  test('a page has data for machines: what it shows, and the source of a copy', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const dataOf = async (id: number) => {
      const page = await readPage(await site.get(`/content/${uuid(id)}/a-thing/`));
      const script = page.document.querySelector('script[type="application/ld+json"]');
      return JSON.parse(script?.rawText ?? 'null');
    };
    const [adas, zoes] = ['ada', 'zoe'].map((name, index) => ({
      '@type': 'Person',
      name: index ? 'zoe' : 'Ada Lovelace',
      url: `${here}/contributors/${index + 1}-${name}/`,
    }));
    expect(await dataOf(2)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      name: 'Kite again',
      identifier: uuid(2),
      url: `${here}/content/${uuid(2)}/a-thing/`,
      author: zoes,
      keywords: ['paper'],
      dateCreated: moment(2),
      dateModified: moment(9),
      isBasedOn: {
        '@type': 'CreativeWork',
        name: 'Kite',
        url: `${here}/content/${uuid(1)}/a-thing/`,
        author: adas,
      },
    });
    expect((await dataOf(1)).aggregateRating).toMatchObject({ ratingValue: 4.5, ratingCount: 2 });
    const quiet = await text(site, `/content/${uuid(3)}/a-thing/`);
    expect(quiet).toContain('<meta name="robots" content="noindex"/>');
    for (const trace of ['og:', 'ld+json', 'oembed']) expect(quiet).not.toContain(trace);
  });

  test('the sitemap has what is listed, in parts, and nothing else', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const index = parseXml(await text(site, '/sitemap.xml'));
    const parts = childrenOf(index, 'sitemap').map((part) => first(part, 'loc') ?? '');
    expect(parts).toEqual([`${here}/sitemaps/1-.xml`]);
    const listed = parseXml(await text(site, '/sitemaps/1-.xml'));
    expect(childrenOf(listed, 'url').map((url) => first(url, 'loc'))).toEqual([
      `${here}/`,
      ...[1, 2, 6].map((id) => `${here}/content/${uuid(id)}/a-thing/`),
      `${here}/content/${uuid(7)}/embed/`,
      ...[`${here}/contributors/1-ada/`, `${here}/contributors/2-zoe/`],
    ]);
    for (const path of [
      '/sitemaps/',
      '/sitemaps/x.xml',
      '/sitemaps/0-5.xml',
      '/sitemaps/1-99999999999999999999.xml',
    ])
      expect([path, (await site.get(path)).status]).toEqual([path, 404]);
    expect(await text(site, '/robots.txt')).toContain(`Sitemap: ${here}/sitemap.xml`);

    const finder = new SitemapRanges(site.database, 2);
    const found = await finder.list();
    expect(found).toEqual([
      { first: 1, last: 5 },
      { first: 6, last: undefined },
    ]);
    expect(await finder.list()).toEqual(found);
    const uuids = await Promise.all(
      found.map(async (part) => (await finder.loadProjects(part)).map(({ uuid }) => uuid)),
    );
    expect(uuids).toEqual([
      [uuid(1), uuid(2)],
      [uuid(6), uuid(7)],
    ]);
  });
});
