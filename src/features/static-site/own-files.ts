// The files of the folder that the gallery's server does not have: search, the page for what is not there, the public dump,
// and how to serve the folder.

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { projectPath } from '../../core/paths.ts';
import { publicDumpMembers } from '../../projects/api/projects.ts';
import { publicDumpPath, publicDumpType } from '../public-dump/paths.ts';
import { hostingFiles } from './hosting.ts';
import { stylesheetPath } from './html.ts';
import type { StaticSiteMaker } from './make-site.ts';
import script from './page-script.js' with { type: 'text' };
import stylesheet from './page-style.css' with { type: 'text' };
import { type SearchIndex, writeSearchIndex } from './search-index.ts';

const scriptPath = '/static-site.js';
const html = 'text/html; charset=utf-8';
const plainText = 'text/plain; charset=utf-8';

/** Returns why there is no search, if there is none. */
export async function writeOwnFiles(site: StaticSiteMaker): Promise<string | undefined> {
  await site.write(scriptPath, 'text/javascript; charset=utf-8', script);
  await site.write(stylesheetPath, 'text/css; charset=utf-8', stylesheet);
  const search = await writeSearchIndex(site);
  await site.write('/search/', html, await makeSearchPage(site, search));
  await site.write('/404.html', html, addScript(await site.loadPage('/404.html'), site));
  await site.write('/', html, addScript(await site.loadPage('/'), site));
  await writePathsWithoutSlug(site);
  await site.write(publicDumpPath, publicDumpType, dumpOf(site));
  const { origin, checkpoint } = site.options;
  const { isDeep } = site.rules;
  for (const [address, text] of Object.entries(
    hostingFiles(origin, { isDeep, moved: checkpoint.movedProjects() }),
  ))
    await site.write(address, plainText, text);
  return search.problem;
}

function addScript(page: string, { rules }: StaticSiteMaker): string {
  const deep = rules.isDeep ? ' data-deep' : '';
  return page.replace('</head>', () => `<script type="module" src="${scriptPath}"${deep}></script></head>`);
}

async function makeSearchPage(site: StaticSiteMaker, { problem }: SearchIndex): Promise<string> {
  const { t } = site.translator;
  const text = (key: Parameters<typeof t>[0]) => Bun.escapeHTML(t(key));
  const form = `<p class="count" role="status" data-none="${text('home.nothingFound')}" data-found="${text('static.found')}"></p>
    <ul class="found"></ul><p class="needs-script">${text('static.searchNeedsScript')}</p>`;
  const content = problem === undefined ? form : `<p>${text('static.noSearch')}</p>`;
  const page = new HTMLRewriter()
    .on('main', {
      element: (element) =>
        void element.setInnerContent(`<h1>${text('layout.search')}</h1>${content}`, { html: true }),
    })
    .on('title', { element: (element) => void element.setInnerContent(t('layout.search')) })
    .on('link[rel="canonical"], link[rel="alternate"]', { element: (element) => void element.remove() })
    .transform(await site.loadPage('/tags/'));
  // The search runs as WebAssembly.
  return addScript(page.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"), site);
}

/** Links keep the slug of earlier titles: what a host does not find, it looks for without one. */
async function writePathsWithoutSlug(site: StaticSiteMaker): Promise<void> {
  const { origin, checkpoint } = site.options;
  for (const project of checkpoint.projects()) {
    const address = site.find(projectPath(project))?.address ?? '';
    const page = `<!doctype html><meta charset="utf-8"><title>…</title><link rel="canonical" href="${origin}${address}"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">${address}</a>\n`;
    await site.write(address.replace(/[^/]+\/$/, ''), html, page);
  }
}

/** The same as that of the server: see `vitrine public-dump`. */
function dumpOf(site: StaticSiteMaker): AsyncIterable<Uint8Array> {
  async function* generateLines() {
    for await (const record of site.readProjects(`include=${publicDumpMembers}`))
      yield `${JSON.stringify(record)}\n`;
  }
  return Readable.from(generateLines()).pipe(createGzip());
}
