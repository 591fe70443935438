// Scripts and style sheets. Their URLs contain a hash of the content, so that browsers can cache them for ever.

import adminCss from '../assets/admin.css' with { type: 'text' };
import apiCss from '../assets/api.css' with { type: 'text' };
import arrangeFilesJs from '../assets/arrange-files.js' with { type: 'text' };
import cabinetsCss from '../assets/cabinets.css' with { type: 'text' };
import codeCss from '../assets/code.css' with { type: 'text' };
import codeJs from '../assets/code.js' with { type: 'text' };
import collectionsCss from '../assets/collections.css' with { type: 'text' };
import copyJs from '../assets/copy.js' with { type: 'text' };
import docsCss from '../assets/docs.css' with { type: 'text' };
import docsJs from '../assets/docs.js' with { type: 'text' };
import editingCss from '../assets/editing.css' with { type: 'text' };
import enlargeJs from '../assets/enlarge.js' with { type: 'text' };
import faviconIco from '../assets/favicon.ico' with { type: 'file' };
import filesCss from '../assets/files.css' with { type: 'text' };
import followChangesJs from '../assets/follow-changes.js' with { type: 'text' };
import formsCss from '../assets/forms.css' with { type: 'text' };
import formsJs from '../assets/forms.js' with { type: 'text' };
import lineageCss from '../assets/lineage.css' with { type: 'text' };
import listNeighboursJs from '../assets/list-neighbours.js' with { type: 'text' };
import loadMoreJs from '../assets/load-more.js' with { type: 'text' };
import localTimeJs from '../assets/local-time.js' with { type: 'text' };
import looksCss from '../assets/looks.css' with { type: 'text' };
import lookupJs from '../assets/lookup.js' with { type: 'text' };
import faviconSvg from '../assets/mark.svg' with { type: 'text' };
import mediaCss from '../assets/media.css' with { type: 'text' };
import modelCss from '../assets/model.css' with { type: 'text' };
import modelJs from '../assets/model.js' with { type: 'text' };
import modelReaderJs from '../assets/model-reader.js' with { type: 'text' };
import modelViewerJs from '../assets/model-viewer.js' with { type: 'text' };
import moderationJs from '../assets/moderation.js' with { type: 'text' };
import newCommentsJs from '../assets/new-comments.js' with { type: 'text' };
import newProjectsJs from '../assets/new-projects.js' with { type: 'text' };
import omitEmptyJs from '../assets/omit-empty.js' with { type: 'text' };
import passkeyJs from '../assets/passkey.js' with { type: 'text' };
import postersCss from '../assets/posters.css' with { type: 'text' };
import printJs from '../assets/print.js' with { type: 'text' };
import projectCss from '../assets/project.css' with { type: 'text' };
import projectFormJs from '../assets/project-form.js' with { type: 'text' };
import sendFormJs from '../assets/send-form.js' with { type: 'text' };
import shareJs from '../assets/share.js' with { type: 'text' };
import siteJs from '../assets/site.js' with { type: 'text' };
import siteFormJs from '../assets/site-form.js' with { type: 'text' };
import textPicturesJs from '../assets/text-pictures.js' with { type: 'text' };
import textTabsJs from '../assets/text-tabs.js' with { type: 'text' };
import textToolsJs from '../assets/text-tools.js' with { type: 'text' };
import touchIconPng from '../assets/touch-icon.png' with { type: 'file' };
import uploadJs from '../assets/upload.js' with { type: 'text' };
import videoPlayerJs from '../assets/video-player.js' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import wallCss from '../assets/wall.css' with { type: 'text' };
import wallJs from '../assets/wall.js' with { type: 'text' };
import { NotFound } from '../common/errors.ts';
import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import type { SiteFiles } from '../rest/site.ts';

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

// Each page loads one style sheet: the browsable API has additional rules.
const pageCss = shorten([looksCss, pagesCss, formsCss, postersCss].join('\n'));
const apiPageCss = `${pageCss}${shorten(apiCss)}`;

export const stylesheet = addFile(pageCss, 'css');
export const adminStylesheet = addFile(shorten(adminCss), 'css');
/** For texts, and for what stands beside the text of a project. */
export const projectStylesheet = addFile(
  shorten([projectCss, mediaCss, codeCss, modelCss].join('\n')),
  'css',
);
/** For lists with collections. */
export const cabinetStylesheet = addFile(shorten(cabinetsCss), 'css');
/** For the pages that choose and arrange the projects of a collection. */
export const collectionStylesheet = addFile(shorten(collectionsCss), 'css');
export const editingStylesheet = addFile(shorten(editingCss), 'css');
export const filesStylesheet = addFile(shorten(filesCss), 'css');
export const lineageStylesheet = addFile(shorten(lineageCss), 'css');
export const wallStylesheet = addFile(shorten(wallCss), 'css');
export const favicon = addFile(faviconSvg, 'svg');
export const siteScript = addFile(siteJs, 'js');
export const arrangeFilesScript = addFile(arrangeFilesJs, 'js');
export const codeScript = addFile(codeJs, 'js');
export const enlargeScript = addFile(enlargeJs, 'js');
export const followChangesScript = addFile(followChangesJs, 'js');
export const formsScript = addFile(formsJs, 'js');
export const listNeighboursScript = addFile(listNeighboursJs, 'js');
export const loadMoreScript = addFile(loadMoreJs, 'js');
export const modelScript = addFile(modelJs, 'js');
export const modelReaderScript = addFile(modelReaderJs, 'js');
export const modelViewerScript = addFile(modelViewerJs, 'js');
export const moderationScript = addFile(moderationJs, 'js');
export const newCommentsScript = addFile(newCommentsJs, 'js');
export const newProjectsScript = addFile(newProjectsJs, 'js');
export const passkeyScript = addFile(passkeyJs, 'js');
export const printScript = addFile(printJs, 'js');
export const projectFormScript = addFile(projectFormJs, 'js');
export const localTimeScript = addFile(localTimeJs, 'js');
export const sendFormScript = addFile(sendFormJs, 'js');
export const shareScript = addFile(shareJs, 'js');
export const siteFormScript = addFile(siteFormJs, 'js');
export const videoPlayerScript = addFile(videoPlayerJs, 'js');
export const textPicturesScript = addFile(textPicturesJs, 'js');
export const textTabsScript = addFile(textTabsJs, 'js');
export const textToolsScript = addFile(textToolsJs, 'js');
export const uploadScript = addFile(uploadJs, 'js');
export const wallScript = addFile(wallJs, 'js');
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
