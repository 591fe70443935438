// `npm run screenshots`: saves every page at 1280 and 360 pixels, light and dark, in screenshots/, and the pictures of
// the README in docs/.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from './browser.ts';
import { endScope } from './closing.ts';
import { cleanUp } from './databases.ts';
import { everything, pages } from './every-page.ts';

const project = join(import.meta.dir, '../..');
const folder = join(project, 'screenshots');
const shown = { 'home-1280-light.png': 'gallery.png', 'project-photo-1280-dark.png': 'project.png' };

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const all = await everything('SQLite');
const browser = await openBrowser();
let taken = 0;
for (const who of ['visitor', 'klaus_werkt', 'ada'] as const) {
  for (const width of [1280, 360]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await all.open(browser, who, { colorScheme, viewport: { width, height: 860 } });
      const page = await window.newPage();
      for (const [name, path] of Object.entries(pages[who])) {
        const file = `${name}-${width}-${colorScheme}.png`;
        await page.goto(path, { waitUntil: 'load' });
        await page.screenshot({ path: join(folder, file), fullPage: !(file in shown) });
        taken++;
      }
      await window.close();
    }
  }
}
for (const [file, name] of Object.entries(shown))
  copyFileSync(join(folder, file), join(project, 'docs', name));
await browser.close();
await endScope();
await cleanUp();
console.log(`${taken} pictures in screenshots/`);
