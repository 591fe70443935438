// The scripts and style sheets of the gallery.

import apiCss from '#rest/assets/api.css' with { type: 'text' };
import copyJs from '#rest/assets/copy.js' with { type: 'text' };
import docsCss from '#rest/assets/docs.css' with { type: 'text' };
import docsJs from '#rest/assets/docs.js' with { type: 'text' };
import lookupJs from '#rest/assets/lookup.js' with { type: 'text' };
import omitEmptyJs from '#rest/assets/omit-empty.js' with { type: 'text' };
import { PageFiles, shortenCss } from '#rest/page-files.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import type { SiteFiles } from '#rest/site.ts';
import adminCss from './assets/admin.css' with { type: 'text' };
import faviconIco from './assets/favicon.ico' with { type: 'file' };
import formPageCss from './assets/form-page.css' with { type: 'text' };
import formsCss from './assets/forms.css' with { type: 'text' };
import formsJs from './assets/forms.js' with { type: 'text' };
import loadMoreJs from './assets/load-more.js' with { type: 'text' };
import localTimeJs from './assets/local-time.js' with { type: 'text' };
import looksCss from './assets/looks.css' with { type: 'text' };
import faviconSvg from './assets/mark.svg' with { type: 'text' };
import moderationJs from './assets/moderation.js' with { type: 'text' };
import otherLooksCss from './assets/other-looks.css' with { type: 'text' };
import postersCss from './assets/posters.css' with { type: 'text' };
import printJs from './assets/print.js' with { type: 'text' };
import siteJs from './assets/site.js' with { type: 'text' };
import touchIconPng from './assets/touch-icon.png' with { type: 'file' };
import pagesCss from './assets/vitrine.css' with { type: 'text' };

const files = new PageFiles('/assets/vitrine-');

/** The path of a script that only the pages of a feature load. */
export const addScript = (script: string): string => files.add(script, 'js');

/** The path of a style sheet that only the pages of a feature load. */
export const addStylesheet = (css: string): string => files.add(shortenCss(css), 'css');

// Each page loads one style sheet: the browsable API has additional rules.
const pageCss = shortenCss([looksCss, pagesCss, formsCss, postersCss].join('\n'));
const otherLooks = shortenCss(otherLooksCss);
const apiPageCss = `${pageCss}${otherLooks}${shortenCss(apiCss)}`;

export const stylesheet = files.add(pageCss, 'css');
export const formPageStylesheet = files.add(shortenCss(formPageCss), 'css');
export const otherLooksStylesheet = files.add(otherLooks, 'css');
export const adminStylesheet = files.add(shortenCss(adminCss), 'css');
export const favicon = files.add(faviconSvg, 'svg');
export const siteScript = files.add(siteJs, 'js');
export const formsScript = files.add(formsJs, 'js');
export const loadMoreScript = files.add(loadMoreJs, 'js');
export const moderationScript = files.add(moderationJs, 'js');
export const printScript = files.add(printJs, 'js');
export const localTimeScript = files.add(localTimeJs, 'js');
export const lookupScript = files.add(lookupJs, 'js');

/** The files that the browsable API and the API documentation load. */
export const siteFiles: SiteFiles = {
  stylesheet: files.add(apiPageCss, 'css'),
  favicon,
  scripts: [copyJs, lookupJs, omitEmptyJs].map((script) => files.add(script, 'js')),
  documentation: { stylesheet: files.add(docsCss, 'css'), script: files.add(docsJs, 'js') },
};

export const isAsset = (path: string): boolean => files.has(path);
export const serveAsset = (path: string): PreparedResponse => files.serve(path);

function serveIcon(type: string, path: string): PreparedResponse {
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' };
  return { ...prepareResponse(200, headers), streamBody: () => Bun.file(path) };
}

// For programs that look for them at their addresses, without reading a page.
export const serveFavicon = () => serveIcon('image/x-icon', faviconIco);
export const serveTouchIcon = () => serveIcon('image/png', touchIconPng);
