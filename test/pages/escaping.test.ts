// Hostile text of contributors on every page, in feeds, oEmbed and JSON-LD: none of it becomes markup.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { parseHtml } from '../support/html.ts';
import { visitor } from '../support/person.ts';
import { contributor, dump, pathOf, project, siteOn, uuidOf } from '../support/site.ts';
import { childrenOf, parseXml } from '../support/xml.ts';

const hostileTexts = [
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

const contributorPath = (index: number) => `/contributors/${index + 1}-user${index}/`;

/** Each text is the name of a contributor with four projects: a quote, its copy, a comment on the copy, and a link. */
const projectIds = (index: number) => {
  const quote = 10 * index + 1;
  return { quote, copy: quote + 1, comment: quote + 2, link: quote + 3 };
};

const contributors = hostileTexts.map((text, index) =>
  contributor(index + 1, `user${index}`, { first_name: text.slice(0, 150), last_name: '' }),
);

const projects = hostileTexts.flatMap((text, index) => {
  const ids = projectIds(index);
  const hostileProject = (id: number, members: Record<string, unknown>) =>
    project(id, {
      contributor: index + 1,
      title: text,
      text: `${text}\n\n> ${text}\n\n# ${text}\n\n[${text}](https://a.example/)`,
      tags: [text.slice(0, 50).replaceAll(',', '')],
      ...members,
    });
  return [
    hostileProject(ids.quote, { content_type: 'quote' }),
    hostileProject(ids.copy, { copied_from: ids.quote, content_type: 'question' }),
    hostileProject(ids.comment, { content_type: 'comment', parent: ids.copy }),
    hostileProject(ids.link, { content_type: 'link', link: 'https://a.example/"onclick=alert(1)' }),
  ];
});

const gallery = dump(...contributors, ...projects);

onOneDatabase((kind) => {
  test('text of contributors never becomes markup of a page', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const lists = hostileTexts.flatMap((text) => [
      `/?${new URLSearchParams({ search: text.slice(0, 60) })}`,
      `/?${new URLSearchParams({ tags: text.slice(0, 50) })}`,
      `/wall/?${new URLSearchParams({ tags: text.slice(0, 50) })}`,
    ]);
    const projectPages = hostileTexts
      .flatMap((_, index) => Object.values(projectIds(index)))
      .flatMap((id) => [pathOf(id), `${pathOf(id)}lineage/`, `/content/${uuidOf(id)}/embed/`]);
    const contributorPages = hostileTexts.map((_, index) => contributorPath(index));
    const paths = ['/', '/?page=2', '/wall/', '/tags/', '/?content_type=quote', ...lists];

    for (const path of [...paths, ...contributorPages, ...projectPages]) {
      const response = await visitor(site).get(path);
      expect([path, response.status, findForeignMarkup(await response.text())]).toEqual([path, 200, []]);
      expect(response.headers.get('Content-Security-Policy')).not.toContain('unsafe');
    }
  });

  test('text of contributors never becomes markup of a feed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const atom = parseXml(await (await site.get('/feed.atom?ordering=id')).text());
    const titles = childrenOf(atom, 'entry').map((entry) => childrenOf(entry, 'title')[0]?.text);
    expect(titles).toContain('</title><script>alert(1)</script><!--');
    expect(titles).toContain('gnp.exe  turned');

    const feed = await visitor(site).json<{ items: { content_html: string }[] }>('/feed.json?ordering=id');
    expect(feed.items).toHaveLength(27);
    for (const { content_html } of feed.items) expect(findForeignMarkup(content_html)).toEqual([]);

    // The parser throws an error if a feed is not well-formed.
    for (const index of hostileTexts.keys())
      parseXml(await (await site.get(`${contributorPath(index)}feed.atom`)).text());
  });

  test('text of contributors never becomes markup of JSON-LD', async () => {
    const site = await siteOn(kind, { dump: gallery });
    for (const [index, text] of hostileTexts.entries()) {
      const page = await visitor(site).open(pathOf(projectIds(index).copy));
      const data = page.jsonLd as { mainEntity?: unknown };
      // The project stands within the page of a question.
      expect(data.mainEntity ?? data).toMatchObject({ name: text, isBasedOn: { name: text } });

      const json = page.document.querySelector('script[type="application/ld+json"]')?.rawText;
      expect(json).not.toMatch(/[<>&]/);
    }
  });

  test('text of contributors never becomes markup of oEmbed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    for (const index of hostileTexts.keys()) {
      const url = `http://gallery.example${pathOf(projectIds(index).quote)}`;
      const { html } = await visitor(site).json<{ html: string }>(`/oembed?${new URLSearchParams({ url })}`);
      expect(findForeignMarkup(html)).toEqual([]);
      const elements = parseHtml(html).querySelectorAll('*');
      expect(elements.map(({ rawTagName }) => rawTagName)).toEqual(['iframe']);
      expect(html.match(/<\/?[a-z]+/g)).toEqual(['<iframe', '</iframe']);

      parseXml(await (await site.get(`/oembed?${new URLSearchParams({ url, format: 'xml' })}`)).text());
    }
  });
});

const ownElements = new Set(
  (
    'html head meta title link body a header svg rect path circle search form input button nav main h1 h2 h3 h4 h5 h6 p ' +
    'ul ol li span bdi time blockquote article section div dl dt dd footer details summary text g strong em code pre hr ' +
    'br wbr small iframe script label textarea img b figure figcaption noscript data mark'
  ).split(' '),
);

/**
 * Finds elements and attributes that Vitrine's pages do not have. HTMLRewriter reads the tags like a browser, and does
 * not repair the markup.
 */
function findForeignMarkup(html: string): string[] {
  const problems: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      const pairs = [...attributes].map(([name = '', value = '']): [string, string] => [name, value]);
      if (!ownElements.has(tagName) || pairs.some(isForbidden))
        problems.push(`${tagName} ${pairs.join(' ')}`);
      // The QR code is the only picture: these projects have no files.
      if (tagName === 'img' && !/^\/content\/\w+\/qr\.svg$/.test(Object.fromEntries(pairs).src ?? ''))
        problems.push(`img ${pairs.join(' ')}`);
      const { type, src, ...otherAttributes } = Object.fromEntries(pairs);
      const isData = type === 'application/ld+json' && src === undefined;
      const isOwnScript = type === 'module' && /^\/assets\/vitrine-[0-9a-z]+\.js$/.test(src ?? '');
      if (tagName === 'script' && (!(isData || isOwnScript) || Object.keys(otherAttributes).length > 0))
        problems.push(`script ${pairs.join(' ')}`);
    },
  });
  rewriter.transform(html);
  return problems;
}

const isForbidden = ([name, value]: [name: string, value: string]) =>
  name.startsWith('on') ||
  name === 'style' ||
  name === 'srcdoc' ||
  (/^(href|src)$/.test(name) && /^\s*(javascript|data|vbscript):/i.test(value));
