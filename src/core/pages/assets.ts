// Scripts and style sheets. Their URLs contain a hash of the content, so that browsers can cache them for ever.

import { NotFound } from '#common/errors.ts';
import apiCss from '#rest/assets/api.css' with { type: 'text' };
import copyJs from '#rest/assets/copy.js' with { type: 'text' };
import docsCss from '#rest/assets/docs.css' with { type: 'text' };
import docsJs from '#rest/assets/docs.js' with { type: 'text' };
import lookupJs from '#rest/assets/lookup.js' with { type: 'text' };
import omitEmptyJs from '#rest/assets/omit-empty.js' with { type: 'text' };
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import type { SiteFiles } from '#rest/site.ts';
import adminCss from './assets/admin.css' with { type: 'text' };
import faviconIco from './assets/favicon.ico' with { type: 'file' };
import formsCss from './assets/forms.css' with { type: 'text' };
import formsJs from './assets/forms.js' with { type: 'text' };
import loadMoreJs from './assets/load-more.js' with { type: 'text' };
import localTimeJs from './assets/local-time.js' with { type: 'text' };
import looksCss from './assets/looks.css' with { type: 'text' };
import faviconSvg from './assets/mark.svg' with { type: 'text' };
import moderationJs from './assets/moderation.js' with { type: 'text' };
import postersCss from './assets/posters.css' with { type: 'text' };
import printJs from './assets/print.js' with { type: 'text' };
import siteJs from './assets/site.js' with { type: 'text' };
import touchIconPng from './assets/touch-icon.png' with { type: 'file' };
import pagesCss from './assets/vitrine.css' with { type: 'text' };

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const files = new Map<string, { readonly type: string; readonly text: string }>();

/** Without lines that are comments, and without indentation, which no text in a script needs. */
const shortenScript = (script: string) =>
  script.replace(/^ *(\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm, '').replace(/\n\s+/g, '\n');

/** The path of the file from now on. */
function addFile(source: string, ending: keyof typeof types): string {
  const text = ending === 'js' ? shortenScript(source) : source;
  const path = `/assets/vitrine-${Bun.hash(text).toString(36)}.${ending}`;
  files.set(path, { type: types[ending], text });
  return path;
}

/** Without comments and needless space, which are a quarter of it. No text in it has such a sign with a space. */
const shorten = (css: string) =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replace(/(?<![\d.])0\.(?=\d)/g, '.')
    .replaceAll(';}', '}');

/** The path of a script that only the pages of a feature load. */
export const addScript = (script: string): string => addFile(script, 'js');

/** The path of a style sheet that only the pages of a feature load. */
export const addStylesheet = (css: string): string => addFile(shorten(css), 'css');

// Each page loads one style sheet: the browsable API has additional rules.
const pageCss = shorten([looksCss, pagesCss, formsCss, postersCss].join('\n'));
const apiPageCss = `${pageCss}${shorten(apiCss)}`;

export const stylesheet = addFile(pageCss, 'css');
export const adminStylesheet = addFile(shorten(adminCss), 'css');
export const favicon = addFile(faviconSvg, 'svg');
export const siteScript = addFile(siteJs, 'js');
export const formsScript = addFile(formsJs, 'js');
export const loadMoreScript = addFile(loadMoreJs, 'js');
export const moderationScript = addFile(moderationJs, 'js');
export const printScript = addFile(printJs, 'js');
export const localTimeScript = addFile(localTimeJs, 'js');
export const lookupScript = addFile(lookupJs, 'js');

/** The files that the browsable API and the API documentation load. */
export const siteFiles: SiteFiles = {
  stylesheet: addFile(apiPageCss, 'css'),
  favicon,
  scripts: [copyJs, lookupJs, omitEmptyJs].map((script) => addFile(script, 'js')),
  documentation: { stylesheet: addFile(docsCss, 'css'), script: addFile(docsJs, 'js') },
};

export const isAsset = (path: string): boolean => files.has(path);

export function serveAsset(path: string): PreparedResponse {
  const file = files.get(path);
  if (!file) throw new NotFound();
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return prepareResponse(200, headers, file.text);
}

function serveIcon(type: string, path: string): PreparedResponse {
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' };
  return { ...prepareResponse(200, headers), streamBody: () => Bun.file(path) };
}

// For programs that look for them at their addresses, without reading a page.
export const serveFavicon = () => serveIcon('image/x-icon', faviconIco);
export const serveTouchIcon = () => serveIcon('image/png', touchIconPng);
