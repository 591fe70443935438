// Code in texts and in files: its colours, what is shown of it, and the button that copies it.

import { expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { highlight } from '../../src/core/markdown/code/highlight.ts';
import { renderAll } from '../../src/core/markdown/markdown.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { codeLanguages, codePieces } from '../support/code.ts';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

/** `[kind text]` for each coloured part. */
const marksIn = (code: string, language: string) =>
  (highlight(code, language) ?? '').replace(/<span class="code-(\w+)">(.*?)<\/span>/gs, '[$1 $2]');

test('the parts of code have colours', () => {
  expect(marksIn('def f(x):  # twice\n    return 2 * x + "a"', 'py')).toBe(
    '[keyword def] [function f](x):  [comment # twice]\n    [keyword return] [number 2] * x + [string &#34;a&#34;]',
  );
  expect(marksIn('void loop() { delay(0x1f); } /* on */', 'ino')).toBe(
    '[keyword void] [function loop]() { [function delay]([number 0x1f]); } [comment /* on */]',
  );
  expect(marksIn('<b id="x">if</b>', 'html')).toBe(
    '[keyword &#60;b] [key id]=[string &#34;x&#34;]&#62;if[keyword &#60;/b]&#62;',
  );
  expect(marksIn('{"a": [true, "b"]}', 'json')).toBe(
    '{[key &#34;a&#34;]: [[keyword true], [string &#34;b&#34;]]}',
  );
  expect(marksIn('SELECT name FROM toys -- all', 'SQL')).toBe(
    '[keyword SELECT] name [keyword FROM] toys [comment -- all]',
  );
  expect(highlight('x', 'a language')).toBeUndefined();
  expect(highlight('x', 'constructor')).toBeUndefined();
});

test('coloured code is escaped, and only its language is known of the fence', () => {
  const html = (text: string) => renderAll([{ text, title: '' }])[0];
  expect(html('```js\n"</code><script>" // <b>\n```')).toBe(
    '<pre><code class="language-js"><span class="code-string">&#34;&#60;/code&#62;&#60;script&#62;&#34;</span> <span class="code-comment">// &#60;b&#62;</span>\n</code></pre>\n',
  );
  expect(html('```"><script>\n<b>\n```')).toBe(
    '<pre><code class="language-&quot;&gt;&lt;script&gt;">&lt;b&gt;\n</code></pre>\n',
  );
});

/** `npm run test:load` measures the time of longer ones. */
test('however code goes on, its colours take bounded room', () => {
  for (const language of codeLanguages)
    for (const piece of codePieces) {
      const html = highlight(piece.repeat(Math.ceil(5000 / piece.length)), language) ?? '';
      expect([language, piece, html.length < 70_000]).toEqual([language, piece, true]);
    }
});

onOneDatabase((kind) => {
  test('programs among the files are shown, up to a size, and code can be copied', async () => {
    const text = 'Blink:\n\n```python\nled.on()\n```';
    const site = await siteOn(kind, { dump: dump(adasLine, project(1, { text, title: 'Lamp' })) });
    const ada = await person(site, 'ada');
    const form = new FormData();
    form.append('file', new File(['let a = "é</pre>"\n'], 'game.js'));
    form.append('file', new File(['Only words.'], 'notes.txt'));
    form.append('file', new File([`#${'é'.repeat(60_000)}`], 'long.py'));
    expect((await ada.post('/api/v1/projects/1/media/', form)).status).toBe(201);

    const page = await visitor(site).open(pathOf(1));
    expect(page.textsOf('.program summary')).toEqual(['game.js', 'long.py']);
    expect(page.textsOf('.program code')[0]).toBe('let a = "é</pre>"');
    expect(page.textsOf('.program code')[1]).toMatch(/^#é+$/);
    expect(page.textsOf('.program p')).toEqual(['Only the first 100 kB are shown. The file has the rest.']);
    expect(page.attributesOf('.files a', 'download')).toEqual(['game.js', 'notes.txt', 'long.py']);

    const window = await openWindow(await openBrowser(), ada);
    await window.grantPermissions(['clipboard-read', 'clipboard-write']);
    const shown = await window.newPage();
    await shown.goto(pathOf(1));
    await shown.getByRole('button', { name: 'Copy' }).first().click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await shown.evaluate(() => navigator.clipboard.readText())).toBe('led.on()\n');
  });
});

test('a page whose programs could not be read is not kept in a cache', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Lamp' })) });
  const ada = await person(site, 'ada');
  const form = new FormData();
  form.append('file', new File(['led.on()\n'], 'lamp.py'));
  expect((await ada.post('/api/v1/projects/1/media/', form)).status).toBe(201);

  renameSync(site.folder, `${site.folder}.away`);
  const response = await visitor(site).get(pathOf(1));
  expect([response.status, response.headers.get('ETag')]).toEqual([200, null]);
  expect((await readPage(response)).textsOf('.program summary')).toEqual([]);

  renameSync(`${site.folder}.away`, site.folder);
  const page = await visitor(site).open(pathOf(1));
  expect(page.textsOf('.program summary')).toEqual(['lamp.py']);
});
