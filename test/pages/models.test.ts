// Models of a project, which a script shows and turns.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { cubeGlb, cubeStl, cubeText } from '../support/models.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

async function publish(name: string, content: Uint8Array<ArrayBuffer> | string): Promise<Person> {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Cube' })) });
  const form = new FormData();
  form.append('file', new File([content], name));
  expect((await (await person(site, 'ada')).post('/api/v1/projects/1/media/', form)).status).toBe(201);
  return visitor(site);
}

async function show(viewer: Person): Promise<Page> {
  const window = await openWindow(browser, viewer, { reducedMotion: 'reduce' });
  const page = await window.newPage();
  await page.goto(pathOf(1));
  await page.getByRole('button', { name: 'Show in 3D' }).click();
  return page;
}

test.each([
  ['cube.stl', cubeStl()],
  ['cube.stl', cubeText()],
  ['cube.glb', cubeGlb()],
])(
  'a model is shown after a click, and turns by keys, the wheel and dragging (%s)',
  async (name, content) => {
    const page = await show(await publish(name, content));
    const canvas = page.locator('.model canvas');
    await canvas.waitFor();
    expect(await canvas.getAttribute('aria-label')).toStartWith(`${name}. Turn it`);
    const seen = new Set<string>();
    /** Waits until it looks as it never did before. */
    const look = () =>
      waitFor(async () => {
        const { size } = seen;
        return seen.add((await canvas.screenshot()).toString('base64')).size > size;
      });
    await look();
    await page.keyboard.press('ArrowRight');
    await look();
    await page.keyboard.press('+');
    await look();
    await canvas.hover();
    await page.mouse.wheel(0, 300);
    await page.mouse.wheel(0, 300);
    await look();
    await page.mouse.down();
    await page.mouse.move(10, 10, { steps: 3 });
    await page.mouse.up();
    await look();
  },
);

test('a broken model says so, and can still be downloaded', async () => {
  const glb = cubeGlb();
  // The positions are said to be elsewhere.
  const broken = Uint8Array.from(
    Buffer.from(Buffer.from(glb).toString('latin1').replace('"bufferView":0', '"bufferView":9'), 'latin1'),
  );
  const page = await show(await publish('cube.glb', broken));
  expect(await page.getByRole('alert').textContent()).toBe(
    'This model can’t be shown here. You can download it and open it in another program.',
  );
  expect(await page.locator('.files a').getAttribute('download')).toBe('cube.glb');
});

test('other pages load nothing for models', async () => {
  const viewer = await publish('notes.txt', 'No model.');
  const page = await viewer.open(pathOf(1));
  expect(page.textsOf('.model')).toEqual([]);
});
