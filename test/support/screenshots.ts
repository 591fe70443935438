// `npm run screenshots`: saves every page in screenshots/, at 390, 768, 1280 and 1920 pixels, light and dark, in English,
// Spanish, German and from right to left, and the pictures of the README in docs/. Arguments are the names of the only pages.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openWindow } from './browser.ts';
import { endScope } from './closing.ts';
import { cleanUp } from './databases.ts';
import { pages, serveDemo, viewers } from './every-page.ts';

const projectFolder = join(import.meta.dir, '../..');
const folder = join(projectFolder, 'screenshots');
const readmePictures: Readonly<Record<string, string>> = {
  'home-en-1280-light.png': 'gallery.png',
  'project-photo-en-1280-dark.png': 'project.png',
};
const chosen = new Set(process.argv.slice(2));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const { people } = await serveDemo('SQLite');
let count = 0;
for (const viewer of viewers) {
  // A new one for each: after more than a thousand pictures, Chromium fails to take the next.
  const browser = await openBrowser();
  for (const locale of ['en', 'es', 'de', 'ar'])
    for (const width of [390, 768, 1280, 1920])
      for (const colorScheme of ['light', 'dark'] as const) {
        const viewport = { width, height: 860 };
        const window = await openWindow(browser, people[viewer], { colorScheme, viewport, locale });
        const page = await window.newPage();
        for (const [name, path] of Object.entries(pages[viewer])) {
          if (chosen.size > 0 && !chosen.has(name)) continue;
          const file = `${name}-${locale}-${width}-${colorScheme}.png`;
          await page.goto(path, { waitUntil: 'load' });
          await page.evaluate(decodePictures);
          await page.screenshot({ path: join(folder, file), fullPage: !(file in readmePictures) });
          if (readmePictures[file])
            copyFileSync(join(folder, file), join(projectFolder, 'docs', readmePictures[file]));
          count++;
        }
        await window.close();
      }
  await browser.close();
}
await endScope();
await cleanUp();
console.log(`${count} screenshots in screenshots/`);

/** Chromium shows a large picture some moments after it is loaded. */
async function decodePictures(): Promise<void> {
  const pictures = [...document.images].filter(({ currentSrc, loading }) => currentSrc && loading !== 'lazy');
  await Promise.all(pictures.map((picture) => picture.decode()));
}
