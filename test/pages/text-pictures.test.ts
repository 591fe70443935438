// Pictures in the text of a project: which are shown, where, and how they get there.

import { expect, test } from 'bun:test';
import { renderAll } from '../../src/core/markdown/markdown.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';
import { waitForValue } from '../support/waiting.ts';

const attributes = { src: '/media/a.webp', width: '40', height: '30' };
const pictures = [{ name: 'my roof', alt: 'A "roof".', href: '/media/b.webp', attributes }];
const render = (text: string) => renderAll([{ text, title: '', pictures }])[0] ?? '';

test('only the project’s own pictures are shown, by either of their names', () => {
  const image = (alt: string) =>
    `<p><img src="/media/a.webp" width="40" height="30" alt="${alt}" loading="lazy" decoding="async"></p>\n`;
  expect(render('![](<my roof.webp>)')).toBe(image('A &quot;roof&quot;.'));
  expect(render('![<b>"x"](My%20Roof.JPG)')).toBe(image('&lt;b&gt;&quot;x&quot;'));
  expect(render('[large](my%20roof.png)')).toBe(
    '<p><a href="/media/b.webp" rel="nofollow noopener ugc">large</a></p>\n',
  );
  expect(render('![a](other.png) ![](/media/a.webp) ![](%)')).toBe(
    '<p>![a](other.png) ![](/media/a.webp) ![](%)</p>\n',
  );
  expect(render('![a](https://a.example/a.png)')).toBe(
    '<p><a href="https://a.example/a.png" rel="nofollow noopener ugc">a</a></p>\n',
  );
  expect(render('![](javascript:alert(1)) ![](__proto__)')).not.toContain('<img');
});

test('a picture that is repeated thousands of times is shown a bounded number of times', () => {
  const html = render('![a](<my roof.png>) '.repeat(5000));
  expect(html.length).toBeLessThan(1_200_000);
  expect(html.split('<img').length).toBeGreaterThan(100);
});

onOneDatabase((kind) => {
  test('a picture in the text is not shown above it, and stays the cover', async () => {
    const text = 'Look:\n\n![The roof](roof.png)\n\nEnd.';
    const site = await siteOn(kind, { dump: dump(adasLine, project(1, { title: 'Kite', text })) });
    const ada = await person(site, 'ada');
    const form = new FormData();
    for (const width of [40, 50])
      form.append('file', new File([Uint8Array.from(png(width, 30))], 'roof.png'));
    await ada.post('/api/v1/projects/1/media/', form);
    const record = await ada.json<{ media: { name: string; url: string }[] }>(
      '/api/v1/projects/1/?fields=media',
    );
    expect(record.media.map(({ name }) => name)).toEqual(['roof.webp', 'roof-2.webp']);
    const [first = '', second = ''] = record.media.map(({ url }) => new URL(url).pathname);

    const page = await visitor(site).open(pathOf(1));
    expect(page.attributesOf('.text img', 'src')).toEqual([first]);
    expect(page.attributesOf('.text img', 'alt')).toEqual(['The roof']);
    expect(page.attributesOf('.text img', 'width')).toEqual(['40']);
    expect(page.attributesOf('.pictures img', 'src')).toEqual([second]);
    expect((await visitor(site).open('/')).attributesOf('.card img', 'src')).toEqual([first]);

    const feed = (await site.json('/feed.json')) as { items: { content_html: string }[] };
    expect(feed.items[0]?.content_html).toContain(`<img src="http://gallery.example${first}"`);
    const preview = { project: '1', title: 'Kite', text: '![a](roof-2.png)' };
    expect(await (await ada.send('/preview/', preview)).text()).toContain(`<img src="${second}"`);
    expect((await ada.send('/preview/', { ...preview, project: '2' })).status).toBe(404);
    expect((await ada.send('/preview/', { ...preview, project: 'x' })).status).toBe(404);
  });
});

