// Pages for other programs: feeds, oEmbed and its cards, JSON-LD for search engines, and the sitemap.

import { expect, test } from 'bun:test';
import { SitemapRanges } from '../../src/features/feeds/sitemap-ranges.ts';
import { onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada, contributor, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';
import { childrenOf, type Element, parseXml } from '../support/xml.ts';

const origin = 'http://gallery.example';
const time = (second: number) => `2024-01-01T00:00:0${second}.000001+00:00`;

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  project(1, { title: 'Kite', tags: ['paper', 'wind'], text: 'A *kite*.', rating_count: 2, rating_sum: 9 }),
  project(2, { title: 'Kite again', contributor: 2, copied_from: 1, tags: ['paper'], modified: time(9) }),
  project(3, { title: 'Vexillum', visibility: 'unlisted', tags: ['paper'] }),
  project(4, { title: 'Vexillum', visibility: 'private', tags: ['paper'] }),
  project(5, { title: 'Vexillum', status: 0, tags: ['paper'] }),
  project(6, { title: 'Where to', content_type: 'link', link: 'https://a.example/?a=1&b=2' }),
  project(7, { title: 'Embed', slug: 'embed' }),
);

const readXml = async (site: Site, path: string) => parseXml(await (await site.get(path)).text());
const textOf = (element: Element, name: string) => childrenOf(element, name)[0]?.text;
/** The addresses of its links by their relation. */
const linksOf = (element: Element) =>
  Object.fromEntries(
    childrenOf(element, 'link').map(({ attributes: { rel = '', href = '' } }) => [rel, href]),
  );

