// Hostile text from people, on every page, in feeds and in what machines read: nothing breaks out.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { parseHtml } from '../support/html.ts';
import { contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { childrenOf, parseXml } from '../support/xml.ts';

const words = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script><!--',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover=alert(1) '",
  '</script>]]>&amp;&#60;',
  '\u202egnp.exe\u2066 \u200f turned',
  'a'.repeat(200),
  '🐙👩‍👩‍👧‍👦'.repeat(12),
  '{{7*7}} $1 %s \\u003c',
];

const name = (index: number, word: string) =>
  contributor(index + 1, `user${index}`, { first_name: word.slice(0, 150), last_name: '' });

const gallery = dump(
  ...words.map((word, index) => name(index, word)),
  ...words.flatMap((word, index) => {
    const of = (id: number, members: Record<string, unknown>) =>
      project(id, {
        contributor: index + 1,
        title: word,
        text: `${word}\n\n> ${word}\n\n# ${word}\n\n[${word}](https://a.example/)`,
        tags: [word.slice(0, 50).replaceAll(',', '')],
        ...members,
      });
    const first = 10 * index + 1;
    return [
      of(first, { content_type: 'quote' }),
      of(first + 1, { copied_from: first, content_type: 'question' }),
      of(first + 2, { content_type: 'comment', parent: first + 1 }),
      of(first + 3, { content_type: 'link', link: 'https://a.example/"onclick=alert(1)' }),
    ];
  }),
);

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const ids = words.flatMap((_, index) => [1, 2, 3, 4].map((more) => 10 * index + more));

onBothDatabases((kind) => {
  test('text that people wrote never becomes markup of a page', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const paths = [
      ...['/', '/?page=2', '/tags/', '/?content_type=quote'],
      ...words.flatMap((word) => [
        `/?${new URLSearchParams({ search: word.slice(0, 60) })}`,
        `/?${new URLSearchParams({ tags: word.slice(0, 50) })}`,
      ]),
      ...words.map((_, index) => `/contributors/${index + 1}-user${index}/`),
      ...ids.flatMap((id) => [
        `/content/${uuid(id)}/a-thing/`,
        `/content/${uuid(id)}/a-thing/lineage/`,
        `/content/${uuid(id)}/embed/`,
      ]),
    ];
    for (const path of paths) {
      const response = await site.get(path);
      const html = await response.text();
      expect([path, response.status, faultsOf(html)]).toEqual([path, 200, []]);
      expect(response.headers.get('Content-Security-Policy')).not.toContain('unsafe');
    }
  });

  test('text that people wrote never becomes markup of a feed or of JSON-LD', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const listed = parseXml(await text(site, '/feed.atom?ordering=id'));
    const titles = childrenOf(listed, 'entry').map((entry) => childrenOf(entry, 'title')[0]?.text);
    expect(titles).toContain('</title><script>alert(1)</script><!--');
    expect(titles).toContain('gnp.exe  turned');
    const { items } = (await site.json('/feed.json?ordering=id')) as { items: { content_html: string }[] };
    expect(items).toHaveLength(27);
    for (const { content_html } of items) expect(faultsOf(content_html)).toEqual([]);
    for (const [index, word] of words.entries()) {
      parseXml(await text(site, `/contributors/${index + 1}-user${index}/feed.atom`));
      const page = await text(site, `/content/${uuid(10 * index + 2)}/a-thing/`);
      const data = parseHtml(page).querySelector('script[type="application/ld+json"]')?.rawText ?? '';
      expect(data).not.toMatch(/[<>&]/);
      const told = JSON.parse(data) as { name: string; isBasedOn: { name: string } };
      expect([told.name, told.isBasedOn.name]).toEqual([word, word]);
      const url = `http://gallery.example/content/${uuid(10 * index + 1)}/a-thing/`;
      const embed = (await site.json(`/oembed?${new URLSearchParams({ url })}`)) as { html: string };
      expect(faultsOf(embed.html)).toEqual([]);
      expect(embed.html.match(/<\/?[a-z]+/g)).toEqual(['<iframe', '</iframe']);
      parseXml(await text(site, `/oembed?${new URLSearchParams({ url, format: 'xml' })}`));
    }
  });
});

const text = async (site: Site, path: string) => (await site.get(path)).text();

const known = new Set(
  (
    'html head meta title link body a header svg rect path circle search form input button nav main h1 h2 h3 h4 h5 h6 p ' +
    'ul ol li span bdi time blockquote article section div dl dt dd footer details summary text g strong em code pre hr ' +
    'br iframe script label textarea'
  ).split(' '),
);

/** Elements and attributes that no page of ours has, by the parser of a server that rewrites pages. */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      const pairs = [...attributes].map(([name = '', value = '']): [string, string] => [name, value]);
      if (!known.has(tagName) || pairs.some(isForbidden)) faults.push(`${tagName} ${pairs.join(' ')}`);
      const { type, src, ...others } = Object.fromEntries(pairs);
      const isData = type === 'application/ld+json' && src === undefined;
      const isOurs = type === 'module' && /^\/assets\/vitrine-[0-9a-z]+\.js$/.test(src ?? '');
      if (tagName === 'script' && (!(isData || isOurs) || Object.keys(others).length > 0))
        faults.push(`script ${pairs.join(' ')}`);
    },
  });
  rewriter.transform(html);
  return faults;
}

const isForbidden = ([name, value]: [string, string]) =>
  name.startsWith('on') ||
  name === 'style' ||
  name === 'srcdoc' ||
  (/^(href|src)$/.test(name) && /^\s*(javascript|data|vbscript):/i.test(value));