test('a picture that is pasted or dropped into a text is uploaded, and stands where the cursor is', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Kite', text: 'ab' })) });
  const ada = await person(site, 'ada');
  const page = await (await openWindow(await openBrowser(), ada)).newPage();
  await page.goto(`${pathOf(1)}edit/`);
  const text = page.locator('[name=text]');
  const give = (kind: 'drop' | 'paste', bytes: number[]) =>
    text.evaluate(
      (element, { kind, bytes }) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...options, dataTransfer: data })
            : new ClipboardEvent('paste', { ...options, clipboardData: data }),
        );
      },
      { kind, bytes },
    );
  const waitForText = (expected: string) =>
    page.waitForFunction(
      (value) => document.querySelector<HTMLTextAreaElement>('[name=text]')?.value === value,
      expected,
    );
  await text.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await give('paste', [...png(40, 30)]);
  await waitForText('a![](image.webp)b');
  await give('drop', [...png(30, 40)]);
  await waitForText('a![](image.webp)![](image-2.webp)b');
  await give('drop', [1, 2, 3]);
  await page.getByRole('status').filter({ hasText: 'You can’t add this kind of file.' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Kite', level: 1 }).waitFor();
  await waitForValue(() => page.locator('.text img').count(), 2);
  expect(await page.locator('.pictures img').count()).toBe(0);

  await page.goto(`${pathOf(1)}edit/`);
  await ada.patch('/api/v1/projects/1/', { text: 'Something else.' });
  await give('paste', [...png(40, 30)]);
  await page.getByRole('status').filter({ hasText: 'This was changed after you started editing.' }).waitFor();
});

test('pictures in the text of a new project are chosen for its form, seen in the preview, and sent with it', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine) });
  const ada = await person(site, 'ada');
  const window = await openWindow(await openBrowser(), ada, { viewport: { width: 1400, height: 900 } });
  const page = await window.newPage();
  await page.goto('/new/text/');
  const text = page.getByLabel('Text', { exact: true });
  const waitForText = (expected: string) =>
    page.waitForFunction(
      (value) => document.querySelector<HTMLTextAreaElement>('[name=text]')?.value === value,
      expected,
    );
  await text.fill('ab');
  await text.press('ArrowLeft');
  const paste = () =>
    text.evaluate(
      (element, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }));
        element.dispatchEvent(
          new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
        );
      },
      [...png(40, 30)],
    );
  await paste();
  await waitForText('a![](image.png)b');
  // Beside the text, where it has room.
  await page.locator('.preview canvas').waitFor();
  await paste();
  await waitForText('a![](image.png)![](image-2.png)b');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add a picture to the text' }).click();
  await (await chooser).setFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(png(30, 40)) });
  await waitForText('a![](image.png)![](image-2.png)![](b.png)b');
  await waitForValue(() => page.locator('.preview canvas').count(), 3);
  expect(await page.locator('.chosen-files legend').allTextContents()).toEqual([
    'image.png',
    'image-2.png',
    'b.png',
  ]);
  expect(new URL(page.url()).pathname).toBe('/new/text/');
  const listOwn = () => ada.json('/api/v1/projects/?contributor=me&status__in=0,1&fields=title,status');
  expect(await listOwn()).toMatchObject({ count: 0 });

  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.keyboard.type('Fold');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.keyboard.type('Fly');
  await waitForText('a![](image.png)![](image-2.png)![](b.png)b\n\n## Step 1: Fold\n\n## Step 2: Fly');
  // Below the heading of the step, and not in it.
  await paste();
  await waitForText(
    'a![](image.png)![](image-2.png)![](b.png)b\n\n## Step 1: Fold\n\n## Step 2: Fly\n\n![](image-3.png)',
  );
  await page.getByLabel('Title').fill('Roof');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('heading', { name: 'Roof', level: 1 }).waitFor();
  await waitForValue(() => page.locator('.text img').count(), 4);
  expect(await page.locator('.text h2').allTextContents()).toEqual(['Step 1: Fold', 'Step 2: Fly']);
  expect(await listOwn()).toMatchObject({ count: 1, results: [{ title: 'Roof', status: 1 }] });
});

test('words that come back ask for their pictures', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine) });
  const page = await (await openWindow(await openBrowser(), await person(site, 'ada'))).newPage();
  await page.goto('/new/text/');
  await page.getByLabel('Text', { exact: true }).fill('![](a.png)');
  await page.goto('/new/text/');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Please choose the files again.').waitFor();
});
