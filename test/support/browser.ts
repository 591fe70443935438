// A real browser: Chromium, as an npm package carries it, unpacked once into node_modules. Where that one does not run
// (it is for Linux on x64), CHROMIUM names another.

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { closeLater } from './closing.ts';

const modules = join(import.meta.dir, '../../node_modules');
const packed = join(modules, '@sparticuz/chromium/bin');
const unpacked = join(modules, '.chromium-153');

/** It is closed after the tests that share it, as are its windows. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? (await unpack());
  const browser = await chromium.launch({
    executablePath,
    env: {
      ...process.env,
      // What it needs beside the C library lies beside it; so do letters, for machines that have none.
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

/** Tests run side by side: the first that is ready puts its folder in place. */
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
