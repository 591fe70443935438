// Markdown as HTML, as an excerpt, and texts cut to a length.

import { expect, test } from 'bun:test';
import { excerpt, renderAll, toHtml as renderText, truncate } from '../../src/core/markdown/markdown.ts';

const toHtml = (text: string, title = '') => renderText({ text, title });

test('HTML in Markdown is shown as text', () => {
  expect(toHtml('<script>alert(1)</script>\n\n<b onclick=x>b</b> &amp; <!-- c -->')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;b onclick=x&gt;b&lt;/b&gt; &amp; &lt;!-- c --&gt;</p>\n',
  );
});

test('links lead to http, https and mail only, and search engines do not count them', () => {
  expect(toHtml('[a](https://a.example "title")')).toBe(
    '<p><a href="https://a.example" rel="nofollow noopener ugc">a</a></p>\n',
  );
  expect(toHtml('<ada@a.example>')).toBe(
    '<p><a href="mailto:ada@a.example" rel="nofollow noopener ugc">ada@a.example</a></p>\n',
  );

  const otherAddresses = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'file:///etc/passwd',
    '//evil.example',
    '/content/',
    'https:/x',
  ];
  for (const address of otherAddresses) {
    const html = toHtml(`[a](${address}) <${address}>`);
    expect([address, html]).toEqual([address, expect.not.stringContaining('<a ')]);
  }
});

test.each([
  ['see http://a.example/x?y=1.', 'see [http://a.example/x?y=1].'],
  ['(https://a.example/b_(c))', '([https://a.example/b_(c)])'],
  ['http://a.example/, http://b.example!', '[http://a.example/], [http://b.example]!'],
  ['**http://a.example**', '<strong>[http://a.example]</strong>'],
  ['https://例え.jp/パス。次', '[https://例え.jp/パス]。次'],
  ['http://[::1]:8000/x', '[http://[::1]:8000/x]'],
  ['http:// xhttp://a.example http://me:pw@a.example', 'http:// xhttp://a.example http://me:pw@a.example'],
  ['`http://a.example`', '<code>http://a.example</code>'],
])('URLs in a text become links: %s', (text, expected) => {
  expect(toHtml(text).replace(/<a [^>]*>(.*?)<\/a>/g, '[$1]')).toBe(`<p>${expected}</p>\n`);
});

test('a URL that is too long stays text', () => {
  const text = `http://a.example/${'x'.repeat(2000)}`;
  expect(toHtml(text)).toBe(`<p>${text}</p>\n`);
});

test('a picture becomes a link, and inside a link its description', () => {
  expect(toHtml('![a *cat*](https://a.example/cat.png)')).toBe(
    '<p><a href="https://a.example/cat.png" rel="nofollow noopener ugc">a *cat*</a></p>\n',
  );
  expect(toHtml('[![cat](https://a.example/cat.png)](https://b.example)')).toBe(
    '<p><a href="https://b.example" rel="nofollow noopener ugc">cat</a></p>\n',
  );
  expect(toHtml('![x](data:image/png;base64,AAAA)')).not.toContain('<a');
});

test('headings start at level 2, without a gap, and a heading that repeats the title is left out', () => {
  expect(toHtml('# A\n## B\n###### C')).toBe('<h2>A</h2>\n<h3>B</h3>\n<h6>C</h6>\n');
  expect(toHtml('### B\n#### C')).toBe('<h2>B</h2>\n<h3>C</h3>\n');
  expect(toHtml('# The title\n\nText.', 'The title')).toBe('<p>Text.</p>\n');
});

test.each([
  ['\n\n## the  title: ##\n\nText.', '<p>Text.</p>'],
  ['The *Title*\n=========\nText.', '<p>Text.</p>'],
  ['Text.\n\n# The title\n## Part', '<p>Text.</p>\n<h2>Part</h2>'],
  ['# Part\n# The title', '<h2>Part</h2>\n<h2>The title</h2>'],
  ['> # The title', '<blockquote>\n<h2>The title</h2>\n</blockquote>'],
  ['# The titles', '<h2>The titles</h2>'],
  ['The title\n\nText.', '<p>The title</p>\n<p>Text.</p>'],
])('a heading repeats the title however it is written: %j', (text, html) => {
  expect(toHtml(text, 'The title')).toBe(`${html}\n`);
});

