// `npm run update:notices`: writes THIRD-PARTY-NOTICES.txt, the licences of all that is inside of the program, from package-lock.json.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import movingManifest from '../moving/package.json';
import lock from '../package-lock.json';

/** The libraries inside of Bun, as its own LICENSE.md says, and under which licences. The program in one file has all of it. */
export const insideOfBun: Readonly<Record<string, string>> = {
  'JavaScriptCore and WebKit': 'LGPL-2.0-or-later, BSD-2-Clause',
  BoringSSL: 'Apache-2.0, ISC, OpenSSL',
  Brotli: 'MIT',
  'c-ares': 'MIT',
  Highway: 'Apache-2.0',
  ICU: 'Unicode-3.0',
  libarchive: 'BSD-2-Clause',
  libbase64: 'BSD-2-Clause',
  libdeflate: 'MIT',
  'libjpeg-turbo': 'BSD-3-Clause, IJG, Zlib',
  libspng: 'BSD-2-Clause',
  libwebp: 'BSD-3-Clause',
  'LLVM libc++abi': 'Apache-2.0 WITH LLVM-exception',
  'lol-html': 'BSD-3-Clause',
  'ls-hpack': 'MIT',
  'ls-qpack': 'MIT',
  lsquic: 'MIT, BSD-3-Clause',
  mimalloc: 'MIT',
  picohttpparser: 'MIT',
  simdutf: 'Apache-2.0',
  SQLite: 'public domain',
  TigerBeetle: 'Apache-2.0',
  TinyCC: 'LGPL-2.1-or-later',
  uSockets: 'Apache-2.0',
  uucode: 'MIT',
  uWebSockets: 'Apache-2.0',
  'zlib-ng': 'Zlib',
  Zstandard: 'BSD-3-Clause',
};

interface Entry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const entries = lock.packages as Readonly<Record<string, Entry>>;

/** The path in the lock file of a package that another one needs: the nearest folder that has it. */
function pathOf(name: string, from: string): string {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/(@[^/]+\/)?)?[^/]+$/, '')) {
    const path = [folder, 'node_modules', name].filter(Boolean).join('/');
    if (entries[path]) return path;
    if (folder === '') throw new Error(`package-lock.json lacks ${name}, which ${from} needs.`);
  }
}

/** The packages of the server, and those that only vitrine-moving needs. Packages with a program for one system have no text. */
function listPackages(): string[] {
  const paths = new Set(
    Object.entries(entries)
      .filter(
        ([path, { dev, link, optional }]) => path.includes('node_modules/') && !dev && !link && !optional,
      )
      .map(([path]) => path),
  );
  const add = (names: Readonly<Record<string, string>>, from: string) => {
    for (const name of Object.keys(names)) {
      const path = pathOf(name, from);
      if (paths.has(path)) continue;
      paths.add(path);
      add(entries[path]?.dependencies ?? {}, path);
    }
  };
  add(movingManifest.devDependencies, 'moving');
  return [...paths].sort();
}

/** For a package without such a file, its licence and its author. */
function readTexts(folder: string, license: string): string {
  const named = readdirSync(folder).filter((name) => /^(licen[sc]e|copying|notice|ofl)([.-]|$)/i.test(name));
  const texts = named
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isFile() ? path : readdirSync(path).map((name) => join(path, name))))
    .sort()
    .map((path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const { author = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const name = typeof author === 'string' ? author : author.name;
  return `${license}${name ? `, by ${name}` : ''}. The package has no file with its licence.`;
}

export function makeNotices(root: string): string {
  const packagesOf = new Map<string, string[]>();
  for (const path of listPackages()) {
    const { version, license = '' } = entries[path] ?? {};
    const text = readTexts(join(root, path), license);
    const name = `${path.replace(/^.*node_modules\//, '')} ${version} (${license.replace(/^\((.*)\)$/, '$1')})`;
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), name]);
  }
  const line = '-'.repeat(80);
  const parts = [...packagesOf].map(([text, packages]) => `${line}\n${packages.join('\n')}\n\n${text}\n`);
  const libraries = Object.entries(insideOfBun).map(([name, license]) => `  ${name}: ${license}`);
  return `Vitrine has the work of others inside, under these licences. Its own is in the file LICENSE.

The program in one file and the Debian package also contain Bun (MIT, https://bun.com), which has these libraries inside:

${libraries.join('\n')}

JavaScriptCore and TinyCC are under the LGPL: you may replace them by others of your own making. The sources of Bun
(https://github.com/oven-sh/bun) say how it is built with another JavaScriptCore (https://github.com/oven-sh/webkit); the
program runs on such a Bun, from the npm package of Vitrine or from its sources: bun src/main.ts serve

${parts.join('\n')}`;
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..');
  await Bun.write(join(root, 'THIRD-PARTY-NOTICES.txt'), makeNotices(root));
}
