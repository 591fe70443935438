// `npm run screenshots`: saves every page at 1280 and 360 pixels, light and dark, in screenshots/, and the pictures of
// the README in docs/.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openWindow } from './browser.ts';
import { endScope } from './closing.ts';
import { cleanUp } from './databases.ts';
import { pages, serveDemo, viewers } from './every-page.ts';

const projectFolder = join(import.meta.dir, '../..');
const folder = join(projectFolder, 'screenshots');
const readmePictures: Readonly<Record<string, string>> = {
  'home-1280-light.png': 'gallery.png',
  'project-photo-1280-dark.png': 'project.png',
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const { people } = await serveDemo('SQLite');
const browser = await openBrowser();
let count = 0;
for (const viewer of viewers) {
  for (const width of [1280, 360]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await openWindow(browser, people[viewer], {
        colorScheme,
        viewport: { width, height: 860 },
      });
      const page = await window.newPage();
      for (const [name, path] of Object.entries(pages[viewer])) {
        const file = `${name}-${width}-${colorScheme}.png`;
        await page.goto(path, { waitUntil: 'load' });
        await page.screenshot({ path: join(folder, file), fullPage: !(file in readmePictures) });
        count++;
      }
      await window.close();
    }
  }
}
for (const [file, name] of Object.entries(readmePictures))
  copyFileSync(join(folder, file), join(projectFolder, 'docs', name));
await browser.close();
await endScope();
await cleanUp();
console.log(`${count} screenshots in screenshots/`);