onOneDatabase((kind) => {
  test('a list has an Atom feed, with the source of a copy', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const response = await site.get('/feed.atom?tags=paper&unknown=1');
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    const feed = parseXml(await response.text());
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(linksOf(feed)).toEqual({
      self: `${origin}/feed.atom?tags=paper`,
      alternate: `${origin}/?tags=paper`,
    });
    expect(textOf(feed, 'updated')).toBe(time(9));
    const entries = childrenOf(feed, 'entry');
    expect(entries.map((entry) => textOf(entry, 'title'))).toEqual(['Kite again', 'Kite']);

    const [copy, source] = entries;
    if (!copy || !source) throw new Error('an entry is missing');
    expect(linksOf(copy)).toEqual({
      alternate: `${origin}${pathOf(2)}`,
      via: `${origin}${pathOf(1)}`,
    });
    expect(textOf(source, 'id')).toMatch(/^urn:uuid:[\da-f-]{36}$/);
    expect(textOf(feed, 'id')).toBe('https://gallery.example/feed.atom?tags=paper');
    expect(textOf(source, 'content')).toBe('<p>A <em>kite</em>.</p>\n');
    const categories = childrenOf(source, 'category').map(({ attributes }) => attributes.term);
    expect(categories).toEqual(['paper', 'wind']);

    expect(childrenOf(await readXml(site, '/feed.atom?search=nothing'), 'entry')).toEqual([]);
  });

  test('a contributor has an Atom feed, and an old username redirects to it', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const feed = await readXml(site, '/contributors/2-zoe/feed.atom');
    expect(childrenOf(feed, 'entry').map((entry) => textOf(entry, 'title'))).toEqual(['Kite again']);

    const redirect = await site.get('/contributors/2-old/feed.atom');
    expect(redirect.headers.get('Location')).toBe(`${origin}/contributors/2-zoe/feed.atom`);
  });

  test('a list has a JSON feed', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const response = await site.get('/feed.json?content_type=link');
    expect(response.headers.get('Content-Type')).toBe('application/feed+json; charset=utf-8');
    expect(await response.json()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Links – Vitrine',
      home_page_url: `${origin}/?content_type=link`,
      feed_url: `${origin}/feed.json?content_type=link`,
      items: [
        {
          id: expect.stringMatching(/^urn:uuid:[\da-f-]{36}$/),
          url: `${origin}${pathOf(6)}`,
          external_url: 'https://a.example/?a=1&b=2',
          title: 'Where to',
          content_html: '',
          summary: '',
          date_published: time(6),
          date_modified: time(6),
          tags: [],
          authors: [{ name: 'Ada Lovelace', url: `${origin}/contributors/1-ada/` }],
        },
      ],
    });
  });

  test('a contributor has a JSON feed, with the source of a copy', async () => {
    const site = await siteOn(kind, { dump: gallery });

    expect(await site.json('/contributors/2-zoe/feed.json')).toMatchObject({
      items: [{ _source: { url: `${origin}${pathOf(1)}`, author: 'Ada Lovelace' } }],
    });
  });

  test('a feed has only the first words of a long text', async () => {
    const long = project(8, { title: 'Long', contributor: 2, text: `${'Word. '.repeat(3000)}The end.` });
    const site = await siteOn(kind, { dump: gallery + dump(long) });

    const feed = await (await site.get('/contributors/2-zoe/feed.atom')).text();
    expect(feed).toContain('Long');
    expect(feed).not.toContain('The end.');
  });

  test('oEmbed describes the card of a project', async () => {
    const site = await siteOn(kind, { dump: gallery });

    expect(await site.json(oembedPath(1, { maxwidth: '300' }))).toEqual({
      type: 'rich',
      version: '1.0',
      title: 'Kite',
      author_name: 'Ada Lovelace',
      author_url: `${origin}/contributors/1-ada/`,
      provider_name: 'Vitrine',
      provider_url: `${origin}/`,
      width: 300,
      height: 320,
      html: expect.stringContaining(`src="${origin}/content/${uuidOf(1)}/embed/" title="Kite" width="300"`),
    });

    expect(await site.json(oembedPath(1, { maxwidth: '10', maxheight: '20' }))).toMatchObject({
      width: 10,
      height: 20,
    });
    // Without a picture, the thumbnail is the poster.
    expect(await site.json(oembedPath(1, { maxwidth: '0' }))).toMatchObject({
      width: 480,
      thumbnail_url: expect.stringContaining(`${origin}/content/${uuidOf(1)}/preview-`),
      thumbnail_width: 1200,
      thumbnail_height: 630,
    });
  });

  test('pictures are in both feeds, in oEmbed and in the sitemap', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const form = new FormData();
    form.append('file', new File([Uint8Array.from(png(700, 350))], 'kite.png'));
    form.append('alt', 'A "red" kite.');
    await (await person(site, 'ada')).post('/api/v1/projects/1/media/', form);
    const [{ sizes }] =
      await visitor(site).json<[{ sizes: { url: string; width: number; height: number }[] }]>(
        '/api/v1/projects/1/media/',
      );
    const [small, large] = [sizes[0], sizes.at(-1)];
    if (!small || !large) throw new Error('a size is missing');

    const atom = await readXml(site, '/contributors/1-ada/feed.atom');
    const entry = childrenOf(atom, 'entry').find((child) => textOf(child, 'title') === 'Kite');
    if (!entry) throw new Error('the entry is missing');
    expect(linksOf(entry).enclosure).toBe(large.url);
    const image = `<p><img src="${large.url}" alt="A &#34;red&#34; kite." width="700" height="350"></p>\n`;
    expect(textOf(entry, 'content')).toBe(`${image}<p>A <em>kite</em>.</p>\n`);
    const { items } = await visitor(site).json<{ items: { title: string; image?: string }[] }>(
      '/feed.json?tags=wind',
    );
    expect(items).toMatchObject([{ title: 'Kite', image: large.url }]);

    const thumbnailOf = async (options: Record<string, string>) => {
      const oembed = await visitor(site).json<Record<string, unknown>>(oembedPath(1, options));
      return [oembed.thumbnail_url, oembed.thumbnail_width, oembed.thumbnail_height];
    };
    expect(await thumbnailOf({})).toEqual([sizes[1]?.url, 640, 320]);
    expect(await thumbnailOf({ maxwidth: '400' })).toEqual([small.url, 320, 160]);
    expect(await thumbnailOf({ maxheight: '100' })).toEqual([undefined, undefined, undefined]);

    const urls = childrenOf(await readXml(site, '/sitemaps/1-.xml'), 'url');
    const images = urls.flatMap((url) => childrenOf(url, 'image:image'));
    expect(images.map((child) => textOf(child, 'image:loc'))).toEqual([large.url]);
  });

  test('programs find the icon, the form for a new password, and the contact of the site in security.txt', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const icon = await site.get('/favicon.ico');
    expect(icon.headers.get('Content-Type')).toBe('image/x-icon');
    expect([...(await icon.bytes()).slice(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);

    const { document } = await visitor(site).open('/');
    const href = (rel: string) => document.querySelector(`link[rel=${rel}]`)?.getAttribute('href') ?? '';
    const touchIcon = await site.get(href('apple-touch-icon'));
    expect(touchIcon.headers.get('Content-Type')).toBe('image/png');
    expect([...(await touchIcon.bytes()).slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
    const manifest = await site.get(href('manifest'));
    expect(manifest.headers.get('Content-Type')).toBe('application/manifest+json');
    expect(await manifest.json()).toMatchObject({ name: 'Vitrine', start_url: '/', theme_color: '#f8f5ef' });
    const colors = document
      .querySelectorAll('meta[name=theme-color]')
      .map((meta) => meta.getAttribute('content'));
    expect(colors).toEqual(['#f8f5ef', '#16161b']);

    expect((await site.get('/.well-known/security.txt')).status).toBe(404);
    const change = await site.get('/.well-known/change-password');
    expect([change.status, change.headers.get('Location')]).toEqual([303, '/account/password/']);
    const admin = await person(site, 'ada', { role: 'admin' });
    await admin.submit('/admin/site/?part=texts', 'Save', { contact: 'safe@gallery.example' });
    const [contact, expires = '', canonical, end] = (
      await (await site.get('/.well-known/security.txt')).text()
    ).split('\n');
    expect([contact, canonical, end]).toEqual([
      'Contact: mailto:safe@gallery.example',
      `Canonical: ${origin}/.well-known/security.txt`,
      '',
    ]);
    const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
    expect(Math.ceil(days)).toBe(90);
  });

  test('entries keep their ids on another host', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_ALLOWED_HOSTS: '*' } });
    const idsAt = async (path: string, Host: string) =>
      (await (await site.get(path, { Host })).text()).match(/urn:uuid:[\da-f-]{36}/g) ?? [];
    for (const path of ['/feed.atom', '/feed.json']) {
      const ids = await idsAt(path, 'old.example');
      expect(new Set(ids).size).toBeGreaterThan(2);
      expect(await idsAt(path, 'new.example')).toEqual(ids);
    }
  });

  test('pages and their cards are h-entries', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const page = await visitor(site).open(pathOf(1));
    expect(page.attributesOf('article.h-entry data.u-url', 'value')).toEqual([pathOf(1)]);
    expect(page.textsOf('.h-entry h1.p-name')).toHaveLength(1);
    expect(page.attributesOf('.h-entry header a.p-author.h-card', 'href')).toEqual(['/contributors/1-ada/']);
    expect(page.attributesOf('article.h-entry time.dt-published', 'datetime')).toHaveLength(1);
    const home = await visitor(site).open('/');
    expect(home.attributesOf('.h-feed > .h-entry a.u-url.p-name', 'href')).toContain(pathOf(1));
  });

  test('programs and language models find where the API is described', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const catalog = await site.get('/.well-known/api-catalog');
    expect([catalog.headers.get('Content-Type'), await catalog.json()]).toEqual([
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      {
        linkset: [
          {
            anchor: `${origin}/api/v1/`,
            'service-desc': [{ href: `${origin}/api/v1/schema/`, type: 'application/vnd.oai.openapi+json' }],
            'service-doc': [{ href: `${origin}/api/v1/docs/`, type: 'text/html' }],
          },
        ],
      },
    ]);
    const text = await (await site.get('/llms.txt')).text();
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link.slice(origin.length));
    expect(links).toEqual([
      '/api/v1/schema/',
      '/api/v1/docs/',
      '/api/v1/projects/',
      '/sitemap.xml',
      '/feed.atom',
    ]);
    for (const link of links) expect((await site.get(link)).status).toBe(200);
  });

  test('the times of pages have at most three digits of a second', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const page = await visitor(site).open(pathOf(2));
    expect(page.attributesOf('time', 'datetime')[0]).toBe('2024-01-01T00:00:02.000+00:00');
  });

  test('oEmbed and cards exist for public projects only', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const paths = [
      ...[3, 4, 5, 99].map((id) => oembedPath(id)),
      '/oembed?url=http://other.example/content/x/y/',
      '/oembed?url=nonsense',
      ...[3, 4, 5].map((id) => `/content/${uuidOf(id)}/embed/`),
    ];

    for (const path of paths) expect([path, (await site.get(path)).status]).toEqual([path, 404]);
    expect((await site.get('/oembed')).status).toBe(400);
    expect((await site.get(oembedPath(1, { format: 'yaml' }))).status).toBe(501);
  });

  test('other sites may show cards in a frame, and no other page', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const frameAncestors = async (path: string) => {
      const policy = (await site.get(path)).headers.get('Content-Security-Policy') ?? '';
      return /frame-ancestors ([^;]*)/.exec(policy)?.[1];
    };

    expect(await frameAncestors(`/content/${uuidOf(1)}/embed/`)).toBe('*');
    expect(await frameAncestors(pathOf(1))).toBe("'none'");
    // The slug of this project is "embed", so its page has the path of a card.
    expect(await frameAncestors(`/content/${uuidOf(7)}/embed/`)).toBe("'none'");
    expect(await frameAncestors(`/content/${uuidOf(7)}/embed/embed/`)).toBe('*');
  });

  test('the page of a project has JSON-LD, with the source of a copy', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const readJsonLd = async (id: number) => (await visitor(site).open(pathOf(id))).jsonLd;

    expect(await readJsonLd(2)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      name: 'Kite again',
      identifier: uuidOf(2),
      url: `${origin}${pathOf(2)}`,
      author: { '@type': 'Person', name: 'zoe', url: `${origin}/contributors/2-zoe/` },
      keywords: ['paper'],
      dateCreated: time(2),
      dateModified: time(9),
      isBasedOn: {
        '@type': 'CreativeWork',
        name: 'Kite',
        url: `${origin}${pathOf(1)}`,
        author: { '@type': 'Person', name: 'Ada Lovelace', url: `${origin}/contributors/1-ada/` },
      },
    });
    expect(await readJsonLd(1)).toMatchObject({ aggregateRating: { ratingValue: 4.5, ratingCount: 2 } });
  });

  test('the page of an unlisted project is marked noindex, and has no metadata', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const page = await visitor(site).open(pathOf(3));
    expect(page.attributesOf('meta[name=robots]', 'content')).toEqual(['noindex']);
    for (const metadata of ['og:', 'ld+json', 'oembed']) expect(page.html).not.toContain(metadata);
  });

  test('the sitemap has the listed projects and the contributors', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const locations = async (path: string, element: string) =>
      childrenOf(await readXml(site, path), element).map((child) => textOf(child, 'loc'));

    expect(await locations('/sitemap.xml', 'sitemap')).toEqual([`${origin}/sitemaps/1-.xml`]);
    expect(await locations('/sitemaps/1-.xml', 'url')).toEqual([
      `${origin}/`,
      ...[1, 2, 6].map((id) => `${origin}${pathOf(id)}`),
      `${origin}/content/${uuidOf(7)}/embed/`,
      `${origin}/contributors/1-ada/`,
      `${origin}/contributors/2-zoe/`,
    ]);
    // Only the first part has the home page.
    expect(await locations('/sitemaps/2-.xml', 'url')).not.toContain(`${origin}/`);

    for (const part of ['', 'x.xml', '0-5.xml', '1-99999999999999999999.xml'])
      expect([part, (await site.get(`/sitemaps/${part}`)).status]).toEqual([part, 404]);
    expect(await (await site.get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
  });

  test('a sitemap of many projects has parts, each with a range of ids', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ranges = new SitemapRanges(site.database, 2);

    const list = await ranges.list();
    expect(list).toEqual([
      { first: 1, last: 5 },
      { first: 6, last: undefined },
    ]);
    expect(await ranges.list()).toEqual(list);

    const uuids = await Promise.all(
      list.map(async (range) => (await ranges.loadProjects(range)).map(({ uuid }) => uuid)),
    );
    expect(uuids).toEqual([
      [uuidOf(1), uuidOf(2)],
      [uuidOf(6), uuidOf(7)],
    ]);
  });
});

/** The path of oEmbed for the page of a project. */
function oembedPath(id: number, options: Record<string, string> = {}): string {
  return `/oembed?${new URLSearchParams({ url: `${origin}${pathOf(id)}`, ...options })}`;
}
