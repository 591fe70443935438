// The thread of images.ts.

import arabic from '@fontsource-variable/noto-naskh-arabic/files/noto-naskh-arabic-arabic-wght-normal.woff2' with {
  type: 'file',
};
import devanagari from '@fontsource-variable/noto-serif-devanagari/files/noto-serif-devanagari-devanagari-wght-normal.woff2' with {
  type: 'file',
};
import hebrew from '@fontsource-variable/noto-serif-hebrew/files/noto-serif-hebrew-hebrew-wght-normal.woff2' with {
  type: 'file',
};
import cyrillicExtended from '@fontsource-variable/source-serif-4/files/source-serif-4-cyrillic-ext-wght-normal.woff2' with {
  type: 'file',
};
import cyrillic from '@fontsource-variable/source-serif-4/files/source-serif-4-cyrillic-wght-normal.woff2' with {
  type: 'file',
};
import greek from '@fontsource-variable/source-serif-4/files/source-serif-4-greek-wght-normal.woff2' with {
  type: 'file',
};
import latinExtended from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-wght-normal.woff2' with {
  type: 'file',
};
import latin from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2' with {
  type: 'file',
};
import vietnamese from '@fontsource-variable/source-serif-4/files/source-serif-4-vietnamese-wght-normal.woff2' with {
  type: 'file',
};
import type { Node, Renderer } from '@takumi-rs/wasm';
import { serveJobs } from '#common/worker-thread.ts';
import postersCss from '../../core/pages/assets/posters.css' with { type: 'text' };
import previewsCss from './previews.css' with { type: 'text' };

/** The first font that has a character draws it. */
const fonts = [
  latin,
  latinExtended,
  vietnamese,
  greek,
  cyrillic,
  cyrillicExtended,
  hebrew,
  arabic,
  devanagari,
];
const css = [postersCss, previewsCss];
let renderer: Promise<Renderer> | undefined;

async function createRenderer(): Promise<Renderer> {
  // A module that loads it first would lose the first job.
  const takumi = await import('@takumi-rs/wasm/node');
  const created = new takumi.Renderer();
  for (const [index, font] of fonts.entries())
    await created.registerFont({ name: `preview-${index}`, data: await Bun.file(font).bytes() });
  return created;
}

serveJobs(async (elements: Node): Promise<Uint8Array> => {
  renderer ??= createRenderer();
  return (await renderer).render(elements, { width: 1200, height: 630, format: 'png', css });
});