test('a table has classes and no style attributes', () => {
  const html = toHtml('|a|b|\n|:-|-:|\n|1|2|');
  expect(html).not.toContain('style');
  expect(html).toContain('<td class="right">2</td>');
});

const fill = (piece: string) => piece.repeat(Math.ceil(100_000 / piece.length)).slice(0, 100_000);
const steps = (each: (step: number) => string, by: string) =>
  Array.from({ length: 440 }, (_, step) => each(step)).join(by);

test('a hundred thousand characters of anything take bounded time and room', () => {
  const nasty = [
    ...['> ', '- ', '1. ', '  - a\n', '[', '![', '](', '[a](<', '[a][b]', '[a](b "', '*a **a ', '_a __a'].map(
      fill,
    ),
    ...['*', '_', '~~', 'a**b', '`', '`a``', '<', '<!--', '&#', '\\', '|', '|-|\n', 'a|b\n-|-\n', '#'].map(
      fill,
    ),
    ...[
      'http://',
      'http://a.b?',
      'http://a.b ',
      'https://x.y/(',
      'a@',
      '\n',
      '\t',
      '"',
      '[a]: b\n',
      'a\n===\n',
      '> - ',
    ].map(fill),
    ...[steps((step) => '`'.repeat(step + 1), ' '), steps((step) => `${' '.repeat(step)}- a`, '\n')],
    ...[steps((step) => `${'>'.repeat(step)}a`, '\n'), `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    `[a]: http://${'x'.repeat(1900)}\n\n${'[a]'.repeat(32_000)}`,
    `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'a\n'.repeat(40_000)}`,
  ];
  for (const text of nasty) {
    const start = process.threadCpuUsage();
    const html = toHtml(text);
    excerpt(text);
    const { user, system } = process.threadCpuUsage(start);
    const summary = {
      text: text.slice(0, 12),
      isShort: html.length < 2_000_000,
      isQuick: user + system < 1e6,
    };
    expect(summary).toEqual({ text: text.slice(0, 12), isShort: true, isQuick: true });
  }
});

test('an excerpt has the text without the Markdown characters', () => {
  expect(
    excerpt('# Hello\n\n**Bold**, *soft* and `code`: [a link](https://a.example).\n\n- one\n- two'),
  ).toBe('Bold, soft and code: a link. one two');
  expect(excerpt('# Hello')).toBe('Hello');
  expect(excerpt('# Hello', 'Hello')).toBe('');
  expect(excerpt('Hello\n=====', 'Hello')).toBe('');
  expect(excerpt('Hello\n=====\n\nPaper.', 'Hello')).toBe('Paper.');
  expect(excerpt('| Part | Pieces |\n|---|:-:|\n| Bottom \\| top | **2** |\n\nGlue.')).toBe(
    'Part Pieces Bottom top 2 Glue.',
  );
  expect(excerpt('> Quoted\n\n— somebody, 2 * 3 * 4, snake_case')).toBe(
    'Quoted — somebody, 2 * 3 * 4, snake_case',
  );
});

test('a text is not cut inside a character', () => {
  expect(truncate('🐙'.repeat(10), 5)).toBe('🐙🐙…');
  expect(truncate('short', 5)).toBe('short');
});

test('a text whose HTML would be many times longer is shown as it is', () => {
  const row = (cell: string) => Array.from({ length: 400 }, () => cell).join('|');
  const costly = { title: '', text: `${row('a')}\n${row('-')}\n${'b\n'.repeat(3000)}` };
  const usual = { title: '', text: '|a|b|\n|-|-|\n|1|2|' };

  const [table = '', shown = ''] = renderAll([usual, costly]);
  expect(table).toContain('<td>1</td>');
  expect(shown).toBe(`<p>${costly.text}</p>`);
});
